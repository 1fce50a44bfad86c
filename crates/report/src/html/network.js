// The network as a drawing: nodes of one name with indices are one node, left[0..19]. A port shows its queue
// as bars and its pacer as a circle; nodes with coders have a mark.

/** The name without the index of one of many. */
function stem(name) { return name.replace(/\[\d+\]$/, ""); }

/** Ports of one description between two groups of nodes, in either direction. */
function grouped({ links }) {
  const members = new Map(), joined = new Map();
  for (const link of links) {
    for (const node of [link.from, link.to]) {
      if (!members.has(stem(node))) members.set(stem(node), new Set());
      members.get(stem(node)).add(node);
    }
    const key = [stem(link.from), stem(link.to)].sort().join("\u0000");
    if (!joined.has(key)) joined.set(key, { ends: key.split("\u0000"), links: [] });
    joined.get(key).links.push(link);
  }
  return { members, joined: [...joined.values()] };
}

function drawNetwork(svg, network) {
  const { members, joined } = grouped(network);
  const layers = layered([...members.keys()], joined);
  // On a narrow screen the drawing keeps the size of its letters, and scrolls.
  const longest = Math.max(0, ...[...members.keys()].map((node) => node.length));
  const needed = Math.max(1, layers.length) * Math.max(180, 110 + 7 * longest);
  const whole = Math.max(svg.clientWidth, needed);
  svg.style.minWidth = `${needed}px`;
  const across = whole / Math.max(1, layers.length);
  const height = 90 * Math.max(...layers.map((layer) => layer.length), 1) + 60;
  const places = new Map();
  layers.forEach((layer, column) => layer.forEach((node, row) => {
    places.set(node, [across * (column + 0.5), (height / layer.length) * (row + 0.5)]);
  }));
  svg.setAttribute("viewBox", `0 0 ${whole} ${height}`);
  for (const one of joined) drawLink(svg, one, places);
  for (const [node, [x, y]] of places) drawNode(svg, members.get(node), node, x, y);
  drawCoders(svg, network.coders || [], places);
}

function drawNode(svg, all, node, x, y) {
  const label = all.size > 1 ? `${node} (${all.size})` : [...all][0];
  const width = 16 + 7 * label.length;
  element(svg, "rect", { class: "node", x: x - width / 2, y: y - 14, width, height: 28, rx: 6 });
  element(svg, "text", { x, y: y + 4, "text-anchor": "middle" }, label);
}

/** A few different texts, joined. */
function several(texts) {
  const all = [...new Set(texts.filter(Boolean))];
  return all.length > 2 ? `${all.length} kinds` : all.join(" or ");
}

function drawLink(svg, { ends, links }, places) {
  const [[x1, y1], [x2, y2]] = ends.map((node) => places.get(node));
  element(svg, "line", { class: "link", x1, y1, x2, y2 });
  const middle = [(x1 + x2) / 2, (y1 + y2) / 2];
  const text = (dy, words, className) => words && element(svg, "text",
    { x: middle[0], y: middle[1] + dy, "text-anchor": "middle", class: className }, words);
  const names = [...new Set(links.map(({ name }) => stem(name.replace(/\.back/, ""))))];
  // Above the boxes of nodes, which may be close.
  text(-31, names.slice(0, 3).join(", ") + (names.length > 3 ? ", ..." : ""));
  const delays = several(links.map(({ delay }) => delay)).replace("kinds", "delays");
  text(-18, [several(links.map(({ rate }) => rate)).replace("kinds", "rates"), delays].filter(Boolean).join(", "), "small");
  let line = 0;
  for (const [place, end] of ends.entries()) {
    const ports = links.filter(({ from }) => stem(from) === end);
    const [x, y] = places.get(end), far = places.get(ends[1 - place]);
    const length = Math.hypot(far[0] - x, far[1] - y) || 1;
    const from = 24 + 3.5 * (end.length + 5);
    const at = (away) => [x + (far[0] - x) / length * away, y + (far[1] - y) / length * away];
    line += drawPort(svg, ports, at(from), at(from + 22), place, line);
  }
}

/** The queue, and the pacer before it, with their descriptions below, from this line of text on; returns their number. */
function drawPort(svg, ports, near, next, place, first) {
  if (!ports.length || ports[0].queue === undefined) return 0;
  const pacer = several(ports.map(({ pacer }) => (pacer === "none" ? null : pacer))), queue = several(ports.map(({ queue }) => queue));
  const [x, y] = pacer ? next : near;
  for (const dx of [-6, -2, 2]) element(svg, "rect", { class: "queue", x: x + dx, y: y - 7, width: 3, height: 14 });
  if (pacer) element(svg, "circle", { class: "pacer", cx: near[0], cy: near[1], r: 7 });
  const lossy = ports.some(({ loss }) => loss) ? ", loss on the wire" : "";
  // The usual, unlimited buffer needs no words.
  const words = [pacer && `pacer ${pacer}`, queue === "unlimited buffer" ? lossy.replace(", ", "") : queue + lossy].filter(Boolean);
  words.forEach((text, line) => element(svg, "text",
    { x: near[0], y: near[1] + 20 + 12 * (first + line), "text-anchor": place ? "end" : "start", class: "small" }, text));
  return words.length;
}

/** An arc over the network for each pair of groups between which packets are coded. */
function drawCoders(svg, coders, places) {
  const pairs = new Map();
  for (const { encoder, decoder, block } of coders) {
    const key = `${stem(encoder)}\u0000${stem(decoder)}`;
    if (!pairs.has(key)) pairs.set(key, { ends: [stem(encoder), stem(decoder)], blocks: [], count: 0 });
    pairs.get(key).blocks.push(`${block} + 1`);
    pairs.get(key).count += 1;
  }
  for (const { ends, blocks, count } of pairs.values()) {
    if (!ends.every((end) => places.has(end))) continue;
    const [[x1, y1], [x2, y2]] = ends.map((end) => places.get(end));
    const top = Math.min(y1, y2) - 50;
    element(svg, "path", { class: "coder", d: `M ${x1} ${y1 - 14} Q ${(x1 + x2) / 2} ${top} ${x2} ${y2 - 14}` });
    const pairsOf = count > 1 ? `, ${count} pairs` : "";
    element(svg, "text", { x: (x1 + x2) / 2, y: (top + Math.min(y1, y2) - 14) / 2 - 4, "text-anchor": "middle", class: "small" },
      `FEC, blocks of ${several(blocks)}${pairsOf}`);
  }
}

/** Nodes by their distance from the first. */
function layered(nodes, joined) {
  const depth = new Map();
  for (const start of nodes) {
    if (depth.has(start)) continue;
    depth.set(start, 0);
    const next = [start];
    while (next.length) {
      const node = next.shift();
      for (const { ends } of joined) {
        const other = ends[0] === node ? ends[1] : ends[1] === node ? ends[0] : null;
        if (other !== null && !depth.has(other)) { depth.set(other, depth.get(node) + 1); next.push(other); }
      }
    }
  }
  const layers = [];
  for (const [node, at] of depth) (layers[at] = layers[at] || []).push(node);
  return layers;
}

function element(parent, name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
}
