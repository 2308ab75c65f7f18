// The lines of the drawing, one for each wire of the result that does not stay inside a closed layer.
import { s } from "../core/dom.js";
import { GUTTER } from "./architecture-layout.js";

const arrowUp = (x, y) => s("path", { class: "diagram-head", d: `M${x} ${y}l-4 7h8z` });
const arrowAside = (x, y, to) => s("path", { class: "diagram-head", d: `M${x} ${y}l${-7 * to} -4v8z` });
const line = (d, extra = "") => s("path", { class: `diagram-line ${extra}`, d });

/** [{from, to, shape}] of parts; wires that end in the same two parts are one. */
export function wiresBetween(parts, { wires, carried }) {
  const partOf = (name) => parts.find(({ stands }) => stands.includes(name));
  const found = new Map();
  wires.forEach((wire, at) => {
    const [from, to] = wire.split(">").map(partOf);
    if (from !== to) found.set(`${from.name}>${to.name}`, { from, to, wire, shape: carried[at] });
  });
  return [...found.values()];
}

/** Straight up from one part to the next. */
function upwards(from, to) {
  const x = from.column.middle;
  return { elements: [line(`M${x} ${from.y}V${to.y + to.height + 6}`), arrowUp(x, to.y + to.height + 1)], label: { x: x + (from.column.lane < x ? 8 : -8), y: (from.y + to.y + to.height) / 2 + 4, before: from.column.lane > x } };
}

/** The residual connection: round what stands between, in the lane beside the column. */
function around(from, to) {
  const { middle, lane } = from.column;
  const side = lane < middle ? 1 : -1;
  const [start, end, edge] = [from.y - 6, to.y + to.height / 2, middle - side * (to.width / 2)];
  const d = `M${middle} ${start}H${lane + 5 * side}q${-5 * side} 0 ${-5 * side} -5V${end + 5}q0 -5 ${5 * side} -5H${edge - 7 * side}`;
  return { elements: [s("circle", { class: "diagram-tap", cx: middle, cy: start, r: 2.4 }), line(d, "stream"), arrowAside(edge - side, end, side)] };
}

/** From the top of one column to a part of the other: keys and values for cross-attention. */
function across(from, to) {
  const [out, gutter] = [from.y - 15, to.x - GUTTER / 2];
  const end = to.y + to.height / 2;
  const way = Math.sign(end - out) * 5;
  const d = `M${from.column.middle} ${from.y}V${out + 5}q0 -5 5 -5H${gutter - 5}q5 0 5 ${way}V${end - way}q0 ${way} 5 ${way}H${to.x - 8}`;
  return { elements: [line(d, "memory"), arrowAside(to.x - 1, end, 1)], label: { x: from.column.middle + 9, y: out - 5 } };
}

/** The elements of a wire, and where its shape may stand. */
export function drawWire({ from, to }) {
  if (from.column !== to.column) return across(from, to);
  const solid = from.column.parts.filter(({ kind }) => kind !== "ghost");
  return solid.indexOf(to) === solid.indexOf(from) + 1 ? upwards(from, to) : around(from, to);
}

/** A straight wire has room for its shape only where the gap is wide and no ghost stands in it. */
export const roomForShape = ({ from, to }) => {
  const gap = from.y - to.y - to.height;
  return from.column !== to.column || (gap > 15 && gap < 40);
};
