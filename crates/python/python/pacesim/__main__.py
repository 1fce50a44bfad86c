"""`python -m pacesim`: the program that came with the wheel."""

import os
import shutil
import sys
import sysconfig


def main() -> None:
    """Replaces this process by the program, from this environment or else from PATH."""
    here = sysconfig.get_path("scripts")
    program = shutil.which("pacesim", path=here) or shutil.which("pacesim")
    if program is None:
        sys.exit("pacesim: this installation has no program (it was built from sources); cargo install it")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
