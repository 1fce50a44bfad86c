#!/usr/bin/env python3
"""Draws docs/red.svg: RED's drops at a mean queue, and its mean queue in idle time, by ns-2 and as Linux computes them.

    scripts/red_figure.py > docs/red.svg

Thresholds of 5 and 15 packets of 500 B, max_p 0.1, a weight of 1/512, a line of 10 Mbps. Shares no code with crates/queues: both
rules are written here a second time. Prints the numbers to standard error.
"""

import math
import random
import sys

from panel import BLUE, ORANGE, Panel, drawing

MIN, MAX, MOST_P = 5, 15, 0.1
SIZE, RATE, WEIGHT_LOG = 500, 10_000_000, 9
PACKETS = 100_000


class Ns2:
    """red.cc of 2.35, gentle, with wait."""

    def __init__(self):
        self.count, self.is_above = 0, False

    def drops(self, mean, draw):
        if mean < MIN:
            self.is_above = False
            return False
        if mean >= 2 * MAX:
            return True
        if not self.is_above:
            self.count, self.is_above = 1, True
            return False
        p = MOST_P * (mean - MIN) / (MAX - MIN)
        if mean >= MAX:
            p = MOST_P + (1 - MOST_P) * (mean - MAX) / MAX
        self.count += 1
        sum_ = self.count * p
        hit = sum_ >= 1 and (sum_ >= 2 or draw() < p / (2 - sum_))
        if hit:
            self.count = 0
        return hit


class Linux:
    """red.h of Linux 6.12: a threshold is drawn for the mean above min_th times the packets since."""

    def __init__(self):
        self.count = self.threshold = None

    def drops(self, mean, draw):
        mean_bytes = mean * SIZE
        if mean_bytes < MIN * SIZE:
            self.count = None
            return False
        if mean_bytes >= MAX * SIZE:
            self.count = None
            return True
        if self.count is None:
            self.start(draw)
            return False
        self.count += 1
        hit = (mean_bytes - MIN * SIZE) * self.count > self.threshold
        if hit:
            self.start(draw)
        return hit

    def start(self, draw):
        self.count, self.threshold = 0, int(draw() * (MAX - MIN) * SIZE / MOST_P)


def share(red, mean, seed=1):
    """The share of packets that are dropped while the mean queue stays the same."""
    draw = random.Random(seed).random
    return sum(red.drops(mean, draw) for _ in range(PACKETS)) / PACKETS


def idle_of_ns2(ms):
    """The part of the mean that is left: it falls as if packets had found nothing waiting."""
    missed = int(ms / 1e3 * RATE / 8 / SIZE)
    return (1 - 2**-WEIGHT_LOG) ** (missed + 1)


def table():
    """tc's table for idle times: halvings for each cell, and the logarithm of a cell in what the kernel takes for us."""
    packet_ticks = SIZE * 8e6 / RATE * 15.625
    fall = -math.log(1 - 2**-WEIGHT_LOG) / packet_ticks
    cell_log = next(log for log in range(32) if 31 / fall < 512 * 2**log)
    return cell_log, [min(int((cell << cell_log) * fall), 31) for cell in range(255)] + [31]


def idle_of_linux(ms, mean):
    cell_log, halvings = table()
    us = min(int(ms * 1e3), 255 << cell_log)
    shift = halvings[us >> cell_log & 255]
    if shift:
        return (mean >> shift) / mean
    fallen = (mean * us) >> cell_log
    return (mean - fallen if fallen < mean >> 1 else mean >> 1) / mean


def main():
    left = Panel(60, 340, 35, 1, "Share of packets dropped", "mean queue in packets")
    left.grid(range(0, 36, 5), [0, 0.2, 0.4, 0.6, 0.8, 1])
    means = [quarter / 4 for quarter in range(4 * 35 + 1)]
    left.line([(mean, share(Ns2(), mean)) for mean in means], BLUE)
    left.line([(mean, share(Linux(), mean)) for mean in means], ORANGE)
    left.label(24, 0.42, "ns-2, gentle", BLUE)
    left.label(8.5, 0.72, "Linux", ORANGE)

    right = Panel(470, 340, 10, 1, "Part of the mean queue left", "s of idle line")
    right.grid(range(0, 11, 2), [0, 0.2, 0.4, 0.6, 0.8, 1])
    times = [10 * n for n in range(1001)]
    mean = 10 * SIZE << WEIGHT_LOG
    right.line([(ms / 1e3, idle_of_ns2(ms)) for ms in times], BLUE)
    right.line([(ms / 1e3, idle_of_linux(ms, mean)) for ms in times], ORANGE)
    right.label(0.7, 0.13, "ns-2", BLUE)
    right.label(3, 0.55, "Linux", ORANGE)

    for at in [6, 10, 14, 20]:
        print(f"mean of {at}: ns-2 drops {share(Ns2(), at):.4f}, Linux {share(Linux(), at):.4f}", file=sys.stderr)
    for name, left_of in [("ns-2", idle_of_ns2), ("Linux", lambda ms: idle_of_linux(ms, mean))]:
        halvings = [next(ms for ms in range(20_000) if left_of(ms) <= part) for part in (0.5, 0.25, 0.125)]
        print(f"{name}: a half, a quarter, an eighth of the mean is left after {halvings} ms", file=sys.stderr)
    print(drawing([left, right]))


if __name__ == "__main__":
    main()
