// The network as a drawing: nodes of one name with indices are one node, left[0..19].

/** The name without the index of one of many. */
function stem(name) { return name.replace(/\[\d+\]$/, ""); }

function drawNetwork(svg, links) {
  const counts = new Map(), members = new Map(), joined = new Map();
  for (const { name, from, to } of links) {
    for (const node of [from, to]) {
      if (!members.has(stem(node))) members.set(stem(node), new Set());
      members.get(stem(node)).add(node);
    }
    const key = [stem(from), stem(to)].sort().join("\u0000");
    if (!joined.has(key)) joined.set(key, { ends: [stem(from), stem(to)], names: new Set() });
    joined.get(key).names.add(stem(name));
    counts.set(key, (counts.get(key) || 0) + 1);
  }
  const layers = layered([...members.keys()], [...joined.values()]);
  const across = 1000 / Math.max(1, layers.length);
  const height = 70 * Math.max(...layers.map((layer) => layer.length), 1) + 40;
  const places = new Map();
  layers.forEach((layer, column) => layer.forEach((node, row) => {
    places.set(node, [across * (column + 0.5), (height / layer.length) * (row + 0.5)]);
  }));
  svg.setAttribute("viewBox", `0 0 1000 ${height}`);
  for (const { ends, names } of joined.values()) {
    const [[x1, y1], [x2, y2]] = ends.map((node) => places.get(node));
    element(svg, "line", { class: "link", x1, y1, x2, y2 });
    const label = [...names].slice(0, 3).join(", ") + (names.size > 3 ? ", ..." : "");
    element(svg, "text", { x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 6, "text-anchor": "middle" }, label);
  }
  for (const [node, [x, y]] of places) {
    const count = members.get(node).size;
    const label = count > 1 ? `${node} (${count})` : [...members.get(node)][0];
    const width = 16 + 7 * label.length;
    element(svg, "rect", { class: "node", x: x - width / 2, y: y - 14, width, height: 28, rx: 6 });
    element(svg, "text", { x, y: y + 4, "text-anchor": "middle" }, label);
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
