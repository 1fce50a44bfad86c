#!/usr/bin/env python3
"""Run single flows with host pacing in ns-2 and write one trace of each, as JSON.

usage: paced_cases.py FOLDER AGENTS [N SEED]

AGENTS is a Tcl file that gives ns-2 the classes Agent/TCP/{Reno,Newreno,Sack1,Fack}/Paced, senders with Wei's pacing patch
(rate 1, halving of the packets in flight, no random pace): unmodified ns-2.35 has none. Without N, the cases of
crates/tcp/tests/ns2/paced-*.json; with it, N random ones.
"""
import json
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import random_cases
from random_cases import PROFILES, UNLIMITED

VARIANTS = ["reno", "newreno", "sack", "fack"]
PATH = ("100Mb", "1ms", "10Mb", "49ms")


def case(variant, packets, drops=(), **other):
    """A flow over one path."""
    return {
        "variant": variant,
        "profile": "default",
        "path": PATH,
        "rate_back": PATH[2],
        "packets": packets,
        "drops": list(drops),
        "ack_drops": [],
        "delayed_ack": False,
        "queue": UNLIMITED,
        "queue_back": UNLIMITED,
        "tcp": {"window_": 64, "packetSize_": 1000},
        "seed": 77,
        "end": 60,
        **other,
    }


def chosen():
    """The cases of the tests."""
    small = {"tcp": {"window_": 20, "packetSize_": 1000}}
    slow = {"path": ("10Mb", "1ms", "1Mb", "49ms"), "rate_back": "1Mb"}
    for variant in VARIANTS:
        yield f"start-{variant}", case(variant, 120, **small)
        yield f"one-loss-{variant}", case(variant, 200, [(40, 1)])
        yield f"burst-{variant}", case(variant, 250, [(n, 1) for n in (50, 51, 53, 58)])
        # Most of a window: limited transmit, then a time-out and paced go-back-N.
        yield f"timeout-{variant}", case(variant, 120, [(n, 1) for n in range(60, 84)])
        yield f"again-{variant}", case(variant, 150, [(30, 1), (30, 2), (90, 1)])
        yield f"limited-{variant}", case(variant, 60, [(6, 1), (20, 1), (21, 1)], ack_drops=[(9, 1)])
        # A queue that five packets fill: windows rise and fall.
        yield f"queue-{variant}", case(variant, 250, queue=5, **slow)
        yield f"idle-{variant}", case(variant, 30, [(55, 1)], more=[(3.0, 40), (3.15, 10)])


def drawn(n, seed):
    """Random cases off round rates and delays."""
    r = random.Random(seed)
    for i in range(n):
        one = random_cases.draw(r)
        if one["variant"] == "tahoe":
            one["variant"] = r.choice(VARIANTS)
        random_cases.uneven(r, one)
        yield f"random-{seed}-{i:04d}", one


def record(folder, agents, name, one):
    one = {**one, "agents": os.path.abspath(agents), "kind": "/Paced"}
    one["tcp"] = {**one["tcp"], **PROFILES[one["profile"]], **one["tcp"]}
    trace = random_cases.trace(f"paced-{name}", one)
    trace["paced"] = True
    trace["more_data"] = one.get("more", [])
    trace["events"]["rto"] = []  # Go-back-N is paced, so that a retransmission does not show one.
    with open(os.path.join(folder, f"paced-{name}.json"), "w") as file:
        json.dump(trace, file)


def main():
    folder, agents = sys.argv[1:3]
    cases = list(drawn(int(sys.argv[3]), int(sys.argv[4])) if len(sys.argv) > 3 else chosen())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in [pool.submit(record, folder, agents, *one) for one in cases]:
            done.result()


if __name__ == "__main__":
    main()
