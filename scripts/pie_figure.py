#!/usr/bin/env python3
"""Draws docs/pie.svg: the delay behind PIE and its probability, by RFC 8033 and as Linux computes them.

    scripts/pie_figure.py > docs/pie.svg

Packets of 1500 B at 12 Mbps come before a line of 10 Mbps, as in the recording pie_12. Shares no code with crates/queues: both
rules are written here a second time. Prints means over twelve runs to standard error.
"""

import random
import sys

from panel import BLUE, ORANGE, Panel, drawing

SIZE, GAP_NS, LINE_NS, END_NS = 1500, 1_000_037, 1_200_000, 8_000_000_000
ONE = 2**56 - 1


class Rfc:
    """RFC 8033, sections 4 and 5, in seconds."""

    first_ns, period_ns = 15_000_000, 15_000_000

    def __init__(self):
        self.p = self.sum = self.delay = self.old = 0.0
        self.burst = 0.15

    def probability(self):
        return self.p

    def drops(self, backlog, draw):
        if self.burst > 0 or (self.old < 0.0075 and self.p < 0.2) or backlog <= 2 * SIZE:
            return False
        self.sum = self.sum + self.p if self.p > 0 else 0.0
        hit = self.sum >= 8.5 or (self.sum >= 0.85 and draw() < self.p)
        if hit:
            self.sum = 0.0
        return hit

    def leave(self, waited_ns, now_ns, behind):
        self.delay = waited_ns / 1e9

    def update(self):
        if self.burst > 0:
            self.p = 0.0
        else:
            change = 0.125 * (self.delay - 0.015) + 1.25 * (self.delay - self.old)
            for below, part in [(1e-6, 2048), (1e-5, 512), (1e-4, 128), (1e-3, 32), (1e-2, 8), (1e-1, 2)]:
                if self.p < below:
                    change /= part
                    break
            else:
                change = min(change, 0.02)
            self.p += change
        if self.delay == self.old == 0:
            self.p *= 0.98
        self.p = min(max(self.p, 0.0), 1.0)
        is_calm = self.p == 0 and max(self.delay, self.old) < 0.0075
        self.burst = 0.15 if is_calm else max(self.burst - 0.015, 0.0)
        self.old = self.delay


class Linux:
    """sch_pie.c of Linux 6.12 at 250 ticks a second, in units of 64 ns."""

    first_ns, period_ns = 510_000_000, 20_000_000
    target, per_second = 15_000_000 >> 6, 15_625_000

    def __init__(self):
        self.p = self.sum = self.delay = self.old = 0
        self.burst, self.sent = 150_000_000 >> 6, None

    def probability(self):
        return self.p / 2**56

    def drops(self, backlog, draw):
        is_low = self.delay < self.target // 2 and self.p < ONE // 5
        if self.burst > 0 or is_low or backlog < 2 * SIZE:
            return False
        self.sum = self.sum + self.p if self.p else 0
        if self.sum < ONE // 100 * 85:
            return False
        hit = self.sum >= ONE // 2 * 17 or draw() < self.p / 2**56
        if hit:
            self.sum = 0
        return hit

    def leave(self, waited_ns, now_ns, behind):
        now = now_ns >> 6
        self.delay = now - ((now_ns - waited_ns) >> 6) if behind else 0
        if self.sent is not None:
            self.burst = max(self.burst - (now - self.sent), 0)
        self.sent = now

    def update(self):
        alpha, beta = 2 * (ONE // self.per_second) >> 4, 20 * (ONE // self.per_second) >> 4
        if self.p < ONE // 10:
            alpha, beta, power = alpha >> 1, beta >> 1, 100
            while power <= 1_000_000 and self.p < ONE // power:
                alpha, beta, power = alpha >> 2, beta >> 2, power * 10
        change = alpha * (self.delay - self.target) + beta * (self.delay - self.old)
        if self.p >= ONE // 10:
            change = min(change, ONE // 100 * 2)
        if self.delay > 250_000_000 >> 6:
            change += ONE // 50
        self.p = max(self.p + change, 0)
        if self.delay == self.old == 0:
            self.p -= self.p // 64
        if self.p == 0 and max(self.delay, self.old) < self.target // 2:
            self.burst, self.sent, self.sum = 150_000_000 >> 6, None, 0
        self.old = self.delay


def run(pie, seed):
    """Times of drops, delays of packets at their departures, and the probability at each update."""
    draw = random.Random(seed).random
    queue, free, update = [], None, pie.first_ns
    drops, delays, probabilities = [], [], [(0, 0.0)]
    for now in range(311, END_NS, GAP_NS):
        while True:
            if update <= min(now, free or now):
                pie.update()
                probabilities.append((update / 1e9, pie.probability()))
                update += pie.period_ns
            elif free is not None and free <= now:
                at, free = free, None
                if queue:
                    came = queue.pop(0)
                    pie.leave(at - came, at, len(queue))
                    delays.append((at / 1e9, (at - came) / 1e6))
                    free = at + LINE_NS
            else:
                break
        if pie.drops(len(queue) * SIZE, draw):
            drops.append(now / 1e9)
        elif free is None and not queue:
            pie.leave(0, now, 0)
            delays.append((now / 1e9, 0.0))
            free = now + LINE_NS
        else:
            queue.append(now)
    return drops, delays, probabilities


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def tell(name, runs):
    drops = mean(len(drops) for drops, _, _ in runs)
    first = mean(drops[0] for drops, _, _ in runs)
    second = mean(sum(1 <= at < 2 for at in drops) for drops, _, _ in runs)
    delay = mean(mean(ms for _, ms in delays) for _, delays, _ in runs)
    late = mean(mean(ms for at, ms in delays if at >= 4) for _, delays, _ in runs)
    peak = mean(max(ms for _, ms in delays) for _, delays, _ in runs)
    print(f"{name}: {drops:.0f} drops, the first after {first:.3f} s, {second:.0f} in the second second; "
          f"mean delay {delay:.1f} ms, from 4 s on {late:.1f} ms, at most {peak:.0f} ms", file=sys.stderr)


def main():
    left = Panel(60, 340, 8, 200, "Delay of packets in ms", "s")
    right = Panel(470, 340, 8, 1, "Probability", "s")
    left.grid(range(0, 9, 2), range(0, 201, 50))
    right.grid(range(0, 9, 2), [0, 0.2, 0.4, 0.6, 0.8, 1])
    for kind, name, colour in [(Rfc, "RFC 8033", BLUE), (Linux, "Linux", ORANGE)]:
        runs = [run(kind(), seed) for seed in range(12)]
        tell(name, runs)
        _, delays, probabilities = runs[0]
        left.line(delays[::8], colour)
        right.line(probabilities, colour)
    left.label(1.9, 120, "Linux", ORANGE)
    left.label(1.9, 60, "RFC 8033", BLUE)
    right.label(3.2, 0.62, "Linux", ORANGE)
    right.label(2.5, 0.32, "RFC 8033", BLUE)
    print(drawing([left, right]))


if __name__ == "__main__":
    main()
