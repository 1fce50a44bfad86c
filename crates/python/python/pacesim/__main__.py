"""The program: `pacesim`, or `python -m pacesim`."""

import os
import shutil
import signal
import sys
import sysconfig


def main() -> None:
    """Runs the program in this process, with the arguments of its command line."""
    from ._pacesim import main as run

    # Ctrl-C is the program's: it ends its work in order.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run([program(), *sys.argv[1:]]))


def program() -> str:
    """The file that starts the program again, for jobs on other machines."""
    own = sys.argv[0]
    if os.path.basename(own) != "__main__.py":
        return os.path.abspath(own)
    return shutil.which("pacesim", path=sysconfig.get_path("scripts")) or "pacesim"


if __name__ == "__main__":
    main()
