"""The figure of compare.py: speed against flows, as SVG, using only the standard library."""

import math

WIDTH, HEIGHT = 640, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 90, 40, 60
# Colours safe for colour-blind readers, and marks for print without colours.
STYLES = {
    "pacesim": ("#0072b2", "circle"),
    "htsim": ("#d55e00", "square"),
    "ns-2": ("#009e73", "diamond"),
    "ns-2, all headers": ("#56b4e9", "diamond"),
    "ns-3": ("#cc79a7", "triangle"),
}


def scale(values, low, high):
    """A logarithmic axis, mapped to `low` to `high` in the picture."""
    first, last = math.log10(min(values)), math.log10(max(values))
    return lambda value: low + (math.log10(value) - first) / (last - first) * (high - low)


def ticks(low, high):
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [10.0**decade for decade in decades if low <= 10.0**decade * 1.0001 and 10.0**decade <= high * 1.0001]


def mark(shape, x, y, colour):
    points = {
        "square": [(-4, -4), (4, -4), (4, 4), (-4, 4)],
        "diamond": [(0, -5), (5, 0), (0, 5), (-5, 0)],
        "triangle": [(0, -5), (5, 4), (-5, 4)],
    }.get(shape)
    if points is None:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>'
    corners = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points)
    return f'<polygon points="{corners}" fill="{colour}"/>'


def text(x, y, words, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{words}</text>'


def axes(x, y, flows, low, high):
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = []
    for tick in ticks(min(flows), max(flows)):
        parts.append(f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP}" y2="{bottom}" stroke="#ddd"/>')
        parts.append(text(x(tick), bottom + 18, f"{tick:,.0f}".replace(",", "&#8201;")))
    for tick in ticks(low, high):
        parts.append(f'<line x1="{LEFT}" x2="{right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#ddd"/>')
        parts.append(text(LEFT - 8, y(tick) + 4, f"{tick:g}", "end"))
    parts.append(f'<path d="M{LEFT},{TOP} V{bottom} H{right}" fill="none" stroke="#333"/>')
    middle = (TOP + bottom) / 2
    parts.append(text((LEFT + right) / 2, HEIGHT - 18, "TCP flows"))
    turned = f'transform="rotate(-90 20 {middle:.0f})"'
    parts.append(text(20, middle, "million packet-hops a CPU second", extra=turned))
    return parts


def draw(results):
    """The figure of `results` in the format of compare.py: by flows, then by simulator."""
    lines = {}
    for flows, each in results.items():
        for name, of in each.items():
            lines.setdefault(name, []).append((flows, of["run"]))
    rates = [rate for line in lines.values() for _, rate in line]
    low, high = 10 ** math.floor(math.log10(min(rates))), 10 ** math.ceil(math.log10(max(rates)))
    x = scale(results, LEFT + 20, WIDTH - RIGHT - 20)
    y = scale([low, high], HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text((LEFT + WIDTH - RIGHT) / 2, 24, "Speed of the run, one core"),
        *axes(x, y, results, low, high),
    ]
    names = []
    for name, line in lines.items():
        colour, shape = STYLES[name]
        points = " ".join(f"{x(flows):.1f},{y(rate):.1f}" for flows, rate in line)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.extend(mark(shape, x(flows), y(rate), colour) for flows, rate in line)
        # The name follows the last point, moved below another that is too close.
        flows, rate = line[-1]
        beside = x(flows) + 10
        lowest = max((below + 15 for at, below in names if at == beside), default=0)
        names.append((beside, max(y(rate) + 4, lowest)))
        parts.append(text(*names[-1], name, "start", f'fill="{colour}"'))
    return "\n".join([*parts, "</svg>", ""])
