#!/usr/bin/env python3
"""Runs pacesim and htsim alternately on a permutation over a fat tree, and reports their speeds.

  benches/peers/fat_tree.py --htsim DIR [--rounds 5]

Each of k^3/4 hosts sends to another for as long as the run lasts, over the same random path in both. All lines have
10 Gbps and take a microsecond, ports have 100 packets of 1500 B, the one in transmission included, and mark beyond 15 for
DCTCP; windows are at most 200 packets. A packet-hop is one packet, data or acknowledgement, leaving one link. The least CPU
time of the run over all rounds counts. DIR is a checkout of https://github.com/Broadcom/csg-htsim.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

import compare

# The ports of a switch, and the simulated microseconds.
WORK = {8: 1500, 16: 600}
SENDERS = {
    "tcp": 'profile = "rfc", variant = "newreno", delayed_ack = false, max_cwnd = "200pkts"',
    "dctcp": 'profile = "linux", control = "dctcp", ecn = true, acks = "every_packet", hz = 0, window = "200pkts"',
}
SIZES = 'payload = "1500B", header = "0B", ack_size = "40B", syn_size = "40B", initial_ssthresh = "100pkts", min_rto = "250ms"'


def permutation(k, seed):
    """Source, sink, start in us, and path among those between the two."""
    half, count, stream = k // 2, k**3 // 4, random.Random(seed)
    sinks = list(range(count))
    while any(place == sink for place, sink in enumerate(sinks)):
        stream.shuffle(sinks)
    for place, sink in enumerate(sinks):
        same_edge, same_pod = place // half == sink // half, place // half**2 == sink // half**2
        paths = 1 if same_edge else half if same_pod else half**2
        yield place, sink, round(20 * stream.random(), 3), stream.randrange(paths)


def scenario(k, sender, flows):
    mark = ', mark = "15pkts"' if sender == "dctcp" else ""
    line, port = 'rate = "10Gbps", delay = "1us"', f'buffer = "99pkts"{mark}'
    entry = '\n[[flow]]\nname = "f{0}"\nfrom = "host[{0}]"\nto = "host[{1}]"\nstart = "{2}us"\npath = {3}\ntraffic = {{ kind = "tcp", {4}, {5} }}\n'
    head = f'host = "none"\nrun = {{ duration = "1s" }}\n[topology]\nshape = "fat_tree"\nk = {k}\naccess = {{ {line}, back = {{ {port} }} }}\nlink = {{ {line}, {port} }}\n'
    return head + "".join(entry.format(*flow, SENDERS[sender], SIZES) for flow in flows)


def measured(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    text = done.stdout + done.stderr
    hops = compare.figure_of(text, r"(\d+) packet-hops", r"\bhops=(\d+)")
    if done.returncode != 0 or not hops:
        sys.exit(f"{command} failed:\n{text[-2000:]}")
    seconds = compare.figure_of(text, r"run ([0-9.]+) s", r"run_s=([0-9.]+)")
    return hops / seconds / 1e6, compare.figure_of(text, r"([0-9.]+) MB", r"rss_mb=([0-9.]+)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--htsim", metavar="DIR", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("| k | sender | pacesim, million packet-hops a CPU second | htsim | ratio | MB | htsim |\n| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        ours, theirs = compare.pacesim()[0], compare.htsim(options.htsim, work, "htsim_fat_tree")[0]
        for k, microseconds in WORK.items():
            flows = list(permutation(k, 1))
            (work / "flows").write_text("".join(f"{a} {b} {start} {path}\n" for a, b, start, path in flows))
            for sender in SENDERS:
                (work / "scenario.toml").write_text(scenario(k, sender, flows))
                rounds = [
                    (
                        measured([ours, microseconds / 1e6, work / "scenario.toml"]),
                        measured([theirs, k, sender, microseconds, work / "flows"]),
                    )
                    for _ in range(options.rounds)
                ]
                (speed, mb), (other, other_mb) = (max(each) for each in zip(*rounds))
                print(f"| {k} | {sender} | {speed:.1f} | {other:.2f} | {speed / other:.1f} | {mb:.0f} | {other_mb:.0f} |")


if __name__ == "__main__":
    main()
