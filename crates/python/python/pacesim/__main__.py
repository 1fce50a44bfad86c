"""The program: `pacesim`, or `python -m pacesim`."""

import os
import shutil
import signal
import sys
import sysconfig


def main() -> None:
    """Runs the program in this process with its command line's arguments."""
    from ._pacesim import main as run

    # The program handles Ctrl-C and ends its work in order.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run([program(), *sys.argv[1:]]))


def program() -> str:
    """The file that starts the program, for jobs on other machines."""
    own = sys.argv[0]
    if os.path.basename(own) != "__main__.py":
        return os.path.abspath(own)
    return shutil.which("pacesim", path=sysconfig.get_path("scripts")) or "pacesim"


if __name__ == "__main__":
    main()
