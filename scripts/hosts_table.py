#!/usr/bin/env python3
"""Sums and means of shipped scenarios with the hosts that they have by default, and with ideal hosts.

    scripts/hosts_table.py PROGRAM [NAME ...] > table.md

Each line is one scenario, or one point of a study, in as many replications of both kinds. Long runs are
shortened. A number is marked where it differs by more than 1 %, and by more than chance would once in a
hundred such numbers.
"""

import json
import math
import subprocess
import sys
from pathlib import Path
from statistics import fmean, variance

ROOT = Path(__file__).resolve().parent.parent
REPLICATIONS = 5
# Student's t beyond which chance comes once in a hundred, with the fewest degrees that Welch's test may have.
T_LIMIT = 4.604
BEYOND, FABRIC, COOKBOOK = "scenarios/papers/beyond", "scenarios/papers/fabric", "docs/cookbook"

# Folder, name, point of a study, length and warm-up if not the file's.
ROWS = [
    ("scenarios", "senders", None, None),
    ("docs/models", "losses", 6, ("20s", "5s")),
    ("docs/models", "windows", 1, None),
    (BEYOND, "bbr-buffer", 2, None),
    (BEYOND, "bbr-loss", 3, None),
    (BEYOND, "bbr-share", 2, ("60s", "20s")),
    (BEYOND, "buffer-sizing", 4, ("10s", "4s")),
    (BEYOND, "cubic-law", 4, ("60s", "20s")),
    (BEYOND, "dctcp-k", 2, ("3s", "1s")),
    (BEYOND, "edge-today", 1, ("20s", "5s")),
    (BEYOND, "fec-today", 1, ("15s", "5s")),
    (BEYOND, "l4s", 0, ("20s", "5s")),
    (BEYOND, "l4s-many", 0, ("20s", "5s")),
    (BEYOND, "l4s-short", 0, ("20s", "5s")),
    (BEYOND, "linux-shares", 1, ("40s", "10s")),
    (BEYOND, "linux-small-buffers", 1, None),
    (BEYOND, "modern", 3, ("20s", "8s")),
    (BEYOND, "qlbp-today", 1, ("20s", "5s")),
    (BEYOND, "switch", 5, ("200ms", "80ms")),
    (FABRIC, "edge-pacing", 1, ("5s", None)),
    (FABRIC, "incast-alpha", 1, ("5s", None)),
    (FABRIC, "incast-ecn", 1, ("5s", None)),
    (FABRIC, "incast-pacing", 1, ("5s", None)),
    (FABRIC, "ring", 0, None),
    (FABRIC, "shuffle", 0, None),
    (FABRIC, "spray", 0, ("10ms", "2ms")),
    (FABRIC, "web-search", 0, ("60ms", "20ms")),
    (COOKBOOK, "bbr-cubic", 1, ("20s", "5s")),
    (COOKBOOK, "bdp-buffer", 1, None),
    (COOKBOOK, "cellular", None, None),
    (COOKBOOK, "codel", 1, None),
    (COOKBOOK, "ecn-red", None, None),
    (COOKBOOK, "ecn", None, None),
    (COOKBOOK, "failing-link", None, None),
    (COOKBOOK, "host-pacing", 1, None),
    (COOKBOOK, "incast", 1, None),
    (COOKBOOK, "l4s", None, None),
    (COOKBOOK, "least-buffer-bbr", 1, None),
    (COOKBOOK, "measured", 1, None),
    (COOKBOOK, "open-loop", None, ("30s", "10s")),
    (COOKBOOK, "own-network", None, None),
    (COOKBOOK, "parking-lot", None, ("20s", "5s")),
    (COOKBOOK, "policer", 1, None),
    (COOKBOOK, "voice", 1, None),
    (COOKBOOK, "web-load", 1, None),
    (COOKBOOK, "web", None, ("20s", "5s")),
    (COOKBOOK, "wireless", 1, None),
]


def path_of(folder, name):
    """The file of a row: studies of papers and models have two endings."""
    for ending in (".study.toml", ".toml"):
        path = ROOT / folder / (name + ending)
        if path.exists():
            return path
    raise SystemExit(f"no file for {folder}/{name}")


def runs(program, row, host):
    """The replications of a row with this host, or those of the file."""
    folder, name, point, course = row
    command = [program, "run", str(path_of(folder, name)), "--json", "--quiet", "--jobs", "2"]
    command += ["--replications", str(REPLICATIONS)]
    if host is not None:
        command += ["--set", f"host={host}"]
    if point is not None:
        command += ["--point", str(point)]
    for key, value in zip(("duration", "warmup"), course or (None, None)):
        if value:
            command += ["--set", f"run.{key}={value}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=path_of(folder, name).parent)
    if done.returncode != 0:
        raise RuntimeError(f"{folder}/{name}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)["runs"]


def numbers(run):
    """The numbers of a run: sums and means of all flows, and of the busiest link."""
    flows = [group for group in run["flows"] if group["sent_pkts"] > 0]
    sent = sum(group["sent_pkts"] for group in flows)
    delivered = sum(group["delivered_pkts"] for group in flows)
    weigh = lambda key: sum(group[key] * group["delivered_pkts"] for group in flows if group[key] is not None)
    link = max(run["links"], key=lambda link: link["utilisation"] or 0.0)
    return {
        "goodput, Mbps": sum(group["goodput_bps"] or 0.0 for group in flows) / 1e6,
        "lost or dropped, %": 100.0 * sum(group["loss_ratio"] * group["sent_pkts"] for group in flows) / max(sent, 1),
        "delay, ms": 1e3 * weigh("delay_mean_s") / max(delivered, 1),
        "busiest link": link["utilisation"],
        "its queue, packets": link["queue_mean_pkts"],
    }


def differs(one, two):
    """Welch's test of two samples, and 1 % of the number."""
    a, b = fmean(one), fmean(two)
    error = math.sqrt(variance(one) / len(one) + variance(two) / len(two))
    if abs(a - b) <= 0.01 * max(abs(a), abs(b)):
        return False
    return error == 0.0 or abs(a - b) / error > T_LIMIT


def main():
    program, *names = sys.argv[1:]
    rows = [row for row in ROWS if not names or row[1] in names]
    moved = 0
    for i, row in enumerate(rows):
        none, noise = ([numbers(run) for run in runs(program, row, host)] for host in ("none", None))
        cells = []
        for key in none[0]:
            one, two = [run[key] for run in none], [run[key] for run in noise]
            mark = differs(one, two)
            moved += mark
            cells.append(f"{fmean(one):.4g}, {fmean(two):.4g}" + (" !" if mark else ""))
        if i == 0:
            print("| scenario | " + " | ".join(none[0]) + " |\n| --- |" + " --- |" * len(none[0]))
        place = row[0].split("/")[-1]
        print(f"| {place}/{row[1]}" + ("" if row[2] is None else f", point {row[2]}") + " | " + " | ".join(cells) + " |", flush=True)
    print(f"\n{len(rows)} scenarios, {moved} numbers marked", file=sys.stderr)


main()
