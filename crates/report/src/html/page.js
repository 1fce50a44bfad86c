// The page: facts and tables, then the time-sequence view with one cursor and one zoom.

const byId = (id) => document.getElementById(id);

function cell(row, kind, text) {
  const made = document.createElement(kind);
  made.textContent = text;
  row.append(made);
}

/** A number for people, in the unit that its name ends in. */
function shown(name, value) {
  if (value === null || value === undefined) return "-";
  if (typeof value !== "number") return String(value);
  if (name.endsWith("_bps")) return (value / 1e6).toPrecision(4) + " Mbps";
  if (name.endsWith("_ratio") || name === "utilisation") return (value * 100).toPrecision(3) + " %";
  if (name.endsWith("_s")) return (value * 1e3).toPrecision(4) + " ms";
  return Number.isInteger(value) ? String(value) : value.toPrecision(4);
}

function table(target, rows, columns) {
  const there = columns.filter((column) => rows.some((row) => column in row));
  const head = target.insertRow();
  there.forEach((column) => cell(head, "th", column.replace(/_(bps|s|ratio|pkts)$/, "").replaceAll("_", " ")));
  for (const row of rows) {
    const line = target.insertRow();
    there.forEach((column) => cell(line, "td", shown(column, row[column])));
  }
}

function overview() {
  const { summary } = DATA;
  document.title = byId("title").textContent = summary.scenario;
  const facts = ["seed", "replication", "version", "fingerprint"].map((key) => `${key} ${summary[key]}`);
  byId("facts").textContent = facts.join(" \u00b7 ");
  for (const warning of summary.warnings || []) {
    const item = document.createElement("li");
    item.textContent = typeof warning === "string" ? warning : warning.text || warning.worst || JSON.stringify(warning);
    byId("warnings").append(item);
  }
  drawNetwork(byId("network"), DATA.links);
  table(byId("groups"), summary.flows || [], ["group", "flows", "throughput_bps", "goodput_bps", "loss_ratio",
    "residual_loss_ratio", "delay_mean_s", "delay_p99_s", "jain_index", "retransmitted_pkts", "timeouts"]);
  table(byId("links"), summary.links || [], ["link", "rate_bps", "utilisation", "loss_ratio", "arrived_pkts",
    "dropped_pkts", "marked_pkts", "queue_mean_pkts", "queue_max_pkts", "held_mean_pkts", "pacing_delay_mean_s"]);
  byId("scenario").textContent = DATA.scenario;
}

const LOOKS = {
  sent: { words: "data sent", paint: "blue", shape: "dot" },
  ack: { words: "acknowledged", paint: "green", shape: "dash" },
  again: { words: "retransmitted", paint: "orange", shape: "up" },
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
    this.sender = flows ? [lowerBound(flows, flow, 0, flows.length), lowerBound(flows, flow + 1, 0, flows.length)] : [0, 0];
  }

  read(flow) {
    const looks = {};
    for (const name of Object.keys(LOOKS)) looks[name] = { t: [], y: [], rows: [] };
    const { packets } = this, { src } = DATA.flows[flow];
    const add = (name, row, t) => {
      looks[name].t.push(t); looks[name].y.push(packets.seq[row]); looks[name].rows.push(row);
    };
    const ranges = packets.ofFlow(flow);
    const nearest = (kind) => {
      const at = ranges.find(({ link }) => DATA.links[link][kind ? "to" : "from"] === src
        );
      return at === undefined ? ranges.find(({ from }) => packets.kind(from) === kind) : at;
    };
    const home = { 0: nearest(0), 1: nearest(1) };
    for (const range of ranges) {
      for (let row = range.from; row < range.to; row++) {
        const kind = packets.kind(row);
        if (kind === 2) continue;
        if (packets.outcome(row) !== 0 && kind === 0) add("lost", row, packets.t[row]);
        if (range !== home[kind] && !(kind === 0 && packets.isRepaired(row))) continue;
        if (kind === 1) {
          if (packets.seq[row] !== 4294967295) add("ack", row, packets.left(row) || packets.t[row]);
        } else if (packets.isRepaired(row)) add("repaired", row, packets.t[row]);
        else add(packets.isAgain(row) ? "again" : "sent", row, packets.t[row]);
      }
    }
    for (const name of ["lost", "repaired"]) sortByTime(looks[name]);
    return looks;
  }

  /** Lengths of the pacer's and the queue's lines over time. */
  count(link) {
    const changes = [];
    const { packets } = this;
    for (const [from, to] of packets.atLink(link)) {
      for (let row = from; row < to; row++) {
        const t = packets.t[row], release = packets.released(row), left = packets.left(row);
        if (release !== null) changes.push([t, 1, 0], [release, -1, 1]); else if (left !== null) changes.push([t, 0, 1]);
        if (left !== null) changes.push([left, 0, -1]); else if (release !== null) changes.push([release, 0, -1]);
      }
    }
    changes.sort((a, b) => a[0] - b[0] || b[2] - a[2]);
    const t = new Float64Array(changes.length), held = t.slice(), queued = t.slice();
    let h = 0, q = 0;
    changes.forEach((change, at) => { t[at] = change[0]; held[at] = h += change[1]; queued[at] = q += change[2]; });
    return { t, held, queued };
  }

  sequence(view) {
    return Object.entries(LOOKS).map(([name, look]) => {
      const { t, y } = this.looks[name];
      const from = lowerBound(t, view.from, 0, t.length), to = lowerBound(t, view.to, from, t.length);
      return { kind: "points", t: t.slice(from, to), y: y.slice(from, to), paint: look.paint, shape: look.shape };
    });
  }

  windows(view) {
    const { t } = this.senders;
    if (!t) return [];
    let [from, to] = this.sender;
    const first = from;
    from = Math.max(first, lowerBound(t, view.from, from, to) - 1);
    to = lowerBound(t, view.to, from, to);
    const part = (name, factor) => this.senders[name].slice(from, to).map((value) => value / factor);
    const known = part("ssthresh", 100).map((value) => (value < 0 ? NaN : value));
    return [
      { kind: "steps", t: t.slice(from, to), y: part("cwnd", 100), paint: "blue" },
      { kind: "steps", t: t.slice(from, to), y: part("flight", 1), paint: "orange", dash: [6, 3] },
      ...(known.some(isNaN) ? [] : [{ kind: "steps", t: t.slice(from, to), y: known, paint: "purple", dash: [2, 3] }]),
    ];
  }

  queue(view) {
    const { t, held, queued } = this.lengths;
    const from = Math.max(0, lowerBound(t, view.from, 0, t.length) - 1), to = lowerBound(t, view.to, from, t.length);
    const times = t.slice(from, to);
    return [
      { kind: "steps", t: times, y: queued.slice(from, to), paint: "blue" },
      { kind: "steps", t: times, y: held.slice(from, to), paint: "purple", dash: [6, 3] },
    ];
  }

  draw() {
    this.charts.forEach((chart) => chart.draw(this.now, this.cursor));
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
    const notes = (at) => [packets.isAgain(at) && "retransmission", packets.isRepaired(at) && "repaired"].filter(Boolean).join(", ");
    table(made, rows.map((at) => ({
      link: DATA.links[packets.link(at)].name, came: seconds(packets.t[at]), released: seconds(packets.released(at)),
      left: seconds(packets.left(at)), fate: OUTCOMES[packets.outcome(at)], notes: notes(at),
    })), ["link", "came", "released", "left", "fate", "notes"]);
    panel.append(title, made);
  }
}

function sortByTime(look) {
  const order = look.t.map((_, at) => at).sort((a, b) => look.t[a] - look.t[b]);
  for (const key of ["t", "y", "rows"]) look[key] = order.map((at) => look[key][at]);
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
  const busiest = [...links].sort((a, b) => b[1] - a[1]).map(([link]) => link);
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
    requestAnimationFrame(() => view.draw());
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
      0: () => view.zoom(view.whole.from, view.whole.to),
    };
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  window.addEventListener("resize", () => view.draw());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => view.draw());
}

function legend() {
  const signs = { dot: "\u25aa", dash: "\u2013", up: "\u25b3", cross: "\u2715", ring: "\u25cb" };
  for (const { words, paint, shape } of Object.values(LOOKS)) {
    const item = document.createElement("span");
    item.textContent = `${signs[shape]} ${words}`;
    item.style.color = `var(--${paint})`;
    byId("legend").append(item);
  }
}

async function start() {
  overview();
  if (!DATA.packets && !DATA.senders) {
    byId("sequence").textContent = "No packets and no senders were recorded: add packets = {} and tcp = {} to [output] in scenario.toml, and run it again.";
    return;
  }
  const view = new View(new Packets(await unpack(DATA.packets)), await unpack(DATA.senders));
  legend();
  controls(view);
  gestures(view);
  view.draw();
  document.body.dataset.drawn = "yes";
}

start();
