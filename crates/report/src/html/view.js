// The time-sequence view of a run: charts with one cursor and one zoom.

const LOOKS = {
  sent: { words: "data sent", paint: "blue", shape: "dot" },
  ack: { words: "acknowledged", paint: "green", shape: "dash" },
  again: { words: "retransmitted", paint: "orange", shape: "up" },
  sack: { words: "run beyond a gap at the receiver (SACK block)", paint: "sky", shape: "bar" },
  marked: { words: "marked (CE)", paint: "purple", shape: "down" },
  lost: { words: "dropped or lost", paint: "red", shape: "cross" },
  repaired: { words: "repaired by FEC", paint: "purple", shape: "ring" },
};

class View {
  constructor(packets, senders) {
    Object.assign(this, { packets, senders, cursor: null, flow: 0, link: 0 });
    const last = (t) => (t && t.length ? t.reduce((a, b) => Math.max(a, b), 0) : 0);
    this.whole = { from: 0, to: Math.max(last(packets.t), last(senders.t), 1) };
    this.now = { ...this.whole };
    const charts = byId("charts");
    this.charts = [
      new Chart(charts, "sequence number", 320, (view) => this.sequence(view)),
      new Chart(charts, "window (solid), in flight (dashed), slow-start threshold (dotted), packets", 150, (view) => this.windows(view)),
      ...(senders.pacing && senders.pacing.some((rate) => rate >= 0)
        ? [new Chart(charts, "pacing rate (Mbps)", 110, (view) => this.pacing(view))] : []),
      new Chart(charts, "packets queued or on the line (solid), held by the pacer (dashed)", 130, (view) => this.queue(view)),
    ];
  }

  /** Points of the flow, by their look. Computed once for each flow. */
  choose(flow, link) {
    if (flow !== this.flow || !this.looks) this.looks = this.read(flow);
    if (link !== this.link || !this.lengths) this.lengths = this.count(link);
    this.flow = flow;
    this.link = link;
    const { flow: flows } = this.senders;
    // The charts between the first and the last are about the sender: other flows have none.
    this.sender = flows ? [lowerBound(flows, flow, 0, flows.length), lowerBound(flows, flow + 1, 0, flows.length)] : [0, 0];
    for (const { canvas } of this.charts.slice(1, -1)) canvas.style.display = this.sender[0] < this.sender[1] ? "" : "none";
  }

  read(flow) {
    const { packets } = this, { src, dst } = DATA.flows[flow];
    const ranges = packets.ofFlow(flow);
    const nearest = (kind) => {
      const at = ranges.find(({ link }) => DATA.links[link][kind ? "to" : "from"] === src);
      return at === undefined ? ranges.find(({ from }) => packets.kind(from) === kind) : at;
    };
    const home = { 0: nearest(0), 1: nearest(1) };
    const looks = {}, marked = new Set();
    for (const name of Object.keys(LOOKS)) looks[name] = new Growing();
    for (const range of ranges) {
      for (let row = range.from; row < range.to; row++) {
        const kind = packets.kind(row);
        if (kind === 2) continue;
        if (packets.outcome(row) !== 0 && kind === 0) looks.lost.push(packets.t[row], packets.seq[row], row);
        if (kind === 0 && packets.isMarked(row) && !marked.has(packets.seq[row])) {
          marked.add(packets.seq[row]);
          looks.marked.push(packets.left(row) || packets.t[row], packets.seq[row], row);
        }
        if (range !== home[kind] && !(kind === 0 && packets.isRepaired(row))) continue;
        if (kind === 1) {
          if (packets.seq[row] !== 4294967295) looks.ack.push(packets.left(row) || packets.t[row], packets.seq[row], row);
        } else {
          const look = packets.isRepaired(row) ? "repaired" : packets.isAgain(row) ? "again" : "sent";
          looks[look].push(packets.t[row], packets.seq[row], row);
        }
      }
    }
    this.sacks(looks.sack, ranges, dst);
    for (const name of Object.keys(LOOKS)) looks[name] = looks[name].sorted();
    return looks;
  }

  /** Blocks that a receiver with SACK reports: with each acknowledgement that it sends while a packet is missing, the
   * run of packets with the latest arrival. They follow from recorded arrivals, and stand at the time of sending. */
  sacks(look, ranges, dst) {
    const { packets } = this, arrivals = new Growing(), sent = new Growing();
    for (const { link, from, to } of ranges) {
      const { to: end, from: begin, delay_ps } = DATA.links[link];
      for (let row = from; row < to; row++) {
        const left = packets.left(row);
        if (packets.kind(row) === 0 && end === dst && packets.outcome(row) === 0 && left !== null) {
          arrivals.push(left + Math.floor(delay_ps / 1000), packets.seq[row], row);
        } else if (packets.kind(row) === 1 && begin === dst) sent.push(packets.t[row], packets.seq[row], row);
      }
    }
    const came = arrivals.sorted(), acks = sent.sorted();
    let runs = [], at = 0, latest = null;
    for (let ack = 0; ack < acks.t.length; ack++) {
      const next = acks.y[ack] === 4294967295 ? 0 : acks.y[ack] + 1;
      for (; at < came.t.length && came.t[at] <= acks.t[ack]; at++) {
        if (came.y[at] >= next) latest = addTo(runs, came.y[at]);
      }
      runs = runs.filter((run) => run.to > next);
      if (latest && latest.from > next && runs.includes(latest)) look.push(acks.t[ack], latest.from, acks.rows[ack], latest.to - 1);
    }
  }

  /** Lengths of the pacer's and the queue's lines over time. Times carry the kind of change in their last digit:
   * arrival at the pacer, release, arrival at the queue, departure. */
  count(link) {
    const { packets } = this, keys = new Growing();
    for (const [from, to] of packets.atLink(link)) {
      for (let row = from; row < to; row++) {
        const t = packets.t[row], release = packets.released(row), left = packets.left(row);
        if (release !== null) {
          keys.push(4 * t);
          keys.push(4 * release + 1);
        } else if (left !== null) keys.push(4 * t + 2);
        if (left !== null || release !== null) keys.push(4 * (left === null ? release : left) + 3);
      }
    }
    const changes = keys.values().sort();
    const t = new Float64Array(changes.length), held = new Float64Array(changes.length), queued = new Float64Array(changes.length);
    let h = 0, q = 0;
    for (let at = 0; at < changes.length; at++) {
      const kind = changes[at] % 4;
      t[at] = (changes[at] - kind) / 4;
      held[at] = h += kind === 0 ? 1 : kind === 1 ? -1 : 0;
      queued[at] = q += kind === 3 ? -1 : kind === 0 ? 0 : 1;
    }
    return { t, held, queued };
  }

  sequence(view) {
    return Object.entries(LOOKS).map(([name, look]) => {
      const { t, y, ends } = this.looks[name];
      const from = lowerBound(t, view.from, 0, t.length), to = lowerBound(t, view.to, from, t.length);
      return { kind: "points", t: t.subarray(from, to), y: y.subarray(from, to), ends: ends && ends.subarray(from, to), paint: look.paint, shape: look.shape };
    });
  }

  windows(view) {
    const { t } = this.senders;
    if (!t) return [];
    let [from, to] = this.sender;
    const first = from;
    from = Math.max(first, lowerBound(t, view.from, from, to) - 1);
    to = lowerBound(t, view.to, from, to);
    const part = (name, factor) => this.senders[name].subarray(from, to).map((value) => value / factor);
    const known = part("ssthresh", 100).map((value) => (value < 0 ? NaN : value));
    return [
      { kind: "steps", t: t.subarray(from, to), y: part("cwnd", 100), paint: "blue" },
      { kind: "steps", t: t.subarray(from, to), y: part("flight", 1), paint: "orange", dash: [6, 3] },
      ...(known.some(isNaN) ? [] : [{ kind: "steps", t: t.subarray(from, to), y: known, paint: "purple", dash: [2, 3] }]),
    ];
  }

  /** The pacing rate of the flow's sender, where its control has one. */
  pacing(view) {
    const { t, pacing } = this.senders;
    const [first, last] = this.sender;
    const from = Math.max(first, lowerBound(t, view.from, first, last) - 1), to = lowerBound(t, view.to, from, last);
    const known = [];
    for (let at = from; at < to; at++) if (pacing[at] >= 0) known.push(at);
    const steps = (of) => Float64Array.from(known, of);
    return [{ kind: "steps", t: steps((at) => t[at]), y: steps((at) => pacing[at] / 1e6), paint: "green" }];
  }

  queue(view) {
    const { t, held, queued } = this.lengths;
    const from = Math.max(0, lowerBound(t, view.from, 0, t.length) - 1), to = lowerBound(t, view.to, from, t.length);
    const times = t.subarray(from, to);
    return [
      { kind: "steps", t: times, y: queued.subarray(from, to), paint: "blue" },
      { kind: "steps", t: times, y: held.subarray(from, to), paint: "purple", dash: [6, 3] },
    ];
  }

  draw() {
    this.charts.forEach((chart) => chart.draw(this.now, this.cursor));
  }

  /** Moves the cursor, once for each frame. */
  point() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.charts.forEach((chart) => chart.point(this.cursor));
    });
  }

  /** Places of some packets on the first chart, for scripts that act as a user. */
  samples(count) {
    const [chart] = this.charts, { t, y } = this.looks.sent;
    const from = lowerBound(t, this.now.from, 0, t.length), to = lowerBound(t, this.now.to, from, t.length);
    const step = Math.max(1, Math.floor((to - from) / count)), places = [];
    for (let at = from; at < to; at += step) places.push([chart.x(t[at]), chart.y(y[at])]);
    return places;
  }

  zoom(from, to) {
    const least = 1000;
    if (to - from < least) { const middle = (from + to) / 2; from = middle - least / 2; to = middle + least / 2; }
    this.now = { from: Math.max(this.whole.from, from), to: Math.min(this.whole.to, to) };
    this.draw();
  }

  scale(factor, at) {
    const { from, to } = this.now;
    this.zoom(at - (at - from) * factor, at + (to - at) * factor);
  }

  /** The packet nearest to a point of the first chart. */
  nearest(x, y) {
    const [chart] = this.charts;
    let best = null, least = 100;
    for (const look of Object.values(this.looks)) {
      const from = lowerBound(look.t, chart.time(x - 10), 0, look.t.length);
      const to = lowerBound(look.t, chart.time(x + 10), from, look.t.length);
      for (let at = from; at < to; at++) {
        const away = (chart.x(look.t[at]) - x) ** 2 + (chart.y(look.y[at]) - y) ** 2;
        if (away < least) { least = away; best = look.rows[at]; }
      }
    }
    return best;
  }

  /** Shows the next packet in view, or the one before, and moves the cursor to it. */
  step(forwards) {
    const { now, stepped } = this, sign = forwards ? 1 : -1;
    const order = (a, b) => sign * (a.t - b.t || a.y - b.y || a.row - b.row);
    let next = null;
    for (const { t, y, rows } of Object.values(this.looks)) {
      const from = lowerBound(t, now.from, 0, t.length), to = lowerBound(t, now.to, from, t.length);
      const isSeen = stepped && stepped.t >= now.from && stepped.t < now.to;
      let at = forwards ? (isSeen ? lowerBound(t, stepped.t, from, to) : from) : (isSeen ? lowerBound(t, stepped.t + 1, from, to) : to) - 1;
      // Several packets of one time are in any order.
      for (let time = null; at >= from && at < to && (time === null || t[at] === time); at += sign) {
        const packet = { t: t[at], y: y[at], row: rows[at] };
        if (isSeen && order(packet, stepped) <= 0) continue;
        if (next === null || order(packet, next) < 0) next = packet;
        time = t[at];
      }
    }
    if (next === null) return;
    this.stepped = next;
    this.cursor = next.t;
    byId("cursor").textContent = (next.t / 1e9).toFixed(9) + " s";
    this.show(next.row);
    this.point();
  }

  /** All passages of a packet, in a table. */
  show(row) {
    const panel = byId("packet");
    panel.replaceChildren();
    if (row === null) return;
    const { packets } = this, seq = packets.seq[row], kind = packets.kind(row);
    const title = document.createElement("h3");
    title.textContent = `${KINDS[kind]} ${seq} of ${DATA.flows[this.flow].name}`;
    const rows = [];
    for (const { from, to } of packets.ofFlow(this.flow)) {
      for (let at = from; at < to; at++) if (packets.seq[at] === seq && packets.kind(at) === kind) rows.push(at);
    }
    rows.sort((a, b) => packets.t[a] - packets.t[b]);
    const made = document.createElement("table");
    const seconds = (ns) => (ns === null ? "-" : (ns / 1e9).toFixed(9) + " s");
    const notes = (at) => [packets.isAgain(at) && "retransmission", packets.isRepaired(at) && "repaired", packets.isMarked(at) && "marked"].filter(Boolean).join(", ");
    table(made, rows.map((at) => ({
      link: DATA.links[packets.link(at)].name, came: seconds(packets.t[at]), released: seconds(packets.released(at)),
      left: seconds(packets.left(at)), fate: OUTCOMES[packets.outcome(at)], notes: notes(at),
    })), ["link", "came", "released", "left", "fate", "notes"]);
    panel.append(title, made);
  }
}

/** Adds a packet number to runs of numbers, [from, to), and returns its run. */
function addTo(runs, seq) {
  const last = runs[runs.length - 1];
  if (last && last.to === seq) {
    last.to = seq + 1;
    return last;
  }
  let run = { from: seq, to: seq + 1 };
  const near = runs.filter((of) => of.from <= seq + 1 && seq <= of.to);
  if (near.length) {
    run = near[0];
    run.from = Math.min(seq, ...near.map((of) => of.from));
    run.to = Math.max(seq + 1, ...near.map((of) => of.to));
    for (const of of near.slice(1)) runs.splice(runs.indexOf(of), 1);
    return run;
  }
  const place = runs.findIndex((of) => of.from > seq);
  runs.splice(place < 0 ? runs.length : place, 0, run);
  return run;
}

/** Numbers in arrays that double: times, heights, rows and, for bars, other ends. */
class Growing {
  constructor() { this.count = 0; this.columns = []; }
  push(...values) {
    const { columns, count } = this;
    for (let at = 0; at < values.length; at++) {
      if (columns[at] === undefined) columns[at] = new Float64Array(1024);
      if (count === columns[at].length) {
        const wider = new Float64Array(2 * count);
        wider.set(columns[at]);
        columns[at] = wider;
      }
      columns[at][count] = values[at];
    }
    this.count = count + 1;
  }
  column(at) { return (this.columns[at] || new Float64Array(0)).subarray(0, this.count); }
  values() { return this.column(0); }
  /** Times, heights, rows and ends in the order of time. */
  sorted() {
    let columns = [0, 1, 2, 3].map((at) => this.column(at));
    const [t] = columns;
    if (t.some((time, at) => at > 0 && time < t[at - 1])) {
      const order = Uint32Array.from(t, (_, at) => at).sort((a, b) => t[a] - t[b]);
      columns = columns.map((column) => (column.length ? Float64Array.from(order, (at) => column[at]) : column));
    }
    return { t: columns[0], y: columns[1], rows: columns[2], ends: columns[3].length ? columns[3] : null };
  }
}

function controls(view) {
  const fill = (id, names, chosen) => {
    names.forEach(([value, name]) => byId(id).add(new Option(name, value)));
    byId(id).value = chosen;
  };
  const { packets } = view;
  const flows = new Set(), links = new Map();
  for (const [place, [from, to]] of packets.places) {
    flows.add(Math.floor(place / 1048576));
    links.set(place % 1048576, (links.get(place % 1048576) || 0) + to - from);
  }
  if (!flows.size && view.senders.flow) view.senders.flow.forEach((flow) => flows.add(flow));
  const first = [...flows].sort((a, b) => a - b);
  const { links: measured } = DATA.summary, busy = new Map((measured || []).map((of) => [of.link, of.utilisation || 0]));
  const use = ([link]) => busy.get(DATA.links[link].name) || 0;
  const busiest = [...links].sort((a, b) => use(b) - use(a) || b[1] - a[1]).map(([link]) => link);
  fill("flow", first.map((id) => [id, DATA.flows[id].name]), first[0]);
  fill("link", busiest.map((id) => [id, DATA.links[id].name]), busiest[0]);
  const choose = () => { view.choose(Number(byId("flow").value), Number(byId("link").value)); view.draw(); };
  byId("flow").onchange = byId("link").onchange = choose;
  byId("all").onclick = () => view.zoom(view.whole.from, view.whole.to);
  view.choose(first[0] || 0, busiest[0] || 0);
}

function gestures(view) {
  const charts = byId("charts"), [chart] = view.charts;
  let pressed = null;
  const place = (event) => event.clientX - chart.canvas.getBoundingClientRect().left;
  charts.addEventListener("pointerdown", (event) => { pressed = place(event); });
  charts.addEventListener("pointermove", (event) => {
    view.cursor = chart.time(place(event));
    byId("cursor").textContent = (view.cursor / 1e9).toFixed(9) + " s";
    view.point();
  });
  charts.addEventListener("pointerup", (event) => {
    const x = place(event), moved = pressed !== null && Math.abs(x - pressed) > 5;
    if (moved) view.zoom(chart.time(Math.min(x, pressed)), chart.time(Math.max(x, pressed)));
    else if (event.target === chart.canvas) view.show(view.nearest(x, event.clientY - chart.canvas.getBoundingClientRect().top));
    pressed = null;
  });
  charts.addEventListener("dblclick", () => view.zoom(view.whole.from, view.whole.to));
  charts.addEventListener("wheel", (event) => {
    event.preventDefault();
    view.scale(event.deltaY > 0 ? 1.25 : 0.8, chart.time(place(event)));
  }, { passive: false });
  charts.addEventListener("keydown", (event) => {
    const { from, to } = view.now, step = (to - from) / 5, middle = (from + to) / 2;
    const keys = {
      "+": () => view.scale(0.5, middle), "-": () => view.scale(2, middle),
      ArrowLeft: () => view.zoom(from - step, to - step), ArrowRight: () => view.zoom(from + step, to + step),
      0: () => view.zoom(view.whole.from, view.whole.to), n: () => view.step(true), p: () => view.step(false),
    };
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  onLook(() => view.draw());
}

function legend() {
  const signs = { bar: "|", dot: "\u25aa", dash: "\u2013", up: "\u25b3", down: "\u25bd", cross: "\u2715", ring: "\u25cb" };
  for (const { words, paint, shape } of Object.values(LOOKS)) {
    const item = document.createElement("span");
    item.textContent = `${signs[shape]} ${words}`;
    item.style.color = `var(--${paint})`;
    byId("legend").append(item);
  }
}
