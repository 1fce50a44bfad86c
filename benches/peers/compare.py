#!/usr/bin/env python3
"""Runs simulators alternately on the same workload, and reports their speeds.

  benches/peers/compare.py [--flows 100,1000] [--rounds 5] [--htsim DIR] [--json FILE] [--svg FILE]

The workload is TCP NewReno without SACK between the hosts of two access trees (tree.toml). A packet-hop
is one packet, data or acknowledgement, leaving one link. The minimum CPU time over all rounds counts for each
simulator, both of the run without set-up and of the whole process. pacesim keeps all its statistics.

  pacesim  built here
  htsim    needs a checkout of https://github.com/Broadcom/csg-htsim: --htsim DIR
  ns-2     needs `ns` (on Debian: apt-get install ns2); up to 1000 flows; without the packet headers that
           the workload does not need, and once more with all, the default
  ns-3     needs its headers (on Debian: apt-get install libns3-dev); up to 100 flows, and a twentieth of the simulated time

Missing simulators are skipped, with a message.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import figure

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# Flows: simulated seconds, edges per side, rates of core and edges in Mbps, bytes of buffer at the core.
WORK = {
    10: (500, 10, 100, 100, 50_000),
    100: (200, 10, 100, 100, 50_000),
    1000: (60, 10, 100, 100, 50_000),
    3000: (20, 30, 300, 100, 50_000),
    10_000: (6, 100, 1000, 100, 100_000),
    20_000: (3, 100, 10_000, 10_000, 1_000_000),
    100_000: (2, 100, 10_000, 10_000, 1_000_000),
}
# Cases that would take minutes are skipped.
MOST_FLOWS = {"pacesim": 100_000, "htsim": 100_000, "ns-2": 1000, "ns-2, all headers": 1000, "ns-3": 100}


def build(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")


def pacesim():
    build(["cargo", "build", "--profile", "ship", "--quiet", "-p", "pacesim-benches", "--bin", "tree"], cwd=ROOT)
    return [ROOT / "target/ship/tree"]


def htsim(checkout, work, driver="htsim_tree"):
    if not checkout:
        return None
    sim = pathlib.Path(checkout) / "sim"
    if not (sim / "libhtsim.a").exists():
        build(["make", "-j2", "CFLAGS=-Wall -std=c++11 -g -O3", "libhtsim.a"], cwd=sim)
    program = work / driver
    build(["g++", "-std=c++14", "-O3", f"-I{sim}", HERE / f"{driver}.cc", "-o", program, sim / "libhtsim.a"])
    return [program]


def ns2():
    return ["ns", HERE / "ns2_tree.tcl"] if shutil.which("ns") else None


def ns3(work):
    if not list(pathlib.Path("/usr/include").glob("ns3*")):
        return None
    program = work / "ns3_tree"
    libraries = ["core", "network", "internet", "point-to-point", "applications"]
    build(["g++", "-O3", HERE / "ns3_tree.cc", "-o", program, *(f"-lns3-{name}" for name in libraries)])
    return [program]


def arguments(name, flows, seed):
    seconds, edges, core, edge, buffer = WORK[flows]
    if name == "pacesim":
        return [
            str(seconds), HERE / "tree.toml", f"topology.hosts={flows}", f"topology.edges={edges}",
            f"topology.core.rate={core}Mbps", f"topology.core.buffer={buffer}B",
            f"topology.edge.rate={edge}Mbps", f"run.seed={seed}",
        ]
    if name == "ns-3":
        seconds /= 20
    if name.startswith("ns-2"):
        return (
            f"exp B variant Newreno flows {flows} access 10:10 buf {buffer} edges {edges} core {core} "
            f"dur {seconds} t0 {seconds / 4} seed {seed} minhdr {int(name == 'ns-2')}"
        ).split()
    return [str(value) for value in (flows, seconds, edges, core, buffer, seed, edge)]


def figure_of(text, *patterns):
    for pattern in patterns:
        found = re.search(pattern, text)
        if found:
            return float(found.group(1))
    return None


def run(name, command, flows, seed):
    """One run: packet-hops, CPU seconds of the run and of the whole process, megabytes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*command, *arguments(name, flows, seed)], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = done.stdout + done.stderr
    hops = figure_of(text, r"(\d+) packet-hops", r"\bhops=(\d+)", r"pkt_hops=([0-9.e+]+)")
    if done.returncode != 0 or not hops:
        sys.exit(f"{name} with {flows} flows failed:\n{text[-2000:]}")
    return {
        "hops": hops,
        "run_s": figure_of(text, r"run ([0-9.]+) s", r"run_s=([0-9.]+)"),
        "whole_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "mb": figure_of(text, r"([0-9.]+) MB", r"rss_mb=([0-9.]+)"),
    }


def best(rounds, key):
    rates = [each["hops"] / each[key] / 1e6 for each in rounds if each[key]]
    return max(rates, default=None)


def table(results):
    lines = [
        "| flows | simulator | million packet-hops a CPU second, run | whole | ratio, run | MB |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for flows, each in results.items():
        ours = each["pacesim"]["run"]
        for name, of in each.items():
            ratio = "" if name == "pacesim" else f"{ours / of['run']:.1f}"
            lines.append(
                f"| {flows} | {name} | {of['run']:.3g} | {of['whole']:.3g} | {ratio} | {of['mb']:.0f} |"
            )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--flows", default="100,1000,10000,20000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--htsim", metavar="DIR")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--svg", metavar="FILE", help="speed against flows, as a figure")
    options = parser.parse_args()
    sizes = [int(text) for text in options.flows.split(",")]
    unknown = [size for size in sizes if size not in WORK]
    if unknown:
        parser.error(f"--flows: {unknown[0]} is none of {', '.join(map(str, WORK))}")

    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        commands = {
            "pacesim": pacesim(), "htsim": htsim(options.htsim, work),
            "ns-2": ns2(), "ns-2, all headers": ns2(), "ns-3": ns3(work),
        }
        for name in [name for name, command in commands.items() if command is None]:
            print(f"{name} is not here: see --help", file=sys.stderr)
        results = {}
        for flows in sizes:
            runs = {
                name: [] for name, command in commands.items() if command and flows <= MOST_FLOWS[name]
            }
            for seed in range(1, options.rounds + 1):
                for name in runs:
                    print(f"{flows} flows, round {seed}, {name}", file=sys.stderr)
                    runs[name].append(run(name, commands[name], flows, seed))
            results[flows] = {
                name: {
                    "run": best(rounds, "run_s"), "whole": best(rounds, "whole_s"),
                    "mb": min(each["mb"] for each in rounds), "rounds": rounds,
                }
                for name, rounds in runs.items()
            }
    print(table(results))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + os.linesep)
    if options.svg:
        pathlib.Path(options.svg).write_text(figure.draw(results))


if __name__ == "__main__":
    main()
