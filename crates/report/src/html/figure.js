// Figures of studies: panels that can be zoomed, and read point by point with their intervals.

const FIGURE_PAINTS = ["blue", "orange", "green", "purple", "red", "sky"];

// Shapes and dashes in the order in which the files of figures give them to series.
const OUTLINES = {
  square: [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
  up: [[0, -1.2], [1.1, 0.8], [-1.1, 0.8]],
  down: [[0, 1.2], [1.1, -0.8], [-1.1, -0.8]],
  diamond: [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]],
};
const SHAPES = [["circle", true, "\u25cf"], ["square", false, "\u25a1"], ["up", true, "\u25b2"], ["diamond", false, "\u25c7"],
  ["down", true, "\u25bc"], ["circle", false, "\u25cb"], ["square", true, "\u25a0"], ["up", false, "\u25b3"], ["diamond", true, "\u25c6"], ["down", false, "\u25bd"]];
const DASHES = [[], [5, 2.5], [1.2, 1.8], [8, 2, 1.2, 2], [11, 3], [5, 1.5, 1.2, 1.5, 1.2, 1.5]];

/** The series, each with its shape and its dash. */
function looked(all) {
  let lines = 0, shapes = 0;
  return all.map((series) => {
    const shape = SHAPES[(series.dash ?? shapes) % SHAPES.length], dashes = DASHES[(series.dash ?? lines) % DASHES.length];
    lines += series.mark === "line" || series.mark === "joined";
    shapes += series.mark === "points" || series.mark === "joined";
    return { ...series, shape, dashes };
  });
}

/** A figure with a chart for each panel, and its points as a table. */
function figure(target, { name, title, panels }) {
  const box = made(target, "figure");
  box.id = `figure-${name}`;
  made(box, "figcaption", title);
  const legends = panels.map(({ series }) => series.map(entry).join("\n"));
  // A legend that all panels have stands once, below the last.
  const is_one = legends.every((legend) => legend === legends[0]);
  panels.forEach((panel, place) => new Panel(box, panel, !is_one || place === panels.length - 1));
  const details = made(box, "details");
  made(details, "summary", "Points as a table");
  details.ontoggle = () => { if (details.open && details.children.length === 1) pointTable(details, panels); };
}

/** The text of a series in a legend. */
function entry({ label, level, samples }) {
  return level ? `${label} (${Math.round(level * 100)} % intervals, ${samples[0] === samples[1] ? samples[0] : samples.join(" to ")} values)` : label;
}

function pointTable(details, panels) {
  const list = made(made(details, "div", null, "scroll"), "table");
  const head = list.insertRow();
  ["series", "x", "y", "from", "to"].forEach((text) => cell(head, "th", text));
  for (const { title, x, series } of panels) {
    for (const { label, points } of series) {
      for (const [at, y, low, high] of points) {
        const line = list.insertRow();
        [title ? `${title}: ${label}` : label, x.names[Math.round(at)] || digits(at), digits(y), digits(low), digits(high)].forEach((text) => cell(line, "td", text));
      }
    }
  }
}

/** One panel on a canvas. Positions along an axis are numbers, or their logarithms. */
class Panel {
  constructor(parent, panel, has_legend) {
    this.panel = { ...panel, series: looked(panel.series) };
    this.scale = { x: scaleOf(panel.x), y: scaleOf(panel.y) };
    this.chosen = null;
    if (panel.title) made(parent, "h3", panel.title);
    this.canvas = made(parent, "canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `${panel.y.label} against ${panel.x.label}; arrows go from point to point`);
    this.points = this.all();
    const hint = this.points.length ? "Drag to zoom, double-click or 0 for all, arrows from point to point." : "No values: no run of these points has any.";
    this.readout = made(parent, "p", hint, "hint");
    this.readout.setAttribute("aria-live", "polite");
    if (has_legend) this.keys(parent);
    this.view = this.whole();
    this.gestures();
    this.draw();
    onLook(() => this.draw());
  }

  keys(parent) {
    const list = made(parent, "p", null, "legend");
    for (const series of this.panel.series) {
      const glyph = series.shape[2];
      const sign = { line: series.dashes.length ? "\u254c" : "\u2014", points: glyph, measured: "\u2715", joined: `${glyph}\u2014`, boxes: "\u25ad" }[series.mark];
      const item = made(list, "span", `${sign} ${entry(series)}`);
      item.style.color = `var(--${FIGURE_PAINTS[series.colour % FIGURE_PAINTS.length]})`;
    }
  }

  /** All points that the scales can show, from left to right within each series. */
  all() {
    const { x, y } = this.scale;
    return this.panel.series.flatMap((series) => series.points
      .map(([at, value, low, high, lower, upper]) => ({ series, at, value, low, high, x: x.to(at), y: y.to(value),
        ends: low === null ? null : [y.to(low), y.to(high)], sides: lower === undefined ? null : [y.to(lower), y.to(upper)] }))
      .filter((point) => Number.isFinite(point.x) && Number.isFinite(point.y)));
  }

  whole() {
    const range = (values, names) => {
      if (names.length) return [-0.5, names.length - 0.5];
      const found = values.filter(Number.isFinite);
      const [low, high] = found.length ? [Math.min(...found), Math.max(...found)] : [0, 1];
      const room = (high - low) * 0.05 || Math.abs(high) * 0.05 || 1;
      return [low - room, high + room];
    };
    const ys = this.points.flatMap((point) => [point.y, ...(point.ends || []).filter(Number.isFinite)]);
    return { x: range(this.points.map((point) => point.x), this.panel.x.names), y: range(ys, []) };
  }

  px(x) { const [from, to] = this.view.x; return MARGIN.left + (x - from) / (to - from) * (this.width - MARGIN.left - MARGIN.right); }
  py(y) { const [from, to] = this.view.y; return this.height - 36 - (y - from) / (to - from) * (this.height - 36 - MARGIN.top); }
  back(px, py) {
    const { x, y } = this.view;
    return [x[0] + (px - MARGIN.left) / (this.width - MARGIN.left - MARGIN.right) * (x[1] - x[0]),
      y[0] + (this.height - 36 - py) / (this.height - 36 - MARGIN.top) * (y[1] - y[0])];
  }

  draw() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth || 800;
    this.height = 320;
    this.canvas.style.height = this.height + "px";
    this.canvas.width = this.width * ratio;
    this.canvas.height = this.height * ratio;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    this.axes(pen);
    pen.save();
    pen.beginPath();
    pen.rect(MARGIN.left, MARGIN.top, this.width - MARGIN.left - MARGIN.right, this.height - 36 - MARGIN.top);
    pen.clip();
    for (const series of this.panel.series) this.line(pen, series, this.points.filter((point) => point.series === series));
    if (this.chosen) this.ring(pen, this.chosen);
    pen.restore();
  }

  axes(pen) {
    pen.font = "11px system-ui, sans-serif";
    pen.strokeStyle = color("line");
    pen.fillStyle = color("soft");
    pen.lineWidth = 1;
    const rule = (x1, y1, x2, y2) => { pen.beginPath(); pen.moveTo(x1, y1); pen.lineTo(x2, y2); pen.stroke(); };
    const { x, y } = this.view, bottom = this.height - 36, right = this.width - MARGIN.right;
    pen.textAlign = "right";
    for (const [at, text] of this.scale.y.ticks(y, 7)) {
      rule(MARGIN.left, this.py(at), right, this.py(at));
      pen.fillText(text, MARGIN.left - 6, this.py(at) + 4);
    }
    pen.textAlign = "center";
    const names = this.panel.x.names.map((name, place) => [place, name]);
    for (const [at, text] of names.length ? names : this.scale.x.ticks(x, this.width / 110)) {
      if (!names.length) rule(this.px(at), MARGIN.top, this.px(at), bottom);
      pen.fillText(text, this.px(at), bottom + 14);
    }
    pen.fillStyle = color("ink");
    pen.fillText(this.panel.x.label, (MARGIN.left + right) / 2, this.height - 6, right - MARGIN.left);
    pen.textAlign = "left";
    pen.fillText(this.panel.y.label, MARGIN.left + 4, 11, this.width - MARGIN.left - 8);
  }

  line(pen, { mark, colour, shape, dashes }, points) {
    pen.strokeStyle = pen.fillStyle = color(FIGURE_PAINTS[colour % FIGURE_PAINTS.length]);
    pen.lineWidth = 1.5;
    if (mark === "line" || mark === "joined") {
      pen.globalAlpha = mark === "joined" ? 0.5 : 1;
      pen.beginPath();
      points.forEach((point) => pen.lineTo(this.px(point.x), this.py(point.y)));
      pen.setLineDash(dashes.map((length) => 1.5 * length));
      pen.stroke();
      pen.setLineDash([]);
      pen.globalAlpha = 1;
    }
    for (const { x, y, ends, sides } of points) {
      const px = this.px(x), py = this.py(y);
      if (ends) this.bar(pen, px, ends);
      if (mark === "line") continue;
      if (sides) {
        const [lower, upper] = sides.map((side) => this.py(side));
        pen.strokeRect(px - 8, upper, 16, lower - upper);
        pen.fillRect(px - 8, py - 1, 16, 2);
        continue;
      }
      pen.beginPath();
      if (mark === "measured") {
        pen.moveTo(px - 4, py - 4); pen.lineTo(px + 4, py + 4);
        pen.moveTo(px - 4, py + 4); pen.lineTo(px + 4, py - 4);
        pen.stroke();
      } else {
        this.mark(pen, shape, px, py);
      }
    }
  }

  mark(pen, [outline, is_filled], px, py) {
    const size = is_filled ? 3.6 : 5;
    if (outline === "circle") pen.arc(px, py, size, 0, 7);
    else OUTLINES[outline].forEach(([x, y]) => pen.lineTo(px + size * x, py + size * y));
    pen.closePath();
    if (is_filled) pen.fill();
    else pen.stroke();
  }

  /** An interval; ends that a logarithm has not lie at the border. */
  bar(pen, px, ends) {
    const [low, high] = ends.map((end) => (Number.isFinite(end) ? this.py(end) : this.height));
    pen.beginPath();
    pen.moveTo(px, low); pen.lineTo(px, high);
    pen.moveTo(px - 4, low); pen.lineTo(px + 4, low);
    pen.moveTo(px - 4, high); pen.lineTo(px + 4, high);
    pen.stroke();
  }

  ring(pen, { x, y }) {
    pen.strokeStyle = color("ink");
    pen.beginPath();
    pen.arc(this.px(x), this.py(y), 7, 0, 7);
    pen.stroke();
  }

  choose(point) {
    this.chosen = point;
    if (point) {
      const { series, at, value, low, high } = point, { x } = this.panel;
      const place = x.names.length ? x.names[Math.round(at)] : `${x.label}: ${digits(at)}`;
      const word = point.sides ? "whiskers" : "interval";
      const interval = low === null ? "" : `, ${word} ${digits(low)} to ${digits(high)}`;
      this.readout.textContent = `${series.label} \u00b7 ${place} \u00b7 ${this.panel.y.label}: ${digits(value)}${interval}`;
    }
    this.draw();
  }

  nearest(px, py) {
    const away = (point) => (this.px(point.x) - px) ** 2 + (this.py(point.y) - py) ** 2;
    const near = this.points.reduce((best, point) => (best === null || away(point) < away(best) ? point : best), null);
    return near && away(near) < 900 ? near : null;
  }

  gestures() {
    const { canvas } = this;
    let pressed = null;
    const place = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    canvas.addEventListener("pointerdown", (event) => { pressed = place(event); });
    canvas.addEventListener("pointermove", (event) => { if (pressed === null) this.choose(this.nearest(...place(event))); });
    canvas.addEventListener("pointerup", (event) => {
      const [px, py] = place(event), from = pressed;
      pressed = null;
      if (from === null || Math.abs(px - from[0]) < 6) { this.choose(this.nearest(px, py)); return; }
      const [a, b] = [this.back(...from), this.back(px, py)];
      this.view = { x: [Math.min(a[0], b[0]), Math.max(a[0], b[0])],
        y: Math.abs(py - from[1]) < 6 ? this.view.y : [Math.min(a[1], b[1]), Math.max(a[1], b[1])] };
      this.draw();
    });
    canvas.addEventListener("dblclick", () => { this.view = this.whole(); this.draw(); });
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) {
        const next = this.points.indexOf(this.chosen) + step;
        this.choose(this.points[(next + this.points.length) % this.points.length] || null);
      } else if (event.key === "0") { this.view = this.whole(); this.draw(); } else return;
      event.preventDefault();
    });
  }
}

/** The map of an axis to positions, and its ticks with their texts. */
function scaleOf({ log }) {
  if (!log) {
    return { to: (value) => value, ticks: ([from, to], count) => {
      const { found, step } = ticks(from, to, count);
      return found.map((at) => [at, Math.abs(at) >= 1e6 || (step < 1e-4 && at !== 0) ? digits(at) : number(at, step)]);
    } };
  }
  return { to: (value) => (value > 0 ? Math.log10(value) : NaN), ticks: ([from, to]) => {
    const found = [];
    for (let power = Math.floor(from); power <= to; power++) {
      for (const factor of to - from > 3 ? [1] : [1, 2, 5]) {
        const at = power + Math.log10(factor);
        if (at >= from && at <= to) found.push([at, digits(factor * 10 ** power)]);
      }
    }
    return found;
  } };
}
