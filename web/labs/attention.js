// The attention lab's pictures. Every number comes from the result of seeformer.labs.attention.run(); nothing is computed here.
import { h } from "../core/dom.js";
import { number } from "../core/format.js";
import { bracket, product, sum } from "../core/lab/reading.js";
import { comfortable } from "../core/heatmap/fit.js";
import { pairwise, signed, weighty } from "../core/lab/pictures.js";
import { entry } from "../core/lab/slice.js";
import { arrow, createStage, modeSwitch, sign } from "../core/lab/stage.js";
import { hasText, t } from "../core/text.js";

const W = "labs.attention";
const isPaper = ({ weight_set }) => weight_set === "paper";
const hasSeed = ({ weight_set }) => weight_set !== "paper";
const paper = (name, rows) => ({ name: `paper_${name}`, kind: "matrix", shape: [rows, 2], when: isPaper });

const controls = [
  { name: "tokens", kind: "tokens", max: 128 },
  { name: "weight_set", kind: "choice", options: ["hand_built", "random_scaled", "random_001", "paper"] },
  { name: "num_heads", kind: "range", min: 1, max: 8, when: hasSeed },
  { name: "d_model", kind: "range", min: 8, max: 256, step: 8, when: hasSeed },
  { name: "sharpness", kind: "range", min: 0, max: 4, step: 0.1 },
  { name: "seed", kind: "range", min: 0, max: 99, when: hasSeed },
  { name: "padding", kind: "range", min: 0, max: (params) => (isPaper(params) ? params.paper_X.length : params.tokens.length) },
  { name: "causal", kind: "check" },
  { name: "scaled", kind: "check" },
  { name: "positional", kind: "check", when: hasSeed },
  paper("X", 3), paper("W_Q", 2), paper("W_K", 2), paper("W_V", 2), paper("W_O", 2),
];

const actions = [
  { id: "reseed", when: hasSeed, apply: ({ seed }) => ({ seed: (seed + 1) % 100 }) },
  { id: "shuffle", when: hasSeed, apply: ({ shuffle }) => ({ shuffle: shuffle + 1 }) },
  { id: "unshuffle", when: (params) => hasSeed(params) && params.shuffle !== 0, apply: () => ({ shuffle: 0 }) },
];

function formula({ n, d_k, num_heads, scale }, { scaled, sharpness, causal, padding }) {
  const mask = causal || padding ? "+\\text{mask}" : "";
  const times = sharpness === 1 ? "" : `\\cdot ${number(sharpness)}`;
  const scores = scaled ? `\\frac{QK^\\top}{\\sqrt{d_k}}${times}` : `QK^\\top${times}`;
  const numbers = scaled ? `\\dfrac{${sharpness === 1 ? 1 : number(sharpness)}}{\\sqrt{${d_k}}} = ${number(scale)}` : `\\text{scale} = ${number(scale)}`;
  return [
    `\\text{weights} = \\operatorname{softmax}\\!\\left(${scores}${mask}\\right),\\quad \\text{output} = \\operatorname{Concat}(\\text{weights}\\,V)\\,W_O`,
    `${numbers},\\quad Q, K, V \\in \\mathbb{R}^{${num_heads}\\times ${n}\\times ${d_k}}`,
  ];
}

const PENCIL = 4; // so few tokens leave room for the numbers in the cells

/** How wide a head's weights may be: four, three or two beside each other. */
const roomy = (n) => (n <= 16 ? 214 : n <= 48 ? 290 : 440);

const PAIRS = ["dots", "scores", "masked", "weights"];

/** What a cell is made of and what it goes into: rows, columns and cells of the other pictures. */
function related({ name, index, row, col }, { d_k }) {
  const head = index ?? Math.floor(col / d_k);
  const inHead = col % d_k;
  const pair = PAIRS.map((array) => ({ name: array, index, row, col, cells: [[row, col]] }));
  if (PAIRS.includes(name)) return [...pair, { name: "mask", row, col, cells: [[row, col]] }, { name: "Q", index, row }, { name: "K", index, row: col }, { name: "V", index, row: col }, { name: "heads", index, row }, { name: "X", row }];
  if (name === "Q") return [{ name: "X", row }, { name: "W_Q", col: index * d_k + col }, ...PAIRS.map((array) => ({ name: array, index, row })), { name, index, row, col }];
  if (name === "K") return [{ name: "X", row }, { name: "W_K", col: index * d_k + col }, ...PAIRS.map((array) => ({ name: array, index, col: row })), { name, index, row, col }];
  if (name === "V") return [{ name: "X", row }, { name: "W_V", col: index * d_k + col }, { name: "weights", index, col: row }, { name: "heads", index, col }, { name, index, row, col }];
  if (name === "heads") return [{ name: "weights", index, row }, { name: "V", index, col }, { name: "concat", cells: [[row, index * d_k + col]] }, { name, index, row, col }];
  if (name === "concat") return [{ name: "heads", index: head, cells: [[row, inHead]], row }, { name: "output", row }, { name, row, col }];
  if (name === "output") return [{ name: "concat", row }, { name: "W_O", col }, { name, row, col }, { name: "difference", cells: [[row, col]] }, { name: "output_original", cells: [[row, col]] }];
  if (["X", "embedding", "positions"].includes(name)) return [...["X", "embedding", "positions"].map((array) => ({ name: array, row, col, cells: [[row, col]] })), ...["Q", "K", "V"].map((array) => ({ name: array, row }))];
  if (/^W_[QKV]$/.test(name)) return [{ name: "X", col: row }, { name: name.at(-1), index: head, col: inHead }, { name, row, col }];
  return [{ name, row, col }];
}

/** The arithmetic of a cell, as pieces for the reading line. */
function arithmetic({ name, index, row, col, value }, values) {
  const at = (array, ...where) => entry(values[array], ...where);
  const show = number;
  const inner = { scores: ["dots"], weights: ["peak", "exp", "total"] }[name] ?? [];
  if (!inner.every((step) => step in values)) return [show(value)]; // an edited kernel need not name its inner steps
  if (name === "dots") return [sum(values.d_k, (m) => product(at("Q", index, row, m), at("K", index, col, m))), show(value)];
  if (name === "scores") return [`(${sum(values.d_k, (m) => product(at("Q", index, row, m), at("K", index, col, m)))}) × ${show(values.scale)}`, `${show(at("dots", index, row, col))} × ${show(values.scale)}`, show(value)];
  if (name === "masked") return [`${show(at("scores", index, row, col))} + ${bracket(at("mask", row, col))}`, show(value)];
  if (name === "weights") {
    return [`exp(${show(at("masked", index, row, col))} − ${bracket(at("peak", index, row, 0))}) / Σ`, `${show(at("exp", index, row, col))} / ${show(at("total", index, row, 0))}`, show(value)];
  }
  if (/^[QKV]$/.test(name)) {
    const bias = name === "Q" && values.b_Q ? ` + ${bracket(at("b_Q", index * values.d_k + col))}` : "";
    return [sum(values.d_model, (m) => product(at("X", row, m), at(`W_${name}`, m, index * values.d_k + col))) + bias, show(value)];
  }
  if (name === "heads") return [sum(values.n, (m) => product(at("weights", index, row, m), at("V", index, m, col))), show(value)];
  if (name === "output") return [sum(values.d_model, (m) => product(at("concat", row, m), at("W_O", m, col))), show(value)];
  if (name === "X") return [`${show(at("embedding", row, col))} + ${bracket(at("positions", row, col))}`, show(value)];
  if (name === "difference") return [`${show(at("output", row, col))} − ${bracket(at("output_original", row, col))}`, show(value)];
  return [show(value)];
}

function title({ name, row, col, index }, { tokens }) {
  if (PAIRS.includes(name) || name === "mask") return t(`${W}.reading.looks`, { query: tokens[row], key: tokens[col] });
  if (/^[WB]_/i.test(name)) return t(`${W}.reading.entry`, { name, row: row + 1, column: col + 1 });
  return t(`${W}.reading.token`, { token: tokens[row], column: col + 1 }) + (index === undefined ? "" : ` · ${t(`${W}.head`, { number: index + 1 })}`);
}

function message({ n, weights, max_change }, { weight_set, positional, causal, padding, shuffle }) {
  if (padding >= n) return ["fullyMasked"];
  if (max_change !== undefined) return [max_change < 1e-6 ? "shuffleSame" : "shuffleDifferent", { change: number(max_change) }];
  if (weight_set === "random_001" && !causal && !padding && weights.data.every((weight) => Math.abs(weight * n - 1) < 0.2)) return ["uniform", { n }];
  if (weight_set === "hand_built" && !positional && !shuffle) return ["noPosition"];
  return null;
}

const kindOf = (name) => name.replace(/_\d+$/, "");
const headWords = (name) => [`${W}.heads.${kindOf(name)}`, { k: /\d+$/.exec(name)?.[0] }];
const headLabel = (index, name) => [h("span", { text: [`${W}.head`, { number: index + 1 }] }), " ", h("span", { class: "soft", text: headWords(name) })];

function view(root, { hover, showCode }) {
  const stage = createStage(root, { words: W, related, read: (cell, values) => ({ title: title(cell, values), steps: arithmetic(cell, values) }), hover, showCode });
  let head = 0; // or "all"
  let mode = "unit";
  let built = null;
  let shown = null; // [values, params]

  function chooser(which, ...content) {
    const choose = ({ currentTarget }) => {
      const place = currentTarget.closest(".picker") ? ".picker" : "figcaption";
      head = which;
      draw(...shown);
      root.querySelector(`${place} [data-head="${which}"]`).focus(); // the buttons were made anew
    };
    return h("button", { type: "button", class: "head", "aria-pressed": String(head === which), dataset: { head: which }, on: { click: choose } }, ...content);
  }

  function setMode(next) {
    mode = next;
    stage.setMode(mode);
  }

  function build({ n, head_names, output_original }, { cell, placed }) {
    const wide = (name, options) => signed(name, { cell, maxWidth: 290, ...options });
    const narrow = (name, index) => signed(name, { index, cell, maxWidth: 170 });
    const pair = (name, index) => pairwise(name, index, { cell });
    const { clear, section, lay } = stage;
    clear();

    const weights = section("weights", modeSwitch(mode, setMode));
    weights.classList.add("heads");
    weights.style.setProperty("--roomy", `${roomy(n)}px`);
    lay(weights, ...head_names.map((name, index) => weighty("weights", index, { mode, maxWidth: roomy(n), caption: chooser(index, ...headLabel(index, name)) })));

    if (placed) lay(section("input"), wide("embedding"), sign("+"), wide("positions"), sign("="), wide("X"));
    else lay(section("inputNoPosition"), wide("X"));

    const picker = h("div", { class: "picker", role: "group", label: [`${W}.sections.pick`] },
      head_names.map((name, index) => chooser(index, ...headLabel(index, name))), head_names.length > 1 && chooser("all", h("span", { text: [`${W}.allHeads`] })));
    const pipeline = section("pipeline", picker);
    pipeline.classList.add("stack");
    for (const index of head === "all" ? head_names.keys() : [head]) {
      const help = `${W}.headHelp.${kindOf(head_names[index])}`;
      const row = h("div", { class: "flow" });
      if (head === "all") pipeline.append(h("h4", {}, ...headLabel(index, head_names[index])));
      if (hasText(help)) pipeline.append(h("p", { class: "help", text: [help] }));
      pipeline.append(row);
      lay(row, narrow("Q", index), narrow("K", index), arrow("Q Kᵀ · scale"), pair("scores", index), arrow("+ mask"), pair("masked", index),
        arrow("softmax"), weighty("weights", index, { cell, mode, copy: true }), sign("·"), narrow("V", index), sign("="), narrow("heads", index));
    }

    lay(section("output"), wide("concat"), arrow("· W_O"), wide("output"));
    if (output_original) lay(section("shuffle"), wide("output", { copy: true }), sign("−"), wide("output_original"), sign("="), wide("difference"));
    lay(section("matrices"), ...["W_Q", "W_K", "W_V", "W_O"].map((name) => ({ name, kind: "signed", maxWidth: 210 })));
  }

  function draw(values, params) {
    shown = [values, params];
    if (head !== "all" && head >= values.num_heads) head = 0;
    const cell = values.n <= PENCIL ? undefined : Math.min(16, comfortable(values.n));
    const placed = params.positional && !isPaper(params);
    const form = JSON.stringify([values.head_names, head, placed, "output_original" in values, cell, roomy(values.n)]);
    if (form !== built) build(values, { cell, placed });
    built = form;
    stage.update(values);
    stage.claim(message(values, params));
  }

  return { update: draw, pictures: stage.pictures, destroy: stage.clear };
}

export default { id: "attention", order: 10, cover: "weights", controls, actions, formula, view };
