"use strict";
// The data of the page: columns of numbers, packed as described in points.rs.

const DATA = JSON.parse(document.getElementById("data").textContent);

/** Inflates and decodes packed columns into an object of typed arrays by name. */
async function unpack(columns) {
  const found = {};
  for (const { name, count, bytes } of columns || []) {
    found[name] = decode(await inflate(bytes), count);
  }
  return found;
}

async function inflate(base64) {
  const text = atob(base64), packed = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) packed[at] = text.charCodeAt(at);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Differences in zigzag order, seven bits a byte. Values stay below 2^53. */
function decode(bytes, count) {
  const values = new Float64Array(count);
  let at = 0, last = 0;
  for (let row = 0; row < count; row++) {
    let rest = 0, factor = 1, byte;
    do {
      byte = bytes[at++];
      rest += (byte & 0x7f) * factor;
      factor *= 128;
    } while (byte & 0x80);
    last += rest % 2 === 0 ? rest / 2 : -(rest + 1) / 2;
    values[row] = last;
  }
  return values;
}

/** The first index in [from, to) whose value is not below the limit. */
function lowerBound(values, limit, from, to) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (values[middle] < limit) from = middle + 1; else to = middle;
  }
  return from;
}

const OUTCOMES = ["sent", "dropped: queue full", "dropped by script", "lost on the wire",
  "refused by the pacer", "dropped early", "dropped later"];
const KINDS = ["data", "ACK", "repair packet"];

/** The passages of packets at ports. */
class Packets {
  constructor(columns) {
    Object.assign(this, columns);
    this.count = this.t ? this.t.length : 0;
    this.places = new Map();
    for (let row = 0; row < this.count;) {
      const place = this.place[row];
      const end = lowerBound(this.place, place + 1, row, this.count);
      this.places.set(place, [row, end]);
      row = end;
    }
  }
  flow(row) { return Math.floor(this.place[row] / 1048576); }
  link(row) { return this.place[row] % 1048576; }
  kind(row) { return this.flags[row] & 3; }
  outcome(row) { return (this.flags[row] >> 2) & 7; }
  isAgain(row) { return (this.flags[row] & 32) !== 0; }
  isMarked(row) { return (this.flags[row] >> 7 & 3) === 3; }
  isRepaired(row) { return (this.flags[row] & 64) !== 0; }
  released(row) { return this.release[row] ? this.t[row] + this.release[row] - 1 : null; }
  left(row) { return this.departure[row] ? this.t[row] + this.departure[row] - 1 : null; }
  /** Ranges of rows of a flow, by link. */
  ofFlow(flow) {
    return [...this.places].filter(([place]) => Math.floor(place / 1048576) === flow)
      .map(([place, range]) => ({ link: place % 1048576, from: range[0], to: range[1] }));
  }
  /** Ranges of rows at a link, by flow. */
  atLink(link) {
    return [...this.places].filter(([place]) => place % 1048576 === link).map(([, range]) => range);
  }
}
