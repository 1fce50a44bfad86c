#!/usr/bin/env python3
"""Draws docs/codel.svg: CoDel's drop times by RFC 8289 and as Linux computes them.

    scripts/codel_figure.py > docs/codel.svg

Shares no code with crates/queues: the law is written here a second time. Prints the numbers to standard error.
"""

import math
import sys

INTERVAL_MS = 100.0
BLUE, ORANGE, GREY = "#3366aa", "#cc6622", "#888888"


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


class Panel:
    """A pair of axes at this place, in pixels."""

    def __init__(self, left, width, x_end, y_end, title, x_label):
        self.left, self.top, self.width, self.height = left, 50, width, 260
        self.x_end, self.y_end = x_end, y_end
        self.out = [text(left, 30, title, 15)]
        self.out.append(text(left + width / 2, 350, x_label, 13, "middle"))

    def at(self, x, y):
        across, up = self.width * x / self.x_end, self.height * y / self.y_end
        return self.left + across, self.top + self.height - up

    def grid(self, xs, ys):
        for y in ys:
            (x0, y0), (x1, _) = self.at(0, y), self.at(self.x_end, y)
            self.out.append(f'<path d="M{x0:.1f} {y0:.1f}H{x1:.1f}" stroke="#dddddd"/>')
            self.out.append(text(x0 - 6, y0 + 4, f"{y:g}", 12, "end"))
        for x in xs:
            x0, y0 = self.at(x, 0)
            self.out.append(text(x0, y0 + 18, f"{x:g}", 12, "middle"))

    def steps(self, at, colour):
        path = "M%.1f %.1f" % self.at(0, 0)
        for number, time in enumerate(at, 1):
            if time > self.x_end:
                break
            x, y = self.at(time, number)
            path += f"H{x:.1f}V{y:.1f}"
        path += "H%.1f" % self.at(self.x_end, 0)[0]
        self.out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>')

    def dots(self, points, colour):
        for x, y in points:
            cx, cy = self.at(x, y)
            self.out.append(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="3.2" fill="{colour}"/>')

    def label(self, x, y, words, colour):
        self.out.append(text(*self.at(x, y), words, 13, "start", colour))


def text(x, y, words, size, anchor="start", colour="#222222"):
    words = words.replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


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
    # The count falls from 100 to 2 when the dropping state is entered again; the root does not.
    again = list(gaps_of_linux(2, 20, round(65536 * exact(100))))
    returned = [(count, gap / exact(count)) for count, gap in enumerate(again, 2)]
    right.dots(ratios, ORANGE)
    right.dots(returned, GREY)
    right.label(9, 1.06, "first drops", ORANGE)
    right.label(4.5, 0.5, "after a return from count 100 to 2", GREY)

    print("gaps of Linux in intervals:", [round(gap, 3) for gap in linux[:5]], file=sys.stderr)
    print("after a return, over the RFC's:", [round(ratio, 2) for _, ratio in returned[:4]], file=sys.stderr)
    print("ms of the third drop:", round(times(linux)[2], 1), round(times(rfc)[2], 1), file=sys.stderr)
    print('<svg xmlns="http://www.w3.org/2000/svg" width="840" height="370" viewBox="0 0 840 370" '
          'font-family="Arimo, Arial, Helvetica, Liberation Sans, sans-serif">')
    print('<rect width="840" height="370" fill="#ffffff"/>')
    print("\n".join(left.out + right.out))
    print("</svg>")


main()
