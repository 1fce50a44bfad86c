#!/usr/bin/env python3
"""The packets and ACKs of a trace through all ports and the sink, in ns-2's arithmetic or exactly.

ns-2's clock is a double: the ends of transmissions, the arrivals and the delays of ACKs are
each the rounded sum of the clock and a rounded span, in the order of link/delay.cc. Events at
one value of the clock come in the order in which they were scheduled. The same ports and sink
with exact times tell whether it is the rounding alone that decides which packets are dropped
and which ACKs wait.

usage: bottleneck.py FOLDER   the traces in which it is
"""
import heapq
import json
import math
import pathlib
import sys
from collections import Counter, deque, namedtuple
from fractions import Fraction

UNITS = {"b": 1, "Mb": 10**6}

# An event's finding at a place: its time, the number of the packet or ACK, whether it was taken
# (at a queue) or found a delayed ACK waiting (at the sink), and the distance to the end of a
# transmission or of that delay; negative if that end came before.
Verdict = namedtuple("Verdict", "at number yes gap")


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

    def __init__(self, schedule, real, link, limit, deliver):
        self.schedule, self.deliver, self.limit = schedule, deliver, limit
        self.rate, self.delay = rate(link[0], real), delay(link[1], real)
        self.queue, self.departure, self.departed = deque(), None, None
        self.verdicts = []

    def arrive(self, now, packet):
        taken = len(self.queue) + 1 < self.limit
        self.verdicts.append(Verdict(now, packet[0], taken, self.nearest_departure(now)))
        if not taken:
            return
        self.queue.append(packet)
        if self.departure is None:
            self.transmit(now)

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
        ends = [end - now for end in (self.departed, self.departure) if end is not None]
        return min(ends, key=abs, default=None)

    def dropped(self):
        return [(v.at, v.number) for v in self.verdicts if not v.yes]


class Sink:
    """ns-2's, with delayed ACKs or without; sizes of ACKs are those of the trace."""

    def __init__(self, schedule, interval, sizes, answer):
        self.schedule, self.interval, self.answer = schedule, interval, answer
        self.sizes = iter(sizes)
        self.next, self.seen, self.highest = 0, set(), 0
        self.waiting, self.due = None, None
        self.arrived, self.acks, self.verdicts = [], [], []

    def arrive(self, now, packet):
        seq = packet[0]
        gap = None if self.due is None else self.due - now
        self.arrived.append((now, seq))
        self.verdicts.append(Verdict(now, seq, self.waiting is not None, gap))
        self.seen.add(seq)
        self.highest = max(self.highest, seq)
        while self.next in self.seen:
            self.next += 1
        if self.may_wait(seq):
            self.waiting, self.due = object(), now + self.interval
            self.schedule(self.due, self.expire, self.waiting)
        else:
            self.acknowledge(now)

    def may_wait(self, seq):
        in_order = seq == self.next - 1 == self.highest and seq > 0
        return self.interval is not None and self.waiting is None and in_order

    def expire(self, now, waiting):
        if waiting is self.waiting:
            self.acknowledge(now)

    def acknowledge(self, now):
        self.waiting = None
        ack = self.next - 1
        self.acks.append((now, ack))
        self.answer(now, (ack, next(self.sizes, 40)))


class Run:
    """The packets of a trace's sender, carried to the receiver, and their ACKs, carried back."""

    def __init__(self, case, real):
        self.events, self.scheduled = [], 0
        path = case["topology"]
        there = [(path["rate1"], path["delay1"]), (path["rate2"], path["delay2"])]
        back = [(path["rate_back"], path["delay2"]), there[0]]
        back_limit = path["qlimit_reverse_pkts"]
        port = lambda *of: Port(self.schedule, real, *of)
        interval = case["sink_params"]["interval_"] if case["sink"].endswith("DelAck") else None
        interval = interval and real(interval)
        self.ack_rx = []
        self.home = port(back[1], back_limit, lambda now, ack: self.ack_rx.append((now, ack[0])))
        surviving = self.script(case["ack_drops"], self.home)
        self.back = port(back[0], back_limit, surviving)
        sizes = [size for *_, size in case["events"]["ack_tx"]]
        self.sink = Sink(self.schedule, interval, sizes, self.back.arrive)
        self.router = port(there[1], path["qlimit_RD_pkts"], self.sink.arrive)
        surviving = self.script(case["drops"], self.router)
        sender = port(there[0], path["qlimit_SR_pkts"], surviving)
        time = as_double if real is float else as_exact
        for at, seq, _ in case["events"]["data_tx"]:
            self.schedule(time(at), sender.arrive, (seq, wire_size(case, seq)))
        while self.events:
            now, _, what, packet = heapq.heappop(self.events)
            what(now, packet)

    def schedule(self, at, what, packet):
        self.scheduled += 1
        heapq.heappush(self.events, (at, self.scheduled, what, packet))

    @staticmethod
    def script(losses, port):
        """Forwards packets that the script does not drop to a port."""
        losses, seen = {tuple(loss) for loss in losses}, Counter()

        def hand_on(now, packet):
            seen[packet[0]] += 1
            if (packet[0], seen[packet[0]]) not in losses:
                port.arrive(now, packet)

        return hand_on

    def is_ns2s(self, case):
        """True if the doubles equal ns-2's own, to the last bit."""
        events = case["events"]
        drops = lambda what, place: [(float(at), n) for at, n, where in events[what] if where == place]
        pairs = [
            (self.router.dropped(), drops("drop", "queueR")),
            (self.sink.arrived, events["sink_rx"]),
            (self.sink.acks, events["ack_tx"]),
            (self.back.dropped(), drops("ack_drop", "queueD")),
            (self.ack_rx, events["ack_rx"]),
        ]
        # The trace lacks arrivals after the run's end.
        in_time = lambda ours: [(at, n) for at, n in ours if at < case["end"]]
        return all(in_time(ours) == [(float(at), n) for at, n, *_ in theirs] for ours, theirs in pairs)


def wire_size(case, seq):
    tcp = case["tcp_params"]
    return 40 if tcp["syn_"] and seq == 0 else tcp["packetSize_"] + 40 * tcp["useHeaders_"]


def rounding(case, before):
    """The first packet or ACK that ns-2's rounding treats differently from exact times,
    if that is before a difference seen at `before`; None if no rounding explains it."""
    theirs, exact = Run(case, float), Run(case, Fraction)
    if not theirs.is_ns2s(case):
        raise ValueError("this is not ns-2's arithmetic: " + case["name"])
    places = [
        (theirs.router, exact.router, queue("packet")),
        (theirs.sink, exact.sink, delayed_ack),
        (theirs.back, exact.back, queue("ACK")),
    ]
    parted = []
    for ours, other, say in places:
        pairs = zip(ours.verdicts, other.verdicts)
        first = next((pair for pair in pairs if pair[0].yes != pair[1].yes), None)
        if first and first[0].at <= before:
            parted.append((first[0].at, say(*first)))
    return min(parted)[1] if parted else None


def queue(what):
    """The description of a tie at a queue."""

    def say(verdict, exact):
        return (
            f"rounding: {what} {verdict.number} reaches the queue at {verdict.at:.9f} s, "
            f"{femtoseconds(exact.gap)} from the end of a transmission; in ns-2 "
            f"{femtoseconds(verdict.gap)}, so it is {'taken' if verdict.yes else 'dropped'} there"
        )

    return say


def delayed_ack(verdict, exact):
    return (
        f"rounding: packet {verdict.number} reaches the sink at {verdict.at:.9f} s, "
        f"{femtoseconds(exact.gap)} from the end of an ACK's delay; in ns-2 "
        f"{femtoseconds(verdict.gap)}, so {'the packet' if verdict.yes else 'the ACK'} is first there"
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
