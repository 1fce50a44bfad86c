#!/usr/bin/env python3
"""Run N random single flows in ns-2 and write one trace of each, as JSON.

usage: random_cases.py FOLDER N SEED [uneven|thin]

With "uneven" every rate and delay is up to one percent off its round value, so that events
do not fall on one instant by design; the cases are the same otherwise. With "thin" windows are small, one or two
duplicate ACKs show a loss, and time-outs are shorter than round trips. The format is that of crates/tcp/tests/ns2; a seed always gives the same cases.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

FLOW = os.path.join(os.path.dirname(os.path.abspath(__file__)), "flow.tcl")

PROFILES = {
    # ns-2 2.35 as it comes: SYN, 40 B of headers, limited transmit, first window 2
    "default": {},
    # no SYN, packetSize_ is the wire size, no limited transmit, first window 1
    "plain": {"syn_": 0, "delay_growth_": 0, "useHeaders_": 0, "singledup_": 0, "windowInit_": 1},
}

# rate1, delay1, rate2, delay2
PATHS = [
    ("100Mb", "1ms", "10Mb", "4ms"),
    ("100Mb", "1ms", "10Mb", "49ms"),
    ("100Mb", "2ms", "10Mb", "110ms"),
    ("10Mb", "1ms", "1Mb", "49ms"),
    ("1000Mb", "1ms", "100Mb", "49ms"),
    ("40Mb", "2.5ms", "5Mb", "16ms"),
    ("10Mb", "5ms", "2Mb", "270ms"),
    ("10Mb", "1ms", "10Mb", "600ms"),
]

# sender, sink
AGENTS = {
    "tahoe": ("Agent/TCP", "Agent/TCPSink"),
    "reno": ("Agent/TCP/Reno", "Agent/TCPSink"),
    "newreno": ("Agent/TCP/Newreno", "Agent/TCPSink"),
    "sack": ("Agent/TCP/Sack1", "Agent/TCPSink/Sack1"),
    "fack": ("Agent/TCP/Fack", "Agent/TCPSink/Sack1"),
}

UNLIMITED = 100000


def uneven(r, case):
    """The case with whole numbers of bit/s and nanoseconds near its own."""
    bits = lambda text: float(text[:-2]) * 1e6 if text.endswith("Mb") else float(text[:-1])
    rate = lambda text: f"{round(bits(text) * r.uniform(0.99, 1.01))}b"
    delay = lambda text: f"{round(float(text[:-2]) * 1e6 * r.uniform(0.99, 1.01)) / 1e6:.6f}ms"
    rate1, delay1, rate2, delay2 = case["path"]
    case["path"] = rate(rate1), delay(delay1), rate(rate2), delay(delay2)
    case["rate_back"] = rate(case["rate_back"])


def thin(r, case):
    """The case with windows that are halved below one packet."""
    case["tcp"].update({
        "window_": r.choice([1, 2, 3, 4, 8, 2.5]),
        "numdupacks_": r.choice([1, 1, 2]),
        "tcpTick_": r.choice([0.001, 0.01]),
        "minrto_": r.choice([0, 0.05]),
        "rtxcur_init_": r.choice([0.05, 0.3]),
    })


def data_losses(r, packets):
    """Each packet, and each retransmission of a lost one, is lost with the same probability;
    a burst takes the first transmissions of packets in a row."""
    p = r.choice([0, 0.01, 0.03, 0.06, 0.1, 0.2, 0.4])
    losses = set()
    for seq in range(packets + 1):
        k = 1
        while r.random() < p:
            losses.add((seq, k))
            k += 1
    for _ in range(r.choice([0, 0, 1, 2])):
        first = r.randrange(packets)
        losses |= {(seq, 1) for seq in range(first, min(first + r.randint(2, 24), packets + 1))}
    return sorted(losses)


def ack_losses(r, packets):
    """In half of the cases; duplicates of an ACK are lost like the first."""
    if r.random() >= 0.5:
        return []
    p = r.choice([0.02, 0.05, 0.1, 0.2, 0.4, 0.6])
    return [(ack, k) for ack in range(packets + 1) for k in range(1, 13) if r.random() < p]


def clock(r):
    """Tick and time-outs: ns-2's own in two fifths of the cases."""
    if r.random() < 0.4:
        return {}
    return {
        "tcpTick_": r.choice([0.001, 0.01, 0.05, 0.1, 0.5]),
        "minrto_": r.choice([0, 0.05, 0.2, 1]),
        "rtxcur_init_": r.choice([3, 1, 0.3, 100]),
    }


def back(r, path):
    """Rate and `limit_` of the link that the ACKs take first: in a quarter of the cases it is
    slower than they come, and drops some."""
    if r.random() >= 0.25:
        return path[2], UNLIMITED
    return f"{float(path[2][:-2]) * 1e6 / 50:.0f}b", r.choice([2, 3, 5, 12])


def draw(r):
    """One case."""
    packets = r.choice([20, 60, 150, 300])
    path = r.choice(PATHS)
    rate_back, queue_back = back(r, path)
    profile = r.choice(list(PROFILES))
    first = {"windowInit_": r.randint(1, 10)} if r.random() < 0.5 else {}
    window = r.choice([1, 2, 3, 4, 5, 8, 20, 32, 64, 2.5, 12.5])
    return {
        "variant": r.choice(list(AGENTS)),
        "profile": profile,
        "path": path,
        "rate_back": rate_back,
        "packets": packets,
        "drops": data_losses(r, packets),
        "ack_drops": ack_losses(r, packets),
        "delayed_ack": r.random() < 0.3,
        "queue": r.choice([UNLIMITED, 5, 12]),
        "queue_back": queue_back,
        "tcp": {"window_": window, "packetSize_": 1000, **PROFILES[profile], **first, **clock(r)},
        "seed": r.randrange(1, 100000),
        "end": 400,
    }


def arguments(case, log):
    """The command line of flow.tcl."""
    agent, sink = AGENTS[case["variant"]]
    agent += case.get("kind", "")
    pairs = lambda losses: ",".join(f"{number}:{k}" for number, k in losses)
    keys = {
        "variant": agent,
        "sink": sink + ("/DelAck" if case["delayed_ack"] else ""),
        **dict(zip(("rate1", "delay1", "rate2", "delay2"), case["path"])),
        "rateback": case["rate_back"],
        "qlim1": UNLIMITED,
        "qlim2": case["queue"],
        "qlimr": case["queue_back"],
        "npkts": case["packets"],
        "end": case["end"],
        "seed": case["seed"],
        "drops": pairs(case["drops"]),
        "more": pairs(case.get("more", [])),
        "agents": case.get("agents", ""),
        "ackdrops": pairs(case["ack_drops"]),
        **{f"tcp.{key}": value for key, value in case["tcp"].items()},
    }
    return ["ns", FLOW, log] + [str(word) for pair in keys.items() for word in pair]


def number(text):
    try:
        return int(text)
    except ValueError:
        return float(text)


def read_log(path):
    """The output of flow.tcl: events by name, parameters of both ends, phase of the clock."""
    names = ("data_tx", "ack_tx", "ack_rx", "sink_rx", "win", "rtt", "rto", "drop", "ack_drop")
    events = {name: [] for name in names}
    ends = {"VT": {}, "VS": {}}
    boot, expired = None, set()
    for line in open(path):
        kind, *f = line.split()
        if kind in ends:
            ends[kind][f[0]] = number(f[1])
        elif kind == "BOOT":
            boot = float(f[0])
        elif kind == "TX":
            events["data_tx"].append([float(f[0]), int(f[1]), int(f[3])])
        elif kind == "ATX":
            events["ack_tx"].append([float(f[0]), int(f[1]), int(f[2])])
        elif kind == "ARX":
            events["ack_rx"].append([float(f[0]), int(f[1])])
        elif kind == "DRX":
            events["sink_rx"].append([float(f[0]), int(f[1])])
        elif kind == "W":
            events["win"].append([float(f[0]), float(f[1]), int(float(f[2]))])
        elif kind == "RTT":
            events["rtt"].append([float(f[0])] + [int(float(x)) for x in f[1:5]])
        elif kind == "RTO":
            expired.add(float(f[0]))
        elif kind in ("DROP", "ADROP"):
            events["drop" if kind == "DROP" else "ack_drop"].append([float(f[0]), int(f[1]), f[2]])
    events["rto"] = timeouts(events, expired)
    return events, ends["VT"], ends["VS"], boot


def timeouts(events, expired):
    """Those that ns-2 counts, and as Fack does not count its own, each retransmission that no
    ACK caused."""
    acks = {at for at, _ in events["ack_rx"]}
    first = {}
    for at, seq, again in events["data_tx"]:
        if again and (at in expired or at not in acks):
            first.setdefault(at, seq)
    return [[at, seq] for at, seq in first.items()]


def trace(name, case):
    """Runs one case in ns-2."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        command = arguments(case, log)
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)
        events, tcp, sink, boot = read_log(log)
    rate1, delay1, rate2, delay2 = case["path"]
    return {
        "format": "pacesim-ns2-trace-1",
        "name": name,
        "variant": case["variant"],
        "sink": command[command.index("sink") + 1],
        "profile": case["profile"],
        "topology": {
            "rate1": rate1,
            "delay1": delay1,
            "rate2": rate2,
            "delay2": delay2,
            "rate_back": case["rate_back"],
            "qlimit_SR_pkts": UNLIMITED,
            "qlimit_RD_pkts": case["queue"],
            "qlimit_reverse_pkts": case["queue_back"],
        },
        "npkts": case["packets"],
        "end": case["end"],
        "seed": case["seed"],
        "boot_time": boot,
        "drops": case["drops"],
        "ack_drops": case["ack_drops"],
        "events": events,
        "tcp_params": tcp,
        "sink_params": sink,
    }


def record(folder, name, case):
    with open(os.path.join(folder, name + ".json"), "w") as file:
        json.dump(trace(name, case), file)


def main():
    folder, n, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    change = {"uneven": uneven, "thin": thin}.get("".join(sys.argv[4:]))
    r, off = random.Random(seed), random.Random(f"uneven {seed}")
    cases = {f"random-{seed}-{i:04d}": draw(r) for i in range(n)}
    if change:
        for case in cases.values():
            change(off, case)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in [pool.submit(record, folder, *case) for case in cases.items()]:
            done.result()


if __name__ == "__main__":
    main()
