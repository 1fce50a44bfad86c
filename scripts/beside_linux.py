#!/usr/bin/env python3
"""Flows that share a queue, beside recordings of Linux: a table of differences, and the rows within tolerance.

    scripts/beside_linux.py PROGRAM FOLDER [--runs 16] [--only TEXT] [--set KEY=VALUE ...] [--host HOST]

FOLDER has `cases.csv` (one row for each run of the kernel) and `scenarios/CASE.txt` (its path and flows). Cases are
those in which several flows share the queue, measured in virtual time. `--set` adds a key to the traffic of each flow,
such as `advertise_window=true`; `--host` replaces the hosts that the profile has by default. A row is within tolerance
if the mean of the runs is no farther from the kernel's mean than the tolerance, which has no allowance for chance;
`!` marks numbers outside, `~` those in which the kernel's own runs are farther than that from their mean.
Losses are shares of the packets that reach the queue, delays are mean times of waiting in ms.
"""

import argparse
import csv
import json
import subprocess
from collections import defaultdict
from pathlib import Path
from statistics import fmean, stdev

GROUPS = ("8-shares", "10-small")
NUMBERS = ("utilisation", "share", "Jain", "loss", "delay")


def tolerances(case, kernel, packet):
    """What repetitions allow for each number: those of BBR are wider, and a loss is known to a packet."""
    third, bbr = "bbr3" in case, "bbr" in case or "mixed" in case
    deep = third and float(case.rsplit("_x", 1)[1] if "_x" in case else 1) >= 2.0
    return {
        "utilisation": 0.02 if kernel["utilisation"] < 0.95 else 0.003 if third else 0.005,
        "share": 0.1 if deep else 0.04,
        "Jain": 0.05 if third else 0.2 if bbr else 0.03,
        "loss": max(kernel["loss"] * (0.15 if bbr else 0.08), packet),
        "delay": kernel["delay"] * (0.03 if third else 0.02),
    }


def cases(folder):
    """The kernel's runs of each case, as numbers."""
    found = defaultdict(list)
    with open(folder / "cases.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["group"] in GROUPS and row["engine"].endswith("vm"):
                found[row["case"]].append(row)
    return found


def number(text):
    return float(text) if text else None


def kernel_numbers(row):
    names = ("util", "share_first_class", "jain", "loss_in_window", "qdelay_mean_ms")
    return dict(zip(NUMBERS, (number(row[name]) for name in names)))


def path_of(file):
    """Keys of a path, and those of each flow."""
    keys, flows = {}, []
    for line in file.read_text(encoding="utf-8").splitlines():
        name, _, rest = line.strip().partition(" ")
        if name == "flow":
            flows.append(dict(pair.split("=") for pair in rest.split()))
        elif name:
            keys[name] = rest
    return keys, flows


def control_of(flow, third):
    return "bbr3" if third and flow["cc"] == "bbr" else flow["cc"]


def flow_text(n, flow, pacing, third, more):
    control = control_of(flow, third)
    there, back = float(flow["fwd_ms"]), float(flow["rev_ms"])
    traffic = f'kind = "tcp", profile = "linux", window = "100000pkts", control = "{control}"{pacing}{more}'
    return f"""
[[node]]
name = "s{n}"
[[node]]
name = "d{n}"
[[link]]
name = "a{n}"
from = "s{n}"
to = "L"
rate = "100Gbps"
delay = "0.05ms"
buffer = "unlimited"
back = {{ buffer = "unlimited" }}
[[link]]
name = "b{n}"
from = "R"
to = "d{n}"
rate = "100Gbps"
delay = "{there - 0.1:.4f}ms"
buffer = "unlimited"
back = {{ delay = "{back - 0.1:.4f}ms", buffer = "unlimited" }}
[[flow]]
name = "f{n}"
from = "s{n}"
to = "d{n}"
start = {{ uniform = ["0s", "0.2s"] }}
traffic = {{ {traffic} }}
"""


def scenario(keys, flows, third, host, more):
    first, last = (float(ms) / 1e3 for ms in keys["window_ms"].split())
    pacing = ', pacing = "linux"' if keys.get("qdisc") == "fq" else ""
    queue = 'discipline = { kind = "codel" }' if "codel" in keys else ""
    head = f"""
{host}
run = {{ duration = "{last}s", warmup = "{first}s" }}
[[node]]
name = "L"
[[node]]
name = "R"
[[link]]
name = "core"
from = "L"
to = "R"
rate = "{keys["rate_mbps"]}Mbps"
delay = "0.05ms"
buffer = "{keys["buf_pkts"]}pkts"
{queue}
back = {{ rate = "100Gbps", buffer = "unlimited", discipline = {{ kind = "drop_tail" }} }}
"""
    return head + "".join(flow_text(n, flow, pacing, third, more) for n, flow in enumerate(flows))


def our_numbers(run, flows):
    """Numbers of a run; a share is that of the flows with the first flow's control, if there are two controls."""
    core = next(link for link in run["links"] if link["link"] == "core")
    rates = {row["group"]: row["goodput_bps"] for row in run["flows"]}
    rates = [rates[f"f{n}"] for n in range(len(flows))]
    first = sum(rate for rate, flow in zip(rates, flows) if flow["cc"] == flows[0]["cc"])
    shares = first / sum(rates) if len({flow["cc"] for flow in flows}) > 1 else None
    jain = sum(rates) ** 2 / len(rates) / sum(rate * rate for rate in rates)
    # CoDel drops packets that have waited, a full queue those that have not.
    waited = core["arrived_pkts"] if core["discipline"] else core["left_pkts"]
    delay_ms = 1e3 * core["queue_mean_pkts"] * (run["sim_s"] - run["warmup_s"]) / waited
    values = (core["utilisation"], shares, jain, core["loss_ratio"], delay_ms)
    return {**dict(zip(NUMBERS, values)), "packet": 1.0 / core["arrived_pkts"]}


def simulate(program, text, runs):
    command = [program, "run", "-", "--json", "--quiet", "--jobs", "1", "--replications", str(runs)]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{text}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)["runs"]


def cell(name, case, kernel, ours):
    """A number as text, whether it is outside, and whether the kernel's runs agree in it."""
    theirs, mine = [run[name] for run in kernel], [run[name] for run in ours]
    if theirs[0] is None or mine[0] is None:
        return "", False, True
    means = {key: fmean(run[key] or 0.0 for run in kernel) for key in NUMBERS}
    room = tolerances(case, means, ours[0]["packet"])[name]
    agree = all(abs(value - means[name]) <= room for value in theirs)
    outside = abs(fmean(mine) - means[name]) > room
    error = stdev(mine) / len(mine) ** 0.5
    digits = {"delay": 2, "loss": 4}.get(name, 3)
    text = f"{means[name]:.{digits}f}, {fmean(mine):.{digits}f} ± {error:.{digits}f}"
    return text + (" !" if outside else "") + ("" if agree else " ~"), outside, agree


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=16)
    parser.add_argument("--only", default="")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--host")
    args = parser.parse_args()
    host = f"host = {args.host}" if args.host else ""
    more = "".join(", " + pair.replace("=", " = ", 1) for pair in args.set)
    print("| case | " + " | ".join(NUMBERS) + " |\n| --- |" + " --- |" * len(NUMBERS))
    rows = within = sure = sure_within = 0
    for case, recorded in cases(args.folder).items():
        if args.only not in case:
            continue
        third = "bbr3" in recorded[0]["engine"]
        keys, flows = path_of(args.folder / "scenarios" / f"{case}.txt")
        kernel = [kernel_numbers(row) for row in recorded]
        runs = simulate(args.program, scenario(keys, flows, third, host, more), args.runs)
        ours = [our_numbers(run, flows) for run in runs]
        name = case.replace("mixed", "mixed_bbr3") if third else case
        cells = [cell(number, name, kernel, ours) for number in NUMBERS]
        outside = any(out for _, out, _ in cells)
        surely = any(out and agree for _, out, agree in cells)
        agree = all(agree for _, _, agree in cells)
        rows, within = rows + 1, within + (not outside)
        sure, sure_within = sure + agree, sure_within + (agree and not outside)
        print(f"| {case} | " + " | ".join(text for text, _, _ in cells) + f" |{' OUTSIDE' if surely else ''}", flush=True)
    print(f"\n{within} of {rows} rows within; of those in whose numbers the kernel's runs agree {sure_within} of {sure}")


if __name__ == "__main__":
    main()
