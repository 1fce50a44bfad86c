// One canvas with a time axis shared by all charts of the page.

const MARGIN = { left: 64, right: 12, top: 14, bottom: 20 };

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/** Draws again when the size or the colours change; paper is light. */
function onLook(draw) {
  window.addEventListener("resize", draw);
  for (const of of ["(prefers-color-scheme: dark)", "print"]) matchMedia(of).addEventListener("change", draw);
}

/** Round steps for an axis. */
function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) found.push(at);
  return { step, found };
}

function number(value, step) {
  const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)));
  return value.toFixed(digits);
}

/** A chart: `series(view)` yields what to draw; the view is { from, to } in nanoseconds. */
class Chart {
  constructor(parent, title, height, series) {
    this.canvas = document.createElement("canvas");
    this.title = title;
    this.height = height;
    this.series = series;
    parent.append(this.canvas);
  }

  draw(view, cursor) {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth || 800;
    this.canvas.style.height = this.height + "px";
    this.canvas.width = this.width * ratio;
    this.canvas.height = this.height * ratio;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    this.view = view;
    const series = this.series(view);
    this.range(series);
    this.axes(pen);
    pen.save();
    pen.beginPath();
    pen.rect(MARGIN.left, 0, this.width - MARGIN.left - MARGIN.right, this.height - MARGIN.bottom);
    pen.clip();
    for (const one of series) {
      if (one.kind === "steps") this.steps(pen, one); else this.points(pen, one);
    }
    pen.restore();
    this.pen = pen;
    this.keep(ratio);
    this.point(cursor);
  }

  /** Keeps a copy of the drawing, over which the cursor moves. */
  keep(ratio) {
    this.drawn = this.drawn || document.createElement("canvas");
    this.drawn.width = this.width * ratio;
    this.drawn.height = this.height * ratio;
    this.drawn.getContext("2d").drawImage(this.canvas, 0, 0);
  }

  /** Moves the cursor, or removes it. */
  point(cursor) {
    this.pen.clearRect(0, 0, this.width, this.height);
    this.pen.drawImage(this.drawn, 0, 0, this.width, this.height);
    const x = cursor === null ? -1 : this.x(cursor);
    if (x >= MARGIN.left && x <= this.width - MARGIN.right) this.line(this.pen, x);
  }

  range(series) {
    let low = Infinity, high = -Infinity;
    for (const { y } of series) {
      for (let at = 0; at < y.length; at++) {
        const value = y[at];
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (low > high) { low = 0; high = 1; }
    if (series.some((one) => one.kind === "steps")) low = Math.min(0, low);
    const room = (high - low) * 0.05 || 1;
    this.low = low - (low === 0 ? 0 : room);
    this.high = high + room;
  }

  x(t) {
    const share = (t - this.view.from) / (this.view.to - this.view.from);
    return MARGIN.left + share * (this.width - MARGIN.left - MARGIN.right);
  }
  y(value) {
    const share = (value - this.low) / (this.high - this.low);
    return this.height - MARGIN.bottom - share * (this.height - MARGIN.bottom - MARGIN.top);
  }
  time(x) {
    const share = (x - MARGIN.left) / (this.width - MARGIN.left - MARGIN.right);
    return this.view.from + Math.min(1, Math.max(0, share)) * (this.view.to - this.view.from);
  }

  axes(pen) {
    pen.font = "11px system-ui, sans-serif";
    pen.strokeStyle = color("line");
    pen.fillStyle = color("soft");
    pen.lineWidth = 1;
    pen.textAlign = "right";
    const vertical = ticks(this.low, this.high, this.height / 40);
    for (const value of vertical.found) {
      this.rule(pen, MARGIN.left, this.y(value), this.width - MARGIN.right, this.y(value));
      pen.fillText(number(value, vertical.step), MARGIN.left - 6, this.y(value) + 4);
    }
    pen.textAlign = "center";
    const across = ticks(this.view.from / 1e9, this.view.to / 1e9, this.width / 110);
    for (const seconds of across.found) {
      this.rule(pen, this.x(seconds * 1e9), MARGIN.top, this.x(seconds * 1e9), this.height - MARGIN.bottom);
      pen.fillText(number(seconds, across.step) + " s", this.x(seconds * 1e9), this.height - 6);
    }
    pen.textAlign = "left";
    pen.fillStyle = color("ink");
    pen.fillText(this.title, MARGIN.left + 4, 11, this.width - MARGIN.left - 8);
  }

  rule(pen, x1, y1, x2, y2) {
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  }

  line(pen, x) {
    pen.strokeStyle = color("ink");
    pen.setLineDash([3, 3]);
    this.rule(pen, x, MARGIN.top, x, this.height - MARGIN.bottom);
    pen.setLineDash([]);
  }

  /** A step function: of each pixel the first, least, greatest and last value. */
  steps(pen, { t, y, paint, dash }) {
    pen.strokeStyle = color(paint);
    pen.lineWidth = 1.5;
    pen.setLineDash(dash || []);
    pen.beginPath();
    let pixel = -1, low = 0, high = 0, last = null;
    const flush = () => { if (high > low) { pen.moveTo(pixel, this.y(low)); pen.lineTo(pixel, this.y(high)); pen.moveTo(pixel, this.y(last)); } };
    for (let at = 0; at < t.length; at++) {
      const x = Math.round(this.x(t[at]));
      if (x !== pixel) {
        flush();
        if (last === null) pen.moveTo(x, this.y(y[at])); else pen.lineTo(x, this.y(last));
        pen.lineTo(x, this.y(y[at]));
        pixel = x;
        low = high = y[at];
      }
      low = Math.min(low, y[at]);
      high = Math.max(high, y[at]);
      last = y[at];
    }
    flush();
    if (last !== null) pen.lineTo(this.width, this.y(last));
    pen.stroke();
    pen.setLineDash([]);
  }

  /** Points, one for each pixel that has any; bars from one height to the other. */
  points(pen, { t, y, ends, paint, shape }) {
    pen.strokeStyle = pen.fillStyle = color(paint);
    pen.lineWidth = shape === "bar" ? 1 : 1.5;
    const width = Math.ceil(this.width), taken = new Uint8Array(width * this.height);
    const across = (width - MARGIN.left - MARGIN.right) / (this.view.to - this.view.from), from = this.view.from;
    const up = (this.height - MARGIN.bottom - MARGIN.top) / (this.high - this.low), low = this.low;
    const bottom = this.height - MARGIN.bottom;
    pen.beginPath();
    for (let at = 0; at < t.length; at++) {
      const px = Math.round(MARGIN.left + (t[at] - from) * across), py = Math.round(bottom - (y[at] - low) * up);
      const cell = py * width + px;
      if (taken[cell]) continue;
      taken[cell] = 1;
      this.sign(pen, shape, px, py, ends && Math.round(bottom - (ends[at] - low) * up));
    }
    if (shape === "dot" || shape === "dash") pen.fill(); else pen.stroke();
  }

  sign(pen, shape, x, y, end) {
    if (shape === "cross") {
      pen.moveTo(x - 4, y - 4); pen.lineTo(x + 4, y + 4);
      pen.moveTo(x - 4, y + 4); pen.lineTo(x + 4, y - 4);
    } else if (shape === "ring") {
      pen.moveTo(x + 4, y); pen.arc(x, y, 4, 0, 7);
    } else if (shape === "up") {
      pen.moveTo(x, y - 5); pen.lineTo(x + 4, y + 3); pen.lineTo(x - 4, y + 3); pen.lineTo(x, y - 5);
    } else if (shape === "down") {
      pen.moveTo(x, y + 5); pen.lineTo(x + 4, y - 3); pen.lineTo(x - 4, y - 3); pen.lineTo(x, y + 5);
    } else if (shape === "bar") {
      pen.moveTo(x + 0.5, y + 1); pen.lineTo(x + 0.5, end - 1);
    } else {
      pen.rect(x - 1, y - 1, 3, shape === "dash" ? 1.5 : 3);
    }
  }
}
