// Chapters: claims with verdicts, figures, tables and the network of a study or an experiment.

function made(parent, kind, text, className) {
  const element = document.createElement(kind);
  if (text !== undefined && text !== null) element.textContent = text;
  if (className) element.className = className;
  parent.append(element);
  return element;
}

/** Six digits, without zeros at the end. */
function digits(value) {
  if (value === null || value === undefined) return "-";
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
}

function book(target, chapters) {
  if (chapters.length > 1) contents(made(target, "section"), chapters);
  chapters.forEach((chapter, place) => {
    const section = made(target, "section");
    section.id = `chapter-${place}`;
    if (chapter.title !== DATA.title) made(section, "h2", chapter.title);
    for (const text of chapter.about) made(section, "p", text);
    if (chapter.network) drawNetwork(svgIn(section), chapter.network);
    if (chapter.claims.length) claims(section, chapter.claims);
    for (const one of chapter.figures) figure(section, one);
    for (const one of chapter.tables) numbers(section, one);
    if (chapter.text) {
      const details = made(section, "details");
      made(details, "summary", "Its file");
      made(details, "pre", chapter.text);
    }
  });
}

function svgIn(parent) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "Nodes and links");
  made(parent, "div", null, "scroll").append(svg);
  return svg;
}

const VERDICTS = ["PASS", "DIFFERS", "UNDECIDED", "NOT RUN", "NOT YET"];

/** The number of claims of each chapter by verdict. */
function contents(target, chapters) {
  made(target, "h2", "Contents");
  const list = made(made(target, "div", null, "scroll"), "table");
  const head = list.insertRow();
  ["", ...VERDICTS, "figures"].forEach((text) => cell(head, "th", text));
  chapters.forEach((chapter, place) => {
    const line = list.insertRow();
    made(made(line, "td"), "a", chapter.title).href = `#chapter-${place}`;
    for (const verdict of VERDICTS) {
      const count = chapter.claims.filter((claim) => claim.verdict === verdict).length;
      cell(line, "td", count || "");
    }
    cell(line, "td", chapter.figures.length || "");
  });
}

function claims(target, all) {
  const list = made(made(target, "div", null, "scroll"), "table", null, "claims");
  const head = list.insertRow();
  const has = (key) => all.some((claim) => claim[key] !== null && claim[key] !== undefined);
  const names = [["claim", "claim"], ["paper", "reference"], ["accepts", "accepts"], ["ours", "here"], ["ns2", "ns-2"]].filter(([key]) => has(key));
  names.forEach(([, name]) => cell(head, "th", name));
  cell(head, "th", "verdict");
  for (const claim of all) {
    const line = list.insertRow();
    for (const [key] of names) cell(line, "td", claim.shown?.[key] ? claim.shown[key] : key === "ours" ? estimate(claim.ours, claim.low, claim.high)
      : key === "ns2" ? estimate(claim.ns2, claim.ns2_low, claim.ns2_high) : digits(claim[key]));
    made(line, "td", claim.verdict, `verdict ${claim.verdict.toLowerCase().replace(" ", "-")}`);
    if (claim.note) made(made(list.insertRow(), "td", claim.note, "note"), "span").parentElement.colSpan = names.length + 1;
  }
}

function estimate(value, low, high) {
  if (value === null || value === undefined) return "-";
  const is_estimate = low !== null && low !== undefined && low !== high;
  return is_estimate ? `${digits(value)} (${digits(low)} to ${digits(high)})` : digits(value);
}

/** A table; long ones are closed at first. */
function numbers(target, { title, columns, rows }) {
  const details = made(target, "details");
  details.open = rows.length <= 24;
  made(details, "summary", `${title} (${rows.length} rows)`);
  const list = made(made(details, "div", null, "scroll"), "table");
  const head = list.insertRow();
  columns.forEach((column) => cell(head, "th", column.replaceAll("_", " ")));
  const metric = columns.indexOf("metric");
  for (const row of rows) {
    const line = list.insertRow();
    row.forEach((value, place) => {
      const name = metric >= 0 && typeof value === "number" && columns[place] !== "replications" ? row[metric] : columns[place];
      cell(line, "td", shown(name.replace(/\.half_width$/, ""), value));
    });
  }
}
