#!/usr/bin/env python3
"""ns-2's numbers on the papers' own networks, for claims that need neither pacer nor FEC.

    scripts/ns2/papers.py [--jobs N] [--seeds N] [--only WORD] [--facts-only]

Runs papers.tcl once for each set-up and seed (ns-2 2.35, package ns2), keeps each line of results in
results/ns2-papers.csv, and goes on where it was stopped. Then it writes scenarios/papers/ns2.csv: for each claim
that it knows the mean over the seeds in bit/s, seconds, bytes or without a unit, and its 95 % interval (Student's; a ratio seed by seed).
Set-ups of which fewer than two seeds are there yield no fact.
"""

import argparse
import concurrent.futures
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
RAW = ROOT / "results" / "ns2-papers.csv"
FACTS = ROOT / "scenarios" / "papers" / "ns2.csv"

# Small seeds of ns-2 begin with small numbers.
FIRST_SEED, STEP = 1000003, 7919

EDGE = dict(flows=1000, edges=10, core_rate="100e6", core_delay=0.1, window=1000, usehdr=1, t0=100, end=250)
FEC = dict(flows=150, edges=10, per_host=5, core_rate="400e6", core_delay=0.03, edge_rate="40e6", access_rate="3e6:5e6", window=64, t0=20, end=35)
ANOMALY = dict(flows=1000, core_rate="10e6", core_delay=0.05, access_rate="1e6", access_delay="0.001:0.025", t0=200, end=800)
BURSTS = dict(flows=2000, core_rate="200e6", access_rate="8e6:12e6", access_delay="0.004:0.010", t0=20, end=150)
LOSS = dict(flows=20, core_rate="1e9", core_delay=0.052, access_rate="1e9", access_delay=0, window=1000, usehdr=1, start=1, t0=20, end=520)

SETUPS = {
    "edge 2 KB": EDGE | dict(buffer=2000),
    "edge 3 KB": EDGE | dict(buffer=3000),
    "edge 5 KB": EDGE | dict(buffer=5000),
    "edge 10 KB": EDGE | dict(buffer=10000),
    "edge 10 KB, 500 flows": EDGE | dict(buffer=10000, flows=500),
    "edge slow hosts": EDGE | dict(flows=100, core_rate="200e6", edge_rate="40e6", access_rate="1e6:2e6", buffer=10000, t0=400, end=800),
    "FEC 1 KB": FEC | dict(buffer=1000),
    "FEC 12.5 MB": FEC | dict(buffer=12500000),
    "loss 1 %": LOSS | dict(loss=0.01),
    "loss 2 %": LOSS | dict(loss=0.02),
    "idle 5 KB": ANOMALY | dict(buffer=5000),
    "idle 10 KB": ANOMALY | dict(buffer=10000),
}
for mbps in (0.375, 0.5):
    for buffer in (8, 12, 16, 30, 40):
        SETUPS[f"anomaly {mbps} Mbps, {buffer} KB"] = ANOMALY | dict(udp=mbps, buffer=buffer * 1000)
LINKS = ROOT / "crates" / "keys" / "data" / "nsfnet14_21links_km.csv"
NETWORK = dict(script="nsfnet.tcl", links=LINKS)
SETUPS["NSFNET 1 KB"] = NETWORK | dict(buffer=1000)
SETUPS["NSFNET 12.5 MB"] = NETWORK | dict(buffer=12500000)
DELAYS = {"RTT 64 ms, as stated": 0.025, "RTT 250 ms": 0.118}
for name, delay in DELAYS.items():
    for users, sizes in ((0, (50, 5000, 6250, 12500)), (1600, (50, 4000, 5000, 6250))):
        for size in sizes:
            SETUPS[f"bursts, {users} users, {name}, {size} KB"] = BURSTS | dict(users=users, core_delay=delay, buffer=size * 1000, bins=True)


class Value:
    """A number of one set-up, by seed."""

    def __init__(self, setup, key, times=1.0):
        self.setup, self.key, self.times = setup, key, times

    def setups(self):
        return [self.setup]

    def of(self, rows):
        return {seed: float(row[self.key]) * self.times for seed, row in rows.get(self.setup, {}).items() if row.get(self.key)}


class Cell:
    """A number of the dumbbells that the tests of the simulator have: mean, deviation and seeds."""

    def __init__(self, set, buffer, column, times=1.0):
        self.set, self.buffer, self.column, self.times = set, buffer, column, times

    def setups(self):
        return [f"{self.set}, {self.buffer} of dumbbells.csv"]

    def spread(self):
        cells = csv.DictReader((ROOT / "crates" / "sim" / "tests" / "ns2" / "dumbbells.csv").open(), delimiter=";")
        cell = next(cell for cell in cells if (cell["set"], cell["buffer"]) == (self.set, self.buffer))
        return float(cell[self.column]) * self.times, float(cell[self.column + "_sd"]) * self.times, int(cell["seeds"])


class Pair:
    """A ratio or difference of two, seed by seed."""

    def __init__(self, one, other, combine):
        self.one, self.other, self.combine = one, other, combine

    def setups(self):
        return self.one.setups() + self.other.setups()

    def of(self, rows):
        one, other = self.one.of(rows), self.other.of(rows)
        return {seed: self.combine(one[seed], other[seed]) for seed in one if seed in other}


class Jain:
    """Jain's index of several, seed by seed."""

    def __init__(self, shares):
        self.shares = shares

    def setups(self):
        return [setup for share in self.shares for setup in share.setups()]

    def of(self, rows):
        all = [share.of(rows) for share in self.shares]
        seeds = set.intersection(*(set(share) for share in all))
        each = {seed: [share[seed] for share in all] for seed in sorted(seeds)}
        return {seed: sum(x) ** 2 / (len(x) * sum(v * v for v in x)) for seed, x in each.items()}


def ratio(setup, other, key):
    return Pair(Value(setup, key), Value(other, key), lambda a, b: a / b)


def claims():
    """The experiment, the claim, and its number."""
    yield "edge/fig3", "loss at 2 KB, no pacing, 1000 B on the wire, %", Cell("B", "2 KB", "loss")
    for name, setup in (("2 KB, no pacing, %", "edge 2 KB"), ("3 KB, no pacing, %", "edge 3 KB")):
        yield "edge/fig3", f"loss at {name}", Value(setup, "loss")
    yield "edge/fig3", "goodput of a flow at 5 KB, no pacing, kbps", Value("edge 5 KB", "flow_goodput_bps")
    yield "edge/fig3", "goodput of a flow at 5 KB, no pacing, 1000 B on the wire, kbps", Cell("B", "5 KB", "goodput_kbps", 1e3)
    yield "edge/fig4", "throughput of 500 flows over that of 1000, no pacing, 10 KB", ratio("edge 10 KB, 500 flows", "edge 10 KB", "throughput_bps")
    yield "edge/fig8", "loss at 10 KB, no pacing", Value("edge slow hosts", "loss")
    yield "zerobuf/fig24", "goodput of a flow without FEC, Mbps", Value("FEC 1 KB", "flow_goodput_bps")
    yield "zerobuf/fig24", "goodput of a flow with 12.5 MB of buffer, Mbps", Value("FEC 12.5 MB", "flow_goodput_bps")
    yield "zerobuf/loss-doubled", "TCP goodput at a loss of 2 % over that at 1 %", ratio("loss 2 %", "loss 1 %", "flow_goodput_bps")
    yield "zerobuf/fig7", "idle probability at 10 KB over that at 5 KB, link of Fig. 6", Pair(Value("idle 10 KB", "utilisation"), Value("idle 5 KB", "utilisation"), lambda a, b: (1 - a) / (1 - b))
    for text, mbps, one, other in (
        ("UDP loss behind its valley over that in it, Poisson: 40 KB over 16 KB", 0.375, 40, 16),
        ("UDP loss behind its valley over that in it, Poisson of 500 kbps: 30 KB over 12 KB", 0.5, 30, 12),
        ("UDP loss at 8 KB over that at 16 KB, Poisson: its valley is at 8 KB", 0.375, 8, 16),
        ("UDP loss at 8 KB over that at 12 KB, Poisson of 500 kbps: its valley is at 8 KB", 0.5, 8, 12),
        ("UDP loss at 12 KB over that at 16 KB, Poisson of 500 kbps: more UDP moves the valley to smaller buffers", 0.5, 12, 16),
    ):
        of = lambda buffer: f"anomaly {mbps} Mbps, {buffer} KB"
        yield "zerobuf/fig6", text, ratio(of(one), of(other), "udp_loss")
    for figure, users, sizes in (("fig2", 0, (5000, 6250, 12500)), ("fig3", 1600, (4000, 5000, 6250))):
        for rtt in DELAYS:
            of = lambda size: f"bursts, {users} users, {rtt}, {size} KB"
            mb = lambda size: f"{size / 1000:g}"
            yield f"zerobuf/{figure}", f"slope of beta at 50 KB (Poisson: -0.5); {rtt}", Value(of(50), "slope")
            for size in sizes:
                yield f"zerobuf/{figure}", f"Hurst parameter at {mb(size)} MB; {rtt}", Value(of(size), "hurst")
            last, first = sizes[-1], sizes[0]
            yield f"zerobuf/{figure}", f"Hurst parameter at {mb(last)} MB less that at {mb(first)} MB; {rtt}", Pair(Value(of(last), "hurst"), Value(of(first), "hurst"), lambda a, b: a - b)
    hops = (("one hop", "one_bps"), ("two hops", "two_bps"), ("three hops", "three_bps"))
    for core, setup in (("no FEC", "NSFNET 1 KB"), ("large buffers", "NSFNET 12.5 MB")):
        for name, key in hops:
            yield "zerobuf/fig29", f"goodput over {name}, {core}, Mbps", Value(setup, key)
    shares = [ratio("NSFNET 1 KB", "NSFNET 12.5 MB", key) for _, key in hops]
    yield "zerobuf/fig29", "Jain's index of goodputs divided by those with large buffers (eq. 26), no FEC", Jain(shares)
    yield "zerobuf/fig27-28", "goodput over one hop without FEC over that with large buffers", shares[0]
    for text, key in (("mean load of the core's links", "load_mean"), ("load of the least busy link of the core", "load_min"), ("load of the busiest link of the core", "load_max")):
        yield "zerobuf/fig27-28", f"{text} with large buffers, %", Value("NSFNET 12.5 MB", key)
    for lag in (20, 250):
        yield "zerobuf/fig4", f"autocorrelation of the queue in 50 KB over {lag} ms; RTT 250 ms", Value("bursts, 1600 users, RTT 250 ms, 50 KB", f"memory_{lag}ms")


def line(points):
    """The slope of a line by least squares."""
    n, mean_x = len(points), sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / n
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def of_bins(path, step):
    """Slope and Hurst parameter of the arriving volume, and the memory of the queue."""
    rows = [tuple(map(int, text.split())) for text in open(path)]
    volume, queue = [row[0] for row in rows], [row[1] for row in rows]
    points = []
    for scale in range(11):
        length = 2**scale
        sums = [sum(volume[i : i + length]) for i in range(0, len(volume) - length + 1, length)]
        mean = sum(sums) / len(sums)
        variance = sum((x - mean) ** 2 for x in sums) / (len(sums) - 1)
        points.append((scale, math.log2(math.sqrt(variance) / mean)))
    mean = sum(queue) / len(queue)
    variance = sum((x - mean) ** 2 for x in queue) / len(queue)
    memory = {}
    for lag in (20, 250):
        steps = round(lag * 1e-3 / step)
        pairs = zip(queue, queue[steps:])
        both = sum((a - mean) * (b - mean) for a, b in pairs) / (len(queue) - steps)
        memory[f"memory_{lag}ms"] = both / variance if variance else 0.0
    return dict(slope=line(points), hurst=1 + line(points[2:]), **memory)


def run(setup, seed):
    """One run of ns-2, as a row."""
    keys = dict(SETUPS[setup])
    script = keys.pop("script", "papers.tcl")
    with tempfile.TemporaryDirectory() as folder:
        if keys.pop("bins", False):
            keys["bins"] = f"{folder}/bins"
        words = [word for key, value in keys.items() for word in (key, str(value))]
        command = ["nice", "-n", "19", "ns", str(HERE / script), *words, "seed", str(seed)]
        ended = subprocess.run(command, capture_output=True, text=True)
        lines = [text for text in ended.stdout.splitlines() if text.startswith("RESULT ")]
        if ended.returncode or len(lines) != 1:
            sys.exit(f"{' '.join(command)}\n{ended.stdout}{ended.stderr}")
        row = dict(word.split("=") for word in lines[0].split()[1:])
        if "bins" in keys:
            row |= of_bins(keys["bins"], 0.001024)
    return row


def recorded():
    """Existing rows: UDP beside TCP, and the cells of the dumbbells in the tests."""
    rows = {}
    lines = (HERE / "anomaly.csv").read_text().splitlines()[1:]
    for row in csv.DictReader(lines):
        setup = f"anomaly {row['udp_mbps']} Mbps, {row['buffer_kb']} KB"
        rows.setdefault(setup, {})[int(row["seed"])] = {"udp_loss": row["udp_loss"]}
    return rows


def kept():
    """All rows, by set-up and seed."""
    rows = recorded()
    if RAW.exists():
        for row in csv.DictReader(RAW.open()):
            rows.setdefault(row["setup"], {})[int(row["seed"])] = row
    return rows


COLUMNS = ["setup", "seed", "loss", "throughput_bps", "utilisation", "flow_goodput_bps", "udp_loss", "slope", "hurst", "memory_20ms", "memory_250ms"]
COLUMNS += ["one_bps", "two_bps", "three_bps", "load_mean", "load_min", "load_max"]


def keep(setup, row):
    RAW.parent.mkdir(exist_ok=True)
    is_new = not RAW.exists()
    with RAW.open("a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if is_new:
            writer.writeheader()
        writer.writerow({"setup": setup} | row)


# Student's t at 97.5 %, by degrees of freedom.
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}


def spread(numbers):
    """Mean, standard deviation and number."""
    n = len(numbers)
    mean = sum(numbers) / max(n, 1)
    return mean, math.sqrt(sum((x - mean) ** 2 for x in numbers) / max(n - 1, 1)), n


def write_facts():
    rows = kept()
    with FACTS.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "claim", "ns2", "low", "high", "seeds", "setup"])
        for id, claim, value in claims():
            mean, sd, n = value.spread() if isinstance(value, Cell) else spread(list(value.of(rows).values()))
            if n < 2:
                continue
            half = STUDENT[min(n - 1, 9)] * sd / math.sqrt(n)
            setups = "; ".join(dict.fromkeys(value.setups()))
            writer.writerow([id, claim, *(f"{x:.6g}" for x in (mean, mean - half, mean + half)), n, setups])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="set-ups with this in their name")
    parser.add_argument("--facts-only", action="store_true")
    args = parser.parse_args()
    if not args.facts_only:
        rows = kept()
        seeds = [FIRST_SEED + i * STEP for i in range(args.seeds)]
        missing = [(setup, seed) for seed in seeds for setup in SETUPS if args.only in setup and seed not in rows.get(setup, {})]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for (setup, _), row in zip(missing, pool.map(lambda job: run(*job), missing)):
                keep(setup, row)
                print(setup, row["seed"], flush=True)
    write_facts()


if __name__ == "__main__":
    main()
