#!/usr/bin/env python3
"""Runs pacesim alternately with two simulators on lists of transfers over leaves and spines, and reports their speeds.

  benches/peers/fct.py [--htsim DIR] [--hpcc DIR] [--pacesim PROGRAM] [--rounds 5] [--flows N]

Transfers have the sizes of web-search.csv, none above 3 MB, and come at random at half of the load of the hosts' lines. A
packet-hop is one packet, data or answer, leaving one link. The least user CPU time of the whole process over all rounds
counts, and its peak memory.

  pacesim  `pacesim run --json`, with all its statistics; built here, or the program that --pacesim names
  htsim    needs a checkout of https://github.com/Broadcom/csg-htsim: TCP, DCTCP and NDP on 8 leaves of 4 hosts, 4 spines,
           all lines of 10 Gbps and 1 us, over the same spine in both (NDP: all)
  HPCC's   the simulator of its authors, a checkout of https://github.com/alibaba-edu/High-Precision-Congestion-Control, which
           hpcc.mk builds in minutes: HPCC, DCQCN and DCTCP as a rate on 4 leaves of 8 hosts, 2 spines, 25 Gbps to hosts
           and 100 Gbps between switches, 1 us, lossless memories of 8 MB, paths by a hash of each. It does not count
           packet-hops, but loses none: each packet of 1000 B and each answer crosses two or four links
"""

import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import compare

SIZES = compare.ROOT / "scenarios/papers/fabric/web-search.csv"
MOST_BYTES = 3_000_000
LOAD = 0.5
PAYLOAD = 1000
LINE = 'delay = "1us"'
ACCEPTED = 'accept = [{ warning = "late_flows", because = "transfers come one by one" }]'
TCP_SIZES = 'payload = "1500B", header = "0B", ack_size = "40B", syn_size = "40B", initial_ssthresh = "100pkts", min_rto = "10ms"'


def drawn_size(stream):
    """A size of the distribution, in straight lines from point to point."""
    share, last = stream.random(), (1.0, 0.0)
    for line in SIZES.read_text().splitlines():
        found = re.match(r"(\d+)(B|KB|MB),([0-9.]+)", line)
        if not found:
            continue
        size = int(found[1]) * {"B": 1, "KB": 1000, "MB": 1_000_000}[found[2]]
        at = float(found[3])
        if share <= at and at > last[1]:
            exact = last[0] + (size - last[0]) * (share - last[1]) / (at - last[1])
            return min(int(exact) + 1, MOST_BYTES)
        last = (size, at)
    return MOST_BYTES


def transfers(count, hosts, bits_per_second, packet, spines, seed=1):
    """Source, sink, start in us, bytes in whole packets, and spine."""
    stream = random.Random(seed)
    sizes = [-(-drawn_size(stream) // packet) * packet for _ in range(count)]
    gap_us = 1e6 * 8 * sum(sizes) / count / (LOAD * hosts * bits_per_second)
    now = 0.0
    for size in sizes:
        now += stream.expovariate(1 / gap_us)
        source, sink = stream.sample(range(hosts), 2)
        yield source, sink, round(now, 3), size, stream.randrange(spines)


def flow(number, transfer, traffic, more=""):
    source, sink, start, size, _ = transfer
    return (
        f'\n[[flow]]\nname = "f{number}"\nfrom = "host[{source}]"\nto = "host[{sink}]"\nstart = "{start}us"\n{more}'
        f'traffic = {{ {traffic}, transfer = "{size}B" }}\n'
    )


class Htsim:
    """Leaves and spines of csg-htsim; the drivers' defaults are those of its programs."""

    leaves, spines, hosts, gbps, flows = 8, 4, 4, 10, 1000
    controls = ("tcp", "dctcp", "ndp")

    def __init__(self, checkout, work):
        self.program, self.list = compare.htsim(checkout, work, "htsim_fct")[0], work / "flows"

    def transfers(self, control, count):
        packet = 9000 if control == "ndp" else 1500
        return list(transfers(count, self.leaves * self.hosts, self.gbps * 1e9, packet, self.spines))

    def scenario(self, control, flows, seconds):
        traffic = {
            "tcp": f'kind = "tcp", profile = "rfc", variant = "newreno", delayed_ack = false, max_cwnd = "200pkts", {TCP_SIZES}',
            "dctcp": 'kind = "tcp", profile = "linux", control = "dctcp", ecn = true, acks = "every_packet", hz = 0, '
            f'window = "200pkts", {TCP_SIZES}',
            "ndp": 'kind = "ndp", variant = "htsim", window = 30, packet_size = "9064B", timeout = "10ms"',
        }[control]
        port = {"tcp": 'buffer = "99pkts"', "dctcp": 'buffer = "99pkts", mark = "15pkts"'}.get(
            control, 'buffer = "72000B", buffer_counts = "system", discipline = { kind = "trim", variant = "htsim" }'
        )
        line, spray = f'rate = "10Gbps", {LINE}', ', multipath = "packet"' if control == "ndp" else ""
        head = (
            f'host = "none"\n{ACCEPTED}\nrun = {{ duration = "{seconds:.6f}s"{spray} }}\n'
            f'[topology]\nshape = "leaf_spine"\nleaves = {self.leaves}\nspines = {self.spines}\nhosts = {self.hosts}\n'
            f"access = {{ {line}, back = {{ {port} }} }}\nuplink = {{ {line}, {port}, back = {{ {port} }} }}\n"
        )
        place = lambda each: 0 if each[0] // self.hosts == each[1] // self.hosts else each[4]
        path = lambda each: "" if control == "ndp" else f"path = {place(each)}\n"
        return head + "".join(flow(i, each, traffic, path(each)) for i, each in enumerate(flows))

    def command(self, control, flows, seconds):
        self.list.write_text("".join(" ".join(map(str, each)) + "\n" for each in flows))
        return [self.program, control, seconds * 1e6, self.leaves, self.spines, self.hosts, self.list]

    def hops(self, flows, output):
        return compare.figure_of(output, r"\bhops=(\d+)")


class Hpcc:
    """The simulator of HPCC's authors, with the settings of its script for lines of 25 Gbps."""

    leaves, spines, hosts, gbps, uplink, flows = 4, 2, 8, 25, 100, 250
    controls = ("hpcc", "dcqcn", "dctcp_rate")
    # Longest round trip: four wires each way, and a packet's payload sent over the four links.
    round_trip_ns = 8 * 1000 + 2 * 8000 // 25 + 2 * 8000 // 100

    def __init__(self, checkout, work):
        self.work, source = work, pathlib.Path(checkout).resolve() / "simulation"
        self.program = source / "built/third"
        if not self.program.exists():
            compare.build(["make", "-j2", "-f", compare.HERE / "hpcc.mk", "-C", source])

    def transfers(self, control, count):
        return list(transfers(count, self.leaves * self.hosts, self.gbps * 1e9, PAYLOAD, self.spines))

    def scenario(self, control, flows, seconds):
        window = f'window = "{self.round_trip_ns * self.gbps // 8}B", window_by_rate = true'
        traffic, header, answer = {
            "hpcc": (
                f'control = {{ kind = "hpcc", variant = "authors", round_trip = "{self.round_trip_ns}ns", target = 0.95, '
                'stages = 0, additive = "10Mbps", least_rate = "1000Mbps" }',
                90,
                88,
            ),
            "dcqcn": (
                'control = { kind = "dcqcn", variant = "hpcc", gain = 0.00390625, alpha_period = "1us", '
                'increase_period = "300us", fast_steps = 1, additive = "5Mbps", hyper = "50Mbps", least_rate = "1000Mbps", '
                'check_period = "4us" }',
                48,
                60,
            ),
            "dctcp_rate": (
                f'control = {{ kind = "dctcp_rate", gain = 0.0625, additive = "615Mbps", least_rate = "1000Mbps" }}, {window}',
                48,
                60,
            ),
        }[control]
        least, most, share = self.marks(control)
        mark = f'mark = {{ min = "{least}KB", max = "{most}KB", probability = {share}, at = "departure", per_rate = "25Gbps" }}\n'
        head = (
            f'host = "none"\n{ACCEPTED}\nrun = {{ duration = "{seconds:.6f}s" }}\n'
            f'[topology]\nshape = "leaf_spine"\nleaves = {self.leaves}\nspines = {self.spines}\nhosts = {self.hosts}\n'
            f'access = {{ rate = "{self.gbps}Gbps", {LINE} }}\nuplink = {{ rate = "{self.uplink}Gbps", {LINE} }}\n'
            f'[[switch]]\nnodes = ["leaf", "spine"]\nmemory = "8388608B"\nreserve = "4096B"\n{"" if control == "hpcc" else mark}'
            f'pfc = {{ frame = "43B", alpha_rate = "{self.gbps}Gbps" }}\n'
        )
        sizes = f'packet_size = "{PAYLOAD + header}B", header = "{header}B", ack_size = "{answer}B"'
        return head + "".join(flow(i, each, f'kind = "rdma", {traffic}, {sizes}') for i, each in enumerate(flows))

    @staticmethod
    def marks(control):
        return (75, 75, 1) if control == "dctcp_rate" else (100, 400, 0.2)

    def topology(self):
        hosts = self.leaves * self.hosts
        links = [f"{host} {hosts + host // self.hosts} {self.gbps}Gbps 1000ns 0" for host in range(hosts)]
        for leaf in range(hosts, hosts + self.leaves):
            spines = range(hosts + self.leaves, hosts + self.leaves + self.spines)
            links += [f"{leaf} {spine} {self.uplink}Gbps 1000ns 0" for spine in spines]
        switches = self.leaves + self.spines
        names = " ".join(str(hosts + switch) for switch in range(switches))
        return f"{hosts + switches} {switches} {len(links)}\n{names}\n" + "\n".join(links) + "\n"

    def command(self, control, flows, seconds):
        lines = [f"{a} {b} 3 {100 + i} {size} {start * 1e-6:.9f}" for i, (a, b, start, size, _) in enumerate(flows)]
        file = lambda name: self.work / name
        file("hpcc_flows").write_text(f"{len(flows)}\n" + "\n".join(lines) + "\n")
        file("hpcc_topology").write_text(self.topology())
        file("hpcc_trace").write_text("0\n")
        kmin, kmax, pmax = self.marks(control)
        has_window = int(control != "dcqcn")
        per_rate = lambda name, values: f"{name} 2 25000000000 {values[0]} 100000000000 {values[1]}"
        settings = {
            "ENABLE_QCN": 1, "USE_DYNAMIC_PFC_THRESHOLD": 1, "PACKET_PAYLOAD_SIZE": PAYLOAD,
            "TOPOLOGY_FILE": file("hpcc_topology"), "FLOW_FILE": file("hpcc_flows"), "TRACE_FILE": file("hpcc_trace"),
            "TRACE_OUTPUT_FILE": "/dev/null", "FCT_OUTPUT_FILE": file("hpcc_fct"), "PFC_OUTPUT_FILE": "/dev/null",
            "QLEN_MON_FILE": "/dev/null", "QLEN_MON_START": 10**12, "QLEN_MON_END": 0,
            "SIMULATOR_STOP_TIME": seconds, "CC_MODE": {"hpcc": 3, "dcqcn": 1, "dctcp_rate": 8}[control],
            "ALPHA_RESUME_INTERVAL": 1, "RATE_DECREASE_INTERVAL": 4, "CLAMP_TARGET_RATE": 0, "RP_TIMER": 300,
            "EWMA_GAIN": 0.0625 if control == "dctcp_rate" else 0.00390625, "FAST_RECOVERY_TIMES": 1,
            "RATE_AI": "10Mb/s" if control == "hpcc" else "5Mb/s", "RATE_HAI": "10Mb/s" if control == "hpcc" else "50Mb/s",
            "MIN_RATE": "1000Mb/s", "DCTCP_RATE_AI": "615Mb/s", "ERROR_RATE_PER_LINK": 0, "L2_CHUNK_SIZE": 4000,
            "L2_ACK_INTERVAL": 1, "L2_BACK_TO_ZERO": 0, "HAS_WIN": has_window, "GLOBAL_T": 1, "VAR_WIN": has_window,
            "FAST_REACT": int(control == "hpcc"), "U_TARGET": 0.95, "MI_THRESH": 0, "INT_MULTI": 1, "MULTI_RATE": 0,
            "SAMPLE_FEEDBACK": 0, "RATE_BOUND": 1, "ACK_HIGH_PRIO": int(control == "dcqcn"), "LINK_DOWN": "0 0 0",
            "ENABLE_TRACE": 0, "BUFFER_SIZE": 8,
        }  # fmt: skip
        text = "".join(f"{key} {value}\n" for key, value in settings.items())
        text += per_rate("KMIN_MAP", (kmin, 4 * kmin)) + "\n" + per_rate("KMAX_MAP", (kmax, 4 * kmax)) + "\n"
        file("hpcc_config").write_text(text + per_rate("PMAX_MAP", (pmax, pmax)) + "\n")
        return [self.program, file("hpcc_config")]

    def hops(self, flows, output):
        done = len((self.work / "hpcc_fct").read_text().splitlines())
        if done != len(flows):
            sys.exit(f"{done} of {len(flows)} transfers ended:\n{output[-2000:]}")
        links = lambda each: 2 if each[0] // self.hosts == each[1] // self.hosts else 4
        return sum(2 * links(each) * -(-each[3] // PAYLOAD) for each in flows)


def measured(command, work):
    """The user CPU seconds of a process, its peak memory in MB, and its output."""
    with open(work / "output", "w+") as output:
        child = subprocess.Popen(list(map(str, command)), stdout=output, stderr=output)
        status, peak = pathlib.Path(f"/proc/{child.pid}/status"), 0.0
        while (ended := os.wait4(child.pid, os.WNOHANG))[0] == 0:
            peak = max(peak, (compare.figure_of(status.read_text(), r"VmHWM:\s+(\d+)") or 0) / 1024)
            time.sleep(0.01)
        child.returncode = os.waitstatus_to_exitcode(ended[1])
        output.seek(0)
        text = output.read()
    if child.returncode != 0:
        sys.exit(f"{command} failed:\n{text[-2000:]}")
    return ended[2].ru_utime, peak, text


def program():
    compare.build(["cargo", "build", "--profile", "ship", "--quiet", "--bin", "pacesim"], cwd=compare.ROOT)
    return compare.ROOT / "target/ship/pacesim"


def compared(name, peer, control, options, ours, work):
    flows = peer.transfers(control, options.flows or peer.flows)
    seconds = flows[-1][2] / 1e6 + 0.05
    (work / "scenario.toml").write_text(peer.scenario(control, flows, seconds))
    commands = [ours, "run", work / "scenario.toml", "--json"], peer.command(control, flows, seconds)
    both = [[], []]
    for _ in range(options.rounds):
        for place, command in enumerate(commands):
            cpu, peak, text = measured(command, work)
            hops = compare.figure_of(text, r'"packet_hops":\s*(\d+)') if place == 0 else peer.hops(flows, text)
            both[place].append((hops, cpu, peak))
    hops = [runs[0][0] for runs in both]
    speeds = [runs[0][0] / min(cpu for _, cpu, _ in runs) / 1e6 for runs in both]
    peaks = [max(peak for _, _, peak in runs) for runs in both]
    print(
        f"| {name} | {control} | {hops[0] / 1e6:.3f} | {hops[1] / 1e6:.3f} | {speeds[0]:.2f} | {speeds[1]:.2f} | "
        f"{speeds[0] / speeds[1]:.1f} | {peaks[0]:.0f} | {peaks[1]:.0f} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--htsim", metavar="DIR")
    parser.add_argument("--hpcc", metavar="DIR")
    parser.add_argument("--pacesim", metavar="PROGRAM")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--flows", type=int)
    options = parser.parse_args()
    ours = options.pacesim or program()
    print(
        "| peer | sender | million packet-hops, pacesim | peer | million a CPU second, pacesim | peer | ratio | MB, pacesim | peer |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    )
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        peers = [("htsim", Htsim(options.htsim, work))] if options.htsim else []
        peers += [("HPCC's authors", Hpcc(options.hpcc, work))] if options.hpcc else []
        for name, peer in peers:
            for control in peer.controls:
                compared(name, peer, control, options, ours, work)


if __name__ == "__main__":
    main()
