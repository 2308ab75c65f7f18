// A drawing of what was computed from what: the steps from left to right in the order in which they were taken, and a line for
// each "a>b", b computed from a. Nothing is drawn that the lists do not say. Lines that pass over a step go round it on top.
import { s } from "../dom.js";

const GAP = 24;
const HEIGHT = 30;
const LIFT = 13; // between lines that go round
const CHAR = 7.3; // of the monospace letters in a box

const straight = (from, to, y) => `M${from} ${y}H${to}`;
const head = (x, y, down) => s("path", { class: "wiring-head", d: down ? `M${x} ${y}l-4 -7h8z` : `M${x} ${y}l-7 -4v8z` });

/** steps: names in order, the first being what is given; wires: ["a>b"]; names: step -> what stands in its box ("+" is round). */
export function wiring(steps, wires, names, label) {
  const pairs = wires.map((wire) => wire.split(">").map((name) => steps.indexOf(name))).filter(([from, to]) => from >= 0 && to > from);
  const round = pairs.filter(([from, to]) => to > from + 1).sort(([a, b], [c, d]) => b - a - (d - c));
  const middle = LIFT * round.length + 6 + HEIGHT / 2;
  const boxes = [];
  let x = 1;
  steps.forEach((step, at) => {
    const words = names[step] ?? step;
    const width = words === "+" ? HEIGHT - 2 : at === 0 ? 9 * words.length : CHAR * words.length + 16;
    boxes.push({ words, left: x, right: x + width, centre: x + width / 2, plain: at === 0 });
    x += width + GAP;
  });
  const drawn = [];
  for (const [from, to] of pairs.filter(([from, to]) => to === from + 1)) {
    drawn.push(s("path", { class: "wiring-line", d: straight(boxes[from].right + 2, boxes[to].left - 2, middle) }), head(boxes[to].left - 1, middle));
  }
  round.forEach(([from, to], level) => {
    const [start, end, y] = [boxes[from].right + GAP / 2 - 2, boxes[to].centre, middle - HEIGHT / 2 - 6 - LIFT * level];
    const bottom = middle - HEIGHT / 2 + (boxes[to].words === "+" ? 1 : 0);
    drawn.push(s("circle", { class: "wiring-tap", cx: start, cy: middle, r: 2.2 }),
      s("path", { class: "wiring-line", d: `M${start} ${middle}V${y + 5}q0 -5 5 -5H${end - 5}q5 0 5 5V${bottom - 2}` }), head(end, bottom - 1, true));
  });
  const last = boxes.at(-1);
  drawn.push(s("path", { class: "wiring-line", d: straight(last.right + 2, last.right + GAP - 4, middle) }), head(last.right + GAP - 2, middle));
  for (const { words, left, right, centre, plain } of boxes) {
    if (words === "+") drawn.push(s("circle", { class: "wiring-box", cx: centre, cy: middle, r: HEIGHT / 2 - 1 }));
    else if (!plain) drawn.push(s("rect", { class: "wiring-box", x: left, y: middle - HEIGHT / 2, width: right - left, height: HEIGHT, rx: 6 }));
    drawn.push(s("text", { class: "wiring-name", x: centre, y: middle + 4.5 }, words));
  }
  const [width, height] = [x, middle + HEIGHT / 2 + 2];
  return s("svg", { class: "wiring", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, translate: "no" }, ...drawn);
}
