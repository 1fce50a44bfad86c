#!/usr/bin/env python3
"""The way of the data packets of a trace through both ports, in ns-2's arithmetic or exactly.

ns-2's clock is a double: the ends of transmissions and the arrivals are each the rounded sum
of the clock and a rounded span, in the order of link/delay.cc. Events at one value of the
clock come in the order in which they were scheduled. The same queues with exact times tell
whether it is the rounding alone that decides which packets are dropped.

usage: bottleneck.py FOLDER   the traces in which it is
"""
import heapq
import json
import math
import pathlib
import sys
from collections import Counter, deque
from fractions import Fraction

UNITS = {"b": 1, "Mb": 10**6}


def as_double(text):
    """A time of the trace as ns-2 held it."""
    return float(text)


def as_exact(text):
    """The same to the nearest picosecond, from which the double is far less than one away."""
    return Fraction(round(Fraction(text) * 10**12), 10**12)


def rate(text, real):
    digits = text.rstrip("Mb")
    return real(digits) * UNITS[text[len(digits):]]


def delay(text, real):
    """Milliseconds; ns-2 multiplies by the double nearest to a thousandth."""
    milli = 1e-3 if real is float else Fraction(1, 1000)
    return real(text.removesuffix("ms")) * milli


class Port:
    """A drop-tail queue and its link."""

    def __init__(self, schedule, real, rate_text, delay_text, limit, deliver):
        self.schedule, self.deliver, self.limit = schedule, deliver, limit
        self.rate, self.delay = rate(rate_text, real), delay(delay_text, real)
        self.queue, self.departure, self.departed = deque(), None, None

    def arrive(self, now, packet):
        """Says whether the packet was taken."""
        if len(self.queue) + 1 >= self.limit:
            return False
        self.queue.append(packet)
        if self.departure is None:
            self.transmit(now)
        return True

    def transmit(self, now):
        packet = self.queue.popleft()
        span = 8 * packet[1] / self.rate
        self.departure = now + span
        self.schedule(now + (span + self.delay), self.deliver, packet)
        self.schedule(self.departure, self.resume, None)

    def resume(self, now, _):
        self.departed, self.departure = now, None
        if self.queue:
            self.transmit(now)

    def nearest_departure(self, now):
        """How far the nearest end of a transmission is from now; negative if it came before."""
        ends = [end - now for end in (self.departed, self.departure) if end is not None]
        return min(ends, key=abs, default=None)


def verdicts(case, real):
    """What befell each packet that the script let through to the bottleneck, and what arrived.

    Of each: time, number, taken or not, and how far the nearest end of a transmission was.
    """
    time = as_double if real is float else as_exact
    events, scheduled = [], Counter()

    def schedule(at, what, packet):
        scheduled["all"] += 1
        heapq.heappush(events, (at, scheduled["all"], what, packet))

    path, befell, arrived, seen = case["topology"], [], [], Counter()
    losses = {tuple(loss) for loss in case["drops"]}

    def at_router(now, packet):
        seq = packet[0]
        seen[seq] += 1
        if (seq, seen[seq]) not in losses:
            gap = router.nearest_departure(now)
            befell.append((now, seq, router.arrive(now, packet), gap))

    def at_receiver(now, packet):
        arrived.append((now, packet[0]))

    sender = Port(schedule, real, path["rate1"], path["delay1"], path["qlimit_SR_pkts"], at_router)
    router = Port(schedule, real, path["rate2"], path["delay2"], path["qlimit_RD_pkts"], at_receiver)
    for at, seq, _ in case["events"]["data_tx"]:
        schedule(time(at), sender.arrive, (seq, wire_size(case, seq)))
    while events:
        now, _, what, packet = heapq.heappop(events)
        what(now, packet)
    return befell, arrived


def wire_size(case, seq):
    tcp = case["tcp_params"]
    return 40 if tcp["syn_"] and seq == 0 else tcp["packetSize_"] + 40 * tcp["useHeaders_"]


def is_ns2s(case, befell, arrived):
    """Whether the doubles came out as ns-2's own, to the last bit."""
    events = case["events"]
    dropped = [[at, seq] for at, seq, taken, _ in befell if not taken]
    theirs = [[float(at), seq] for at, seq, where in events["drop"] if where == "queueR"]
    reached = [[float(at), seq] for at, seq in events["sink_rx"]]
    return dropped == theirs and [list(a) for a in arrived[: len(reached)]] == reached


def rounding(case, before):
    """The first packet that ns-2's rounding takes or drops otherwise than exact times would, if
    that is before a difference seen at `before`; None if no rounding explains it."""
    befell, arrived = verdicts(case, float)
    if not is_ns2s(case, befell, arrived):
        raise ValueError("this is not ns-2's arithmetic: " + case["name"])
    exactly, _ = verdicts(case, Fraction)
    first = next((pair for pair in zip(befell, exactly) if pair[0][2] != pair[1][2]), None)
    if first is None or first[0][0] > before:
        return None
    (at, seq, taken, gap), (_, _, _, exact_gap) = first
    return (
        f"rounding: packet {seq} reaches the queue at {at:.9f} s, {femtoseconds(exact_gap)} from "
        f"the end of a transmission; in ns-2 {femtoseconds(gap)}, so it is "
        f"{'taken' if taken else 'dropped'} there"
    )


def femtoseconds(gap):
    return f"{float(gap) * 1e15:.2g} fs"


def main():
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.json"))
    for file in files:
        cause = rounding(json.loads(file.read_text(), parse_float=str), math.inf)
        if cause:
            print(f"{file.stem}: {cause}")
    print(f"{len(files)} traces are ns-2's to the last bit")


if __name__ == "__main__":
    main()
