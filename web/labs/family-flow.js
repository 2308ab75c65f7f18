// The data flow of one model, small: the Transformer's two stacks, of which the parts that ran are lit; the others are ghosts.
import { s } from "../core/dom.js";
import { t } from "../core/text.js";

const W = "labs.family.flow";
const STACKS = { encoder: ["self", "ffn"], decoder: ["self", "cross", "ffn"] }; // from below
const [WIDTH, GUTTER, BOX, GAP, TOP, FOOT] = [104, 18, 24, 11, 46, 22];
const INNER = 4; // between a frame and its boxes
const HEIGHT = TOP + 3 * BOX + 2 * GAP + 18 + FOOT;
const BASE = HEIGHT - FOOT - 9;

const text = (x, y, words, extra = "") => s("text", { class: `diagram-text ${extra}`, x, y }, words);
const arrow = (x, from, to) => [s("path", { class: "diagram-line", d: `M${x} ${from}V${to + 6}` }), s("path", { class: "diagram-head", d: `M${x} ${to}l-4 7h8z` })];

function box(part, middle, y, lit) {
  return s("g", { class: "diagram-part", dataset: { flow: part, state: lit ? "done" : "absent" } },
    s("rect", { class: "diagram-box", x: middle - WIDTH / 2 + INNER, y, width: WIDTH - 2 * INNER, height: BOX, rx: 6 }),
    text(middle, y + BOX / 2 + 4.5, t(`${W}.parts.${part}`)));
}

/** From the top of the encoder to a part of the decoder, from below. */
function acrossTo(place) {
  const y = (at) => BASE - at * (BOX + GAP);
  const [from, to] = [y(STACKS.encoder.length) + GAP, y(place) - BOX / 2];
  const [middle, gutter, end] = [2 + WIDTH / 2, 2 + WIDTH + GUTTER / 2, 2 + WIDTH + GUTTER + INNER];
  return [
    s("path", { class: "diagram-line memory", d: `M${middle} ${from}v-1q0 -4 4 -4H${gutter - 4}q4 0 4 4V${to - 4}q0 4 4 4H${end - 6}` }),
    s("path", { class: "diagram-head", d: `M${end - 1} ${to}l-7 -4v8z` }),
  ];
}

/** name: the model; result of run() -> an SVG element. */
export function flow(name, values) {
  const parts = values[`parts_${name}`];
  const has = (part) => parts.includes(part);
  const stacks = Object.keys(STACKS).filter((stack) => parts.some((part) => part.startsWith(stack)));
  const drawn = Object.entries(STACKS).map(([stack, kinds], at) => {
    const x = 2 + at * (WIDTH + GUTTER);
    const middle = x + WIDTH / 2;
    const lit = stacks.includes(stack);
    const top = BASE - kinds.length * (BOX + GAP) + GAP;
    const boxes = kinds.map((kind, place) => ({ part: `${stack}.${kind}`, y: BASE - (place + 1) * BOX - place * GAP }));
    return s("g", { class: "diagram-column", dataset: { state: lit ? "there" : "absent" } },
      s("rect", { class: "diagram-frame", x: x - 1, y: top - 9, width: WIDTH + 2, height: BASE - top + 18, rx: 9 }),
      boxes.map(({ part, y }) => box(part, middle, y, has(part))),
      lit && boxes.slice(1).flatMap(({ y }) => arrow(middle, y + BOX + GAP, y + BOX + 1)),
      ...(lit ? arrow(middle, HEIGHT - FOOT + 7, BASE) : []),
      lit && text(middle, HEIGHT - 3, values[`${stack}_shape_${name}`], "small"),
      text(middle, top - 14, t(`${W}.${lit ? stack : `no_${stack}`}`, { layers: values.num_layers }), lit ? "title" : "small"),
      lit && stack === stacks.at(-1) && [...arrow(middle, top - 29, 16), text(middle, 11, t(`${W}.out.${name}`), "tokens")]);
  });
  const memory = has("decoder.cross") && acrossTo(STACKS.decoder.indexOf("cross"));
  return s("svg", { class: "diagram", viewBox: `0 0 ${2 * WIDTH + GUTTER + 4} ${HEIGHT}`, role: "img", "aria-label": t(`${W}.label.${name}`) }, drawn, memory);
}
