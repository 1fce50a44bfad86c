"""Paths of the repository, and the program to compare with."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

# Shells ignore SIGINT in background jobs, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

SMALL = {
    "title": "One queue",
    "run": {"duration": "10s", "seed": 1},
    "node": [{"name": "a"}, {"name": "b"}],
    "link": [{"name": "core", "from": "a", "to": "b", "rate": "10Mbps", "buffer": "10pkts"}],
    "flow": [
        {
            "name": "poisson",
            "from": "a",
            "to": "b",
            "traffic": {"kind": "poisson", "rate": "8Mbps", "size": "1KB"},
        }
    ],
}


@pytest.fixture
def small():
    """A scenario of some milliseconds."""
    import pacesim

    return pacesim.Scenario(SMALL)


@pytest.fixture(scope="session")
def program():
    """The program of the repository, otherwise that of the wheel."""
    built = ROOT / "target/release/pacesim"
    found = os.environ.get("PACESIM") or (str(built) if built.exists() else shutil.which("pacesim"))
    if found is None:
        pytest.skip("there is no program to compare with")

    def run(*args, **options):
        return subprocess.run(
            [found, *map(str, args)], capture_output=True, text=True, **options
        )

    return run
