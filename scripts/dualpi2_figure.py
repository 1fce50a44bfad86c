#!/usr/bin/env python3
"""Draws docs/dualpi2.svg: marks of DualPI2 by waiting time, and the packets between its marks, by RFC 9332 and as Linux draws.

    scripts/dualpi2_figure.py > docs/dualpi2.svg

Shares no code with crates/queues: both rules are written here a second time. Prints the numbers to standard error.
"""

import random
import sys

from panel import BLUE, GREY, ORANGE, Panel, drawing

COUPLED = 0.1
GAPS = 20_000


def ramp(ms, behind):
    """RFC 9332, figure 4: from 0.8 to 1.2 ms, where another L4S packet waits."""
    return min(max((ms - 0.8) / 0.4, 0.0), 1.0) if behind else 0.0


def step(ms):
    """Linux: beyond 1 ms."""
    return 1.0 if ms > 1 else 0.0


def gaps_of_rfc():
    """RFC 9332, figure 5: packets between two marks, as likelihoods sum up to more than one."""
    sum_, packets = 0.0, 0
    for _ in range(GAPS):
        while True:
            packets += 1
            sum_ += COUPLED
            if sum_ > 1:
                break
        sum_ -= 1
        yield packets
        packets = 0


def gaps_of_linux(seed=1):
    """Packets between two marks, each of which is drawn for."""
    draw = random.Random(seed).random
    for _ in range(GAPS):
        packets = 1
        while draw() >= COUPLED:
            packets += 1
        yield packets


def distribution(gaps, most):
    """The share of gaps of at most so many packets, as steps."""
    gaps = list(gaps)
    points, share = [(0, 0.0)], 0.0
    for packets in range(1, most + 1):
        points.append((packets, share))
        share = sum(gap <= packets for gap in gaps) / len(gaps)
        points.append((packets, share))
    return points


def tell(name, gaps):
    gaps = sorted(gaps)
    mean = sum(gaps) / len(gaps)
    ninth = gaps[len(gaps) * 9 // 10]
    print(f"{name}: mean gap {mean:.1f} packets, least {gaps[0]}, median {gaps[len(gaps) // 2]}, p90 {ninth}", file=sys.stderr)


def main():
    left = Panel(60, 340, 2, 1, "Probability of a mark by the L4S queue alone", "ms of waiting")
    left.grid([0, 0.4, 0.8, 1.2, 1.6, 2], [0, 0.2, 0.4, 0.6, 0.8, 1])
    times = [n / 200 for n in range(401)]
    left.line([(ms, ramp(ms, 1)) for ms in times], BLUE)
    left.line([(ms, ramp(ms, 0)) for ms in times if ms > 0.8], GREY)
    left.line([(ms, step(ms)) for ms in times], ORANGE)
    left.label(1.14, 0.7, "RFC 9332", BLUE)
    left.label(1.02, 0.05, "RFC 9332, no other waits", GREY)
    left.label(0.72, 0.7, "Linux", ORANGE)

    right = Panel(470, 340, 40, 1, "Share of marks within so many packets", "packets since the last mark, at a probability of 0.1")
    right.grid(range(0, 41, 10), [0, 0.2, 0.4, 0.6, 0.8, 1])
    right.line(distribution(gaps_of_rfc(), 40), BLUE)
    right.line(distribution(gaps_of_linux(), 40), ORANGE)
    right.label(11.5, 0.5, "RFC 9332", BLUE)
    right.label(19, 0.8, "Linux", ORANGE)

    tell("RFC 9332", gaps_of_rfc())
    tell("Linux", gaps_of_linux())
    print(drawing([left, right]))


if __name__ == "__main__":
    main()
