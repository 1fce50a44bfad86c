#!/usr/bin/env python3
"""Draws docs/codel.svg: CoDel's drop times by RFC 8289 and as Linux computes them.

    scripts/codel_figure.py > docs/codel.svg

Shares no code with crates/queues: the law is written here a second time. Prints the numbers to standard error.
"""

import math
import sys

from panel import BLUE, GREY, ORANGE, Panel, drawing

INTERVAL_MS = 100.0


def newton(root, count):
    """One Newton step towards 1/sqrt(count), in 16 bits of fraction."""
    wide = root << 16
    square = (wide * wide) >> 32
    return (((3 << 32) - count * square) >> 2) * wide >> 31 >> 16


def gaps_of_linux(first, last, root):
    """Gaps after the drops of these counts in intervals, from the root before the first of them."""
    for count in range(first, last + 1):
        root = newton(root, count) if count > 1 else root
        yield root / 65536


def exact(count):
    return 1 / math.sqrt(count)


def times(gaps):
    """Times of drops in ms after the first."""
    at = [0.0]
    for gap in gaps:
        at.append(at[-1] + gap * INTERVAL_MS)
    return at


def main():
    linux = list(gaps_of_linux(1, 40, 0xFFFF))
    rfc = [exact(count) for count in range(1, 41)]
    left = Panel(60, 340, 600, 16, "Drops from the first one on", "ms after the first drop (interval 100 ms)")
    left.grid(range(0, 601, 100), range(0, 17, 4))
    left.steps(times(rfc), BLUE)
    left.steps(times(linux), ORANGE)
    left.label(430, 5.5, "RFC 8289", BLUE)
    left.label(250, 8, "Linux", ORANGE)

    right = Panel(470, 340, 20, 1.2, "Linux's gap over the RFC's", "count")
    right.grid(range(0, 21, 4), [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2])
    ratios = [(count, gap / exact(count)) for count, gap in enumerate(linux[:20], 1)]
    # The count falls from 100 to 2 when the dropping state is re-entered; the root does not.
    again = list(gaps_of_linux(2, 20, round(65536 * exact(100))))
    returned = [(count, gap / exact(count)) for count, gap in enumerate(again, 2)]
    right.dots(ratios, ORANGE)
    right.dots(returned, GREY)
    right.label(9, 1.06, "first drops", ORANGE)
    right.label(4.5, 0.5, "after a return from count 100 to 2", GREY)

    print("gaps of Linux in intervals:", [round(gap, 3) for gap in linux[:5]], file=sys.stderr)
    print("after a return, over the RFC's:", [round(ratio, 2) for _, ratio in returned[:4]], file=sys.stderr)
    print("ms of the third drop:", round(times(linux)[2], 1), round(times(rfc)[2], 1), file=sys.stderr)
    print(drawing([left, right]))


if __name__ == "__main__":
    main()
