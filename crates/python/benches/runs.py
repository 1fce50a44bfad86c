"""CPU time of a run from Python and from the program, of the imports of pacesim and json, and two worlds in two threads.

    python crates/python/benches/runs.py [PROGRAM [ROUNDS [runs|imports|threads]...]]

Each comparison alternates, A B A B. Ratios of CPU time are medians of the ratios of neighbours, which other work on the
machine disturbs equally. Two threads need two idle cores, so both sides of that comparison are the least of their rounds;
their sleeping time needs none: a thread that waits for Python's lock sleeps, one that waits for a core does not.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pacesim as ps

SCENARIO = ps.new("tcp_dumbbell").set({"run.duration": "4000s", "run.warmup": "10s"})


def user_s(who):
    return resource.getrusage(who).ru_utime


def in_turns(rounds, ours, theirs):
    """Medians of both, and the median of their ratios."""
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    ratios = [ours / theirs for ours, theirs in pairs]
    return [statistics.median(times) for times in zip(*pairs)] + [statistics.median(ratios)]


def of_children(command):
    before = user_s(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return user_s(resource.RUSAGE_CHILDREN) - before


def run_here():
    before = user_s(resource.RUSAGE_SELF)
    SCENARIO.run(seed=1, tables=False)
    return user_s(resource.RUSAGE_SELF) - before


def runs(program, rounds):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scenario.toml"
        path.write_text(SCENARIO.text)
        sets = [part for change in SCENARIO.changes for part in ("--set", change)]
        command = [program, "run", path, *sets, "--seed", "1", "--quiet"]
        ours, theirs, ratio = in_turns(rounds, run_here, lambda: of_children(command))
    print(f"a run: {ours:.3f} s of user time from Python, {theirs:.3f} s by the program: {ratio:.3f}")


def imports(rounds):
    def repeated(code):
        # A start takes some ticks of the clock only.
        return lambda: sum(of_children([sys.executable, "-c", code]) for _ in range(10)) / 10

    ours, theirs, ratio = in_turns(rounds, repeated("import pacesim"), repeated("import json"))
    print(f"import: {ours * 1e3:.1f} ms of user time, {theirs * 1e3:.1f} ms for json: {ratio:.2f}")


def scheduled_s():
    """The time for which this thread ran or waited for a core (Linux)."""
    ran, waited, _ = Path("/proc/thread-self/schedstat").read_text().split()
    return (int(ran) + int(waited)) / 1e9


def threads(rounds):
    asleep = []

    def one():
        began, scheduled = time.perf_counter(), scheduled_s()
        SCENARIO.world(seed=1).run()
        elapsed = time.perf_counter() - began
        asleep.append(1 - (scheduled_s() - scheduled) / elapsed)

    def in_sequence():
        began = time.perf_counter()
        one()
        one()
        return time.perf_counter() - began

    def side_by_side():
        both = [threading.Thread(target=one) for _ in range(2)]
        began = time.perf_counter()
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        return time.perf_counter() - began

    pairs = [(side_by_side(), in_sequence()) for _ in range(rounds)]
    both, after = map(min, zip(*pairs))
    print(
        f"two worlds: {both:.3f} s in two threads, {after:.3f} s one after the other: {both / after:.3f}; "
        f"asleep, as if they waited for each other, {max(asleep):.1%} of the time; load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    program = sys.argv[1] if len(sys.argv) > 1 else shutil.which("pacesim")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    parts = {"runs": lambda: runs(program, rounds), "imports": lambda: imports(rounds), "threads": lambda: threads(rounds)}
    for part in sys.argv[3:] or parts:
        parts[part]()
