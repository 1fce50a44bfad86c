"""Two panels side by side as SVG, for the figures that scripts draw."""

BLUE, ORANGE, GREY = "#3366aa", "#cc6622", "#888888"
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="840" height="370" viewBox="0 0 840 370" \
font-family="Arimo, Arial, Helvetica, Liberation Sans, sans-serif">
<rect width="840" height="370" fill="#ffffff"/>"""


def drawing(panels):
    return "\n".join([HEAD, *(line for panel in panels for line in panel.out), "</svg>"])


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

    def line(self, points, colour):
        path = "L".join("%.1f %.1f" % self.at(x, y) for x, y in points)
        self.out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')

    def dots(self, points, colour):
        for x, y in points:
            cx, cy = self.at(x, y)
            self.out.append(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="3.2" fill="{colour}"/>')

    def label(self, x, y, words, colour):
        self.out.append(text(*self.at(x, y), words, 13, "start", colour))


def text(x, y, words, size, anchor="start", colour="#222222"):
    words = words.replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{words}</text>'
