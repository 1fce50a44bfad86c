// The page: facts, chapters and tables, then the time-sequence view.

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
  const { summary, chapters } = DATA;
  document.title = byId("title").textContent = DATA.title;
  const known = summary ? ["seed", "replication", "version", "fingerprint"].map((key) => `${key} ${summary[key]}`) : [];
  byId("facts").textContent = (DATA.facts || known).join(" \u00b7 ");
  if (chapters) book(byId("chapters"), chapters);
  if (!summary) {
    for (const part of document.querySelectorAll(".run")) part.remove();
    return;
  }
  for (const warning of summary.warnings || []) {
    const item = document.createElement("li");
    item.textContent = typeof warning === "string" ? warning : warning.text || warning.worst || JSON.stringify(warning);
    byId("warnings").append(item);
  }
  drawNetwork(byId("network"), DATA.network);
  table(byId("groups"), summary.flows || [], ["group", "flows", "throughput_bps", "goodput_bps", "loss_ratio",
    "residual_loss_ratio", "delay_mean_s", "delay_p99_s", "jain_index", "retransmitted_pkts", "timeouts"]);
  table(byId("links"), summary.links || [], ["link", "rate_bps", "utilisation", "loss_ratio", "arrived_pkts",
    "dropped_pkts", "marked_pkts", "queue_mean_pkts", "queue_max_pkts", "held_mean_pkts", "pacing_delay_mean_s"]);
  byId("scenario").textContent = DATA.scenario;
}

let VIEW = null;

async function start() {
  overview();
  if (!DATA.summary) {
    document.body.dataset.drawn = "yes";
    return;
  }
  if (!DATA.packets && !DATA.senders) {
    byId("sequence").textContent = "No packets and no senders were recorded: add packets = {} and tcp = {} to [output] in scenario.toml, and run it again.";
    document.body.dataset.drawn = "yes";
    return;
  }
  const view = VIEW = new View(new Packets(await unpack(DATA.packets)), await unpack(DATA.senders));
  legend();
  controls(view);
  gestures(view);
  view.draw();
  document.body.dataset.drawn = "yes";
}

start();
