// The mask lab's pictures. Every number comes from the result of seeformer.labs.mask.run(); nothing is computed here.
import { h, say } from "../core/dom.js";
import { number } from "../core/format.js";
import { comfortable } from "../core/heatmap/fit.js";
import { pairwise, signed, weighty } from "../core/lab/pictures.js";
import { bracket, product, sum } from "../core/lab/reading.js";
import { entry } from "../core/lab/slice.js";
import { arrow, createStage, modeSwitch, sign } from "../core/lab/stage.js";
import { t } from "../core/text.js";

const W = "labs.mask";
const isPaper = ({ weight_set }) => weight_set === "paper";
const isText = (params) => !isPaper(params);
const labels = (params) => (isPaper(params) ? params.paper_scores.map((_, at) => `x${at + 1}`) : params.tokens);
const length = (params) => labels(params).length;

const controls = [
  { name: "tokens", kind: "tokens", max: 32, when: isText },
  { name: "weight_set", kind: "choice", options: ["random_scaled", "hand_built", "paper"] },
  { name: "window", kind: "range", min: 0, max: length },
  { name: "padding", kind: "range", min: 0, max: length },
  { name: "change_at", kind: "range", min: 0, max: length },
  { name: "empty_row", kind: "range", min: 1, max: length },
  { name: "seed", kind: "range", min: 0, max: 99, when: isText },
  { name: "causal", kind: "check" },
  { name: "padding_left", kind: "check", when: ({ padding }) => padding !== 0 },
  { name: "drawn", kind: "grid", rows: labels },
  { name: "paper_scores", kind: "matrix", shape: [4, 4], when: isPaper },
  { name: "paper_V", kind: "matrix", shape: [4, 2], when: isPaper },
];

const actions = [{ id: "reseed", when: isText, apply: ({ seed }) => ({ seed: (seed + 1) % 100 }) }];

const PARTS = ["causal", "window", "padding", "drawn"];
const partsOf = (values) => PARTS.map((kind) => `mask_${kind}`).filter((name) => name in values);

function formula(values, { window, padding }) {
  const word = { causal: "\\text{causal}", window: `\\text{window}(${window})`, padding: `\\text{padding}(${padding})`, drawn: "\\text{drawn}" };
  const parts = partsOf(values).map((name) => word[name.slice(5)]).join(" + ") || "0";
  return [
    "\\text{weights}_{ij} = \\dfrac{\\exp(\\text{scores}_{ij} + \\text{mask}_{ij})}{\\sum_{k}\\exp(\\text{scores}_{ik} + \\text{mask}_{ik})}",
    "\\text{mask}_{ij}\\in\\{0, -\\infty\\}",
    `\\text{mask} = ${parts}`,
    ` \\#\\{\\text{mask}_{ij} = 0\\} = ${values.visible}\\,/\\,${values.cells}`,
  ];
}

const PAIRS = ["scores", "mask", "masked", "weights", "weights_unmasked", "zeroed", "emptied_scores", "naive_weights", "emptied_weights", ...PARTS.map((kind) => `mask_${kind}`)];
const WAYS = ["masked", "unmasked", "zeroed"];
const CHANGES = WAYS.map((way) => `difference_${way}`);
const OUTPUTS = ["output", "output_alone", "prefix_difference", "naive_output", "naive_next", "emptied_output", "emptied_next", ...CHANGES];
const SUMS = { row_sums: "weights", zeroed_sums: "zeroed" };
const MIXES = { output: "weights", naive_output: "naive_weights", emptied_output: "emptied_weights" }; // what is multiplied by V
const MINUS = { prefix_difference: ["output", "output_alone"], ...Object.fromEntries(WAYS.map((way) => [`difference_${way}`, [`after_${way}`, `before_${way}`]])) };
const ROWS = [...Object.keys(SUMS), "moved"];

/** What a cell is made of and what it goes into: rows, columns and cells of the other pictures. */
function related({ name, row, col }) {
  const all = (names, where) => names.map((each) => ({ name: each, ...where }));
  if (PAIRS.includes(name)) return [...all(PAIRS, { row, col, cells: [[row, col]] }), ...all([...OUTPUTS, ...ROWS, "X", "Q"], { row }), { name: "K", row: col }, { name: "V", row: col }];
  if (OUTPUTS.includes(name)) return [...all(OUTPUTS, { row, col, cells: [[row, col]] }), ...all([...PAIRS, ...ROWS], { row }), { name: "V", col }];
  if (name === "moved") return [{ name, row, col }, { name: CHANGES[col], row }, { name: "mask", row }];
  if (name in SUMS) return all([...Object.keys(SUMS), ...PAIRS, ...OUTPUTS], { row });
  if (name === "Q") return [{ name, row, col }, { name: "X", row }, { name: "W_Q", col }, ...all(PAIRS, { row })];
  if (name === "K" || name === "V") return [{ name, row, col }, { name: "X", row }, { name: `W_${name}`, col }, ...all(PAIRS, { col: row }), ...(name === "V" ? all(OUTPUTS, { col }) : [])];
  if (name === "X") return [{ name, row, col }, ...["Q", "K", "V"].map((each) => ({ name: each, row }))];
  return [{ name, row, col }, { name: "X", col: row }, { name: name.at(-1), col }]; // a matrix
}

/** The arithmetic of a cell, as pieces for the reading line. */
function arithmetic({ name, row, col, value }, values) {
  const at = (array, ...where) => entry(values[array], ...where);
  const here = (array) => at(array, row, col);
  const width = (array) => values[array].shape.at(-1);
  const show = number;
  const inner = { scores: ["dots"], weights: ["peak", "exp", "total"] }[name] ?? [];
  if (!inner.every((step) => step in values)) return [show(value)]; // an edited kernel need not name its inner steps
  if (name === "scores") return [`(${sum(values.d_k, (m) => product(at("Q", row, m), at("K", col, m)))}) × ${show(values.scale)}`, `${show(here("dots"))} × ${show(values.scale)}`, show(value)];
  if (name === "mask") return [partsOf(values).map((part) => bracket(here(part))).join(" + ") || "0", show(value)];
  if (name === "masked") return [`${show(here("scores"))} + ${bracket(here("mask"))}`, show(value)];
  if (name === "weights") return [`exp(${show(here("masked"))} − ${bracket(at("peak", row, 0))}) / Σ`, `${show(here("exp"))} / ${show(at("total", row, 0))}`, show(value)];
  if (name === "zeroed") return [here("mask") === 0 ? show(here("weights_unmasked")) : `${show(here("weights_unmasked"))} × 0`, show(value)];
  if (name === "naive_weights" && Number.isNaN(value)) return [`exp(${show(here("emptied_scores"))} − ${bracket(here("emptied_scores"))}) / Σ`, show(value)];
  if (name in SUMS) return [sum(values.n, (m) => show(at(SUMS[name], row, m))), show(value)];
  if (name === "moved") return [`max |${CHANGES[col]}[${row}]|`, show(value)];
  if (name in MINUS) return [`${show(here(MINUS[name][0]))} − ${bracket(here(MINUS[name][1]))}`, show(value)];
  if (name in MIXES) return [sum(values.n, (m) => product(at(MIXES[name], row, m), at("V", m, col))), show(value)];
  if (/^[QKV]$/.test(name)) return [sum(width("X"), (m) => product(at("X", row, m), at(`W_${name}`, m, col))), show(value)];
  return [show(value)];
}

function title({ name, row, col }, { tokens }) {
  if (PAIRS.includes(name)) return t(`${W}.reading.looks`, { query: tokens[row], key: tokens[col] });
  if (ROWS.includes(name)) return t(`${W}.reading.row`, { token: tokens[row] });
  if (/^W_/.test(name)) return t(`${W}.reading.entry`, { name, row: row + 1, column: col + 1 });
  return t(`${W}.reading.token`, { token: tokens[row], column: col + 1 });
}

function message(values, params) {
  const { blind_rows, visible, cells } = values;
  const kinds = partsOf(values);
  if (blind_rows) return ["claims.blind", { rows: blind_rows }];
  if (visible === cells) return ["claims.open"];
  if (kinds.length === 1) return [`claims.${kinds[0].slice(5)}`, { window: params.window, padding: params.padding, visible, cells }];
  return ["claims.several", { kinds: kinds.length, visible, cells }];
}

/** The line above each experiment's pictures: [key, vars]. */
const TOLD = {
  zeroed: ({ zeroed_least, repair_error }) => ["told.zeroed", { least: number(zeroed_least, 3), error: number(repair_error, 2) }],
  leak: (values) => [values.changed === 1 ? "told.leakFirst" : values.moved_zeroed > values.moved_masked ? "told.leak" : "told.leakPlain", {
    other: values.replaced_tokens[values.changed - 1], at: values.changed, before: values.changed - 1,
    masked: values.moved_masked, unmasked: values.moved_unmasked, zeroed: values.moved_zeroed,
  }],
  empty: ({ emptied, naive_next_nan_rows, emptied_next_nan_rows, n }) => ["told.empty", { at: emptied, rows: naive_next_nan_rows, ours: emptied_next_nan_rows, n }],
  prefix: ({ prefix_max, n, tokens_alone }) => [prefix_max < 1e-9 ? "told.prefixSame" : "told.prefixDifferent", { change: number(prefix_max, 2), n, alone: tokens_alone }],
};

const PENCIL = 8; // so few tokens leave room for the numbers in the cells

function view(root, { change, hover, showCode }) {
  const stage = createStage(root, { words: W, related, read: (cell, values) => ({ title: title(cell, values), steps: arithmetic(cell, values) }), hover, showCode });
  const told = Object.fromEntries(Object.keys(TOLD).map((key) => [key, h("p", { class: "told" })]));
  let mode = "unit";
  let built = null;
  let shown = null;

  function setMode(next) {
    mode = next;
    stage.setMode(mode);
  }

  /** Takes the whole mask over into the drawing, where single cells can be changed. */
  function drawThis() {
    const { mask, n } = shown;
    const drawn = Array.from({ length: n }, (_, row) => Array.from({ length: n }, (_, col) => (entry(mask, row, col) === 0 ? "1" : "0")).join(""));
    change({ drawn, causal: false, window: 0, padding: 0 });
  }

  function build({ n }, parts, params) {
    const cell = n <= PENCIL ? 36 : Math.min(20, comfortable(n));
    const pair = (name) => pairwise(name, undefined, { cell });
    const share = (name, options) => weighty(name, undefined, { cell, mode, ...options });
    const vectors = (name, options) => signed(name, { cell, maxWidth: 220, ...options });
    const column = (name) => signed(name, { cell });
    const { clear, section, lay } = stage;
    const step = (key) => arrow(h("span", { text: [`${W}.steps.${key}`] }));
    /** A row of pictures below what a section has already, with a heading of its own if `key` is given. */
    const more = (place, key, ...parts) => {
      const row = h("div", { class: "flow" });
      place.append(...[key && h("h4", { text: [`${W}.parts.${key}`] }), row].filter(Boolean));
      lay(row, ...parts);
    };
    clear();

    const takeOver = h("button", { type: "button", class: "button", text: [`${W}.drawThis`], dataset: { action: "draw" }, on: { click: drawThis } });
    const pipeline = section("pipeline", h("div", { class: "picker" }, modeSwitch(mode, setMode), takeOver));
    lay(pipeline, pair("scores"), sign("+"), pair("mask"), sign("="), pair("masked"));
    more(pipeline.parentElement, null, arrow("softmax"), share("weights"), step("sum"), column("row_sums"));
    if (parts.length > 1) lay(section("parts"), ...parts.flatMap((name) => [sign("+"), pair(name)]).slice(1), sign("="), pairwise("mask", undefined, { cell, copy: true }));
    lay(section("zeroed", told.zeroed), share("weights_unmasked"), step("hide"), share("zeroed"), step("sum"), column("zeroed_sums"));

    const leak = section("leak", told.leak);
    for (const way of WAYS) {
      const group = h("div", {});
      leak.append(group);
      more(group, way, vectors(`difference_${way}`, { rows: "replaced_tokens", maxWidth: 180 }));
    }
    lay(leak, signed("moved", { rows: "replaced_tokens", cols: "ways", cell }));

    const empty = section("empty", told.empty).parentElement;
    more(empty, "naive", pair("emptied_scores"), arrow("naive_softmax"), share("naive_weights"), arrow("· V"), vectors("naive_output"));
    more(empty, "ours", pairwise("emptied_scores", undefined, { cell, copy: true }), arrow("softmax"), share("emptied_weights"), arrow("· V"), vectors("emptied_output"));
    more(empty, "next", vectors("naive_next"), vectors("emptied_next"));

    lay(section("prefix", told.prefix), vectors("output"), sign("−"), vectors("output_alone"), sign("="), vectors("prefix_difference"));
    const matrix = (name) => ({ name, kind: "signed", maxWidth: 170 });
    lay(section(isPaper(params) ? "paper" : "source"), vectors("X", { maxWidth: 290 }), ...["Q", "K", "V"].map((name) => vectors(name)), ...["W_Q", "W_K", "W_V"].map(matrix));
  }

  function draw(values, params) {
    shown = values;
    const parts = partsOf(values);
    const form = JSON.stringify([values.n, parts, isPaper(params)]);
    if (form !== built) build(values, parts, params);
    built = form;
    for (const [key, line] of Object.entries(told)) {
      const [words, vars] = TOLD[key](values);
      say(line, "text", `${W}.${words}`, vars);
    }
    stage.update(values);
    stage.claim(message(values, params));
  }

  return { update: draw, pictures: stage.pictures, destroy: stage.clear };
}

export default { id: "mask", order: 30, cover: "weights", controls, actions, formula, view };
