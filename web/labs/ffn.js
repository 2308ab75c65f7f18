// The feed-forward lab's pictures. Every number comes from the result of seeformer.labs.ffn.run(); nothing is computed here.
import { h, say } from "../core/dom.js";
import { number } from "../core/format.js";
import { comfortable } from "../core/heatmap/fit.js";
import { signed } from "../core/lab/pictures.js";
import { bracket, product, sum } from "../core/lab/reading.js";
import { entry } from "../core/lab/slice.js";
import { arrow, createStage, sign } from "../core/lab/stage.js";
import { points } from "../core/chart/points.js";
import { t } from "../core/text.js";

const W = "labs.ffn";
const isPaper = ({ weight_set }) => weight_set === "paper";
const hasSeed = ({ weight_set }) => weight_set !== "paper";
const paper = (name, rows, columns) => ({ name: `paper_${name}`, kind: "matrix", shape: [rows, columns], when: isPaper });

const controls = [
  { name: "tokens", kind: "tokens", max: 128, when: hasSeed },
  { name: "weight_set", kind: "choice", options: ["random", "detectors", "paper"] },
  { name: "activation", kind: "choice", options: ["relu", "gelu", "gelu_tanh"] },
  { name: "d_model", kind: "range", min: 4, max: 64, step: 4, when: hasSeed },
  { name: "multiple", kind: "range", min: 1, max: 8, when: hasSeed },
  { name: "unit", kind: "range", min: 1, max: (params) => (isPaper(params) ? params.paper_W_1[0].length : params.d_model * params.multiple) },
  { name: "changed", kind: "range", min: 0, max: (params) => (isPaper(params) ? params.paper_X.length : params.tokens.length) },
  { name: "seed", kind: "range", min: 0, max: 99, when: hasSeed },
  { name: "bias", kind: "check", when: ({ weight_set }) => weight_set !== "detectors" },
  paper("X", 3, 2), paper("W_1", 2, 4), paper("b_1", 1, 4), paper("W_2", 4, 2), paper("b_2", 1, 2),
];

const actions = [
  { id: "reseed", when: hasSeed, apply: ({ seed }) => ({ seed: (seed + 1) % 100 }) },
  { id: "shuffle", when: hasSeed, apply: ({ shuffle }) => ({ shuffle: shuffle + 1 }) },
  { id: "unshuffle", when: (params) => hasSeed(params) && params.shuffle !== 0, apply: () => ({ shuffle: 0 }) },
];

function formula({ activation, d_model, d_ff, b_1, parameters_ffn, parameters_attention }) {
  const [first, second] = b_1 ? ["xW_1 + b_1", "\\,W_2 + b_2"] : ["xW_1", "\\,W_2"];
  const bent = activation === "relu" ? `\\max(0,\\; ${first})` : `\\operatorname{GELU}(${first})`;
  const curve = { gelu: ",\\quad \\operatorname{GELU}(z) = z\\,\\Phi(z)", gelu_tanh: ",\\quad \\operatorname{GELU}(z) \\approx \\tfrac{z}{2}\\left(1 + \\tanh\\!\\left(\\sqrt{\\tfrac{2}{\\pi}}\\,(z + 0.044715\\,z^3)\\right)\\right)" }[activation] ?? "";
  const [biases, attention] = b_1 ? [` + ${d_ff} + ${d_model}`, ` + 4\\cdot ${d_model}`] : ["", ""];
  return [
    `\\operatorname{FFN}(x) = ${bent}${second}${curve}`,
    `W_1 \\in \\mathbb{R}^{${d_model}\\times ${d_ff}},\\quad W_2 \\in \\mathbb{R}^{${d_ff}\\times ${d_model}}`,
    `\\operatorname{FFN}\\!:\\; 2\\cdot ${d_model}\\cdot ${d_ff}${biases} = ${parameters_ffn}`,
    `\\operatorname{MultiHead}\\!:\\; 4\\cdot ${d_model}^2${attention} = ${parameters_attention}`,
  ];
}

const PENCIL = 4; // so few tokens leave room for the numbers in the cells
const HIDDEN = ["pre_activation", "hidden"];
const VECTORS = ["X", "output", "difference", "difference_attention", "difference_shuffled", "output_original", "contribution"];

/** What a cell is made of and what it goes into: rows, columns and cells of the other pictures and charts. */
function related({ name, row, col }, { unit }) {
  const here = { name, row, col };
  const charts = (where) => ["firing_positions", "curve"].map((chart) => ({ name: chart, ...where }));
  if (HIDDEN.includes(name)) {
    const cells = [[row, col]];
    const same = HIDDEN.map((array) => ({ name: array, row, col, cells }));
    const own = col === unit - 1 ? [{ name: "contribution", row }, { name: "unit_reads", row: 0 }, { name: "unit_writes", row: 0 }] : [];
    return [...same, { name: "X", row }, { name: "W_1", col }, { name: "b_1", row: 0, col }, { name: "W_2", row: col }, { name: "output", row }, ...own, ...charts({ row })];
  }
  if (name === "contribution") return [here, { name: "hidden", cells: [[row, unit - 1]], row, col: unit - 1 }, { name: "unit_writes", cells: [[0, col]], row: 0, col }, { name: "output", cells: [[row, col]], row, col }, ...charts({ row })];
  if (name === "W_1") return [here, { name: "X", col: row }, { name: "pre_activation", col }, { name: "hidden", col }];
  if (name === "W_2") return [here, { name: "hidden", col: row }, { name: "output", col }];
  if (name === "b_1") return [here, { name: "pre_activation", col }];
  if (name === "b_2") return [here, { name: "output", col }];
  if (name === "unit_reads") return [here, { name: "X", col }, { name: "W_1", cells: [[col, unit - 1]], row: col, col: unit - 1 }];
  if (name === "unit_writes") return [here, { name: "contribution", col }, { name: "W_2", cells: [[unit - 1, col]], row: unit - 1, col }];
  const across = VECTORS.map((array) => ({ name: array, row, col, cells: [[row, col]] }));
  if (name === "X") return [here, { name: "pre_activation", row }, { name: "hidden", row }, { name: "W_1", row: col }, ...charts({ row })];
  return [...across.filter((each) => each.name !== "X"), { name: "hidden", row }, { name: "W_2", col }, { name: "X", row }, ...charts({ row })];
}

/** The arithmetic of a cell, as pieces for the reading line. */
function arithmetic({ name, row, col, value }, values) {
  const at = (array, ...where) => entry(values[array], ...where);
  const show = number;
  const bias = (array) => (values[array] ? ` + ${bracket(at(array, col))}` : "");
  if (name === "pre_activation") return [sum(values.d_model, (m) => product(at("X", row, m), at("W_1", m, col))) + bias("b_1"), show(value)];
  if (name === "hidden") {
    if (values.activation === "relu") return [`max(0, ${show(at("pre_activation", row, col))})`, show(value)];
    if (values.gate) return [`${show(at("pre_activation", row, col))} × Φ = ${show(at("pre_activation", row, col))} × ${show(at("gate", row, col))}`, show(value)];
  }
  if (name === "output") { // units that are silent add nothing: only those that fire are spelled out
    const firing = Array.from({ length: values.d_ff }, (_, j) => j).filter((j) => at("hidden", row, j) !== 0);
    return [(sum(firing.length, (m) => product(at("hidden", row, firing[m]), at("W_2", firing[m], col))) || "0") + bias("b_2"), show(value)];
  }
  if (name === "contribution") return [product(at("unit_hidden", row), at("unit_writes", col)), show(value)];
  if (name === "difference") return [`${show(at("output_changed", row, col))} − ${bracket(at("output", row, col))}`, show(value)];
  if (name === "difference_shuffled") return [`${show(at("output", row, col))} − ${bracket(at("output_original", row, col))}`, show(value)];
  return [show(value)];
}

function title({ name, row, col }, { tokens, tokens_changed, unit_names, unit_name }) {
  if (HIDDEN.includes(name)) return t(`${W}.reading.unit`, { token: tokens[row], name: unit_names[col] });
  if (/^(W|b)_/.test(name)) return t(`${W}.reading.entry`, { name, row: row + 1, column: col + 1 });
  if (/^unit_/.test(name)) return t(`${W}.reading.${name}`, { name: unit_name, column: col + 1 });
  const token = /^(difference(_attention)?|X_changed)$/.test(name) ? tokens_changed[row] : tokens[row];
  return t(`${W}.reading.token`, { token, column: col + 1 });
}

function message({ fired, cells, zeros, silent_units, d_ff, d_model, lowest, activation, misfires }) {
  const counts = { fired, cells, zeros, silent: silent_units, units: d_ff, lowest: number(lowest, 3) };
  if (misfires > 0) return ["crowded", { misfires, cells, d_model }];
  if (misfires === 0) return ["detectors", counts];
  return [activation === "relu" ? "sparse" : "leaky", counts];
}

// Charts.

/** Words whose dots would write over each other share one label; a word that occurs twice is written once. */
function labels(dots, apart) {
  const groups = [];
  for (const { token, x, y } of dots.toSorted((a, b) => a.x - b.x)) {
    if (!groups.length || x - groups.at(-1).x > apart) groups.push({ x, y, words: [] });
    if (!groups.at(-1).words.includes(token)) groups.at(-1).words.push(token);
  }
  return groups;
}

/** The activation's curve, and on it each token's value of the chosen unit. */
const curve = {
  name: "curve", kind: "chart", array: "curves", height: 250, maxWidth: 430,
  label: ({ unit_name, activation, tokens, unit_pre_activation, unit_hidden }) => t(`${W}.chartLabels.curve`, {
    name: unit_name, activation, list: tokens.map((token, i) => `${token} ${number(unit_pre_activation.data[i], 3)} → ${number(unit_hidden.data[i], 3)}`).join(t(`${W}.chartLabels.comma`)),
  }),
  plot({ curves, curve_x, curve_names, activation, tokens, unit_pre_activation, unit_hidden }, Plot, ink, lit) {
    const lines = points(curves, { x: curve_x, names: curve_names });
    const dots = tokens.map((token, i) => ({ token, i, x: unit_pre_activation.data[i], y: unit_hidden.data[i] }));
    const words = labels(dots, (curve_x.data.at(-1) - curve_x.data[0]) / 24);
    const chosen = (d) => d.name === activation;
    return {
      x: { label: t(`${W}.chartLabels.before`), nice: false }, y: { label: t(`${W}.chartLabels.after`), nice: true }, marginBottom: 36,
      marks: [
        Plot.ruleX([0], { stroke: ink.rule }), Plot.ruleY([0], { stroke: ink.rule }),
        Plot.lineY(lines.filter((d) => !chosen(d)), { x: "x", y: "y", z: "name", stroke: ink.edge, strokeWidth: 1 }),
        Plot.lineY(lines.filter(chosen), { x: "x", y: "y", stroke: ink.accent, strokeWidth: 2 }),
        Plot.text([activation], { frameAnchor: "top-left", dx: 8, dy: 4, fill: ink.accent, fontWeight: 600, text: (d) => d }),
        Plot.text([curve_names.filter((name) => name !== activation).join(", ")], { frameAnchor: "top-left", dx: 8, dy: 22, fill: ink.soft, text: (d) => d }),
        Plot.ruleX(dots, { x: "x", y1: 0, y2: "y", stroke: ink.series[1], strokeDasharray: "2 3" }),
        Plot.dot(dots, { x: "x", y: "y", r: 4, fill: ink.series[1], stroke: ink.card, title: (d) => `${d.token}: ${number(d.x, 4)} → ${number(d.y, 4)}`, tip: true }),
        Plot.dot(dots.filter(({ i }) => i === lit?.row), { x: "x", y: "y", r: 8, stroke: ink.accent, strokeWidth: 2 }),
        Plot.text(words, { x: "x", y: "y", text: (d) => d.words.join(" "), dy: -12, fill: ink.ink, stroke: ink.card, strokeWidth: 3 }),
      ],
    };
  },
};

/** The share of the hidden units that fire, a bar a token. */
const firing = (n) => ({
  name: "firing_positions", kind: "chart", array: "firing_positions", height: 60 + Math.min(420, 20 * n), maxWidth: 340,
  label: ({ tokens, firing_positions }) => t(`${W}.chartLabels.firing_positions`, { list: tokens.map((token, i) => `${token} ${number(firing_positions.data[i], 3)}`).join(t(`${W}.chartLabels.comma`)) }),
  plot({ tokens, firing_positions }, Plot, ink, lit) {
    const bars = tokens.map((token, i) => ({ token, i, share: firing_positions.data[i] }));
    const step = Math.ceil(n / 21);
    return {
      x: { label: t(`${W}.chartLabels.share`), domain: [0, 1], percent: false, tickFormat: "%", ticks: 5 }, marginLeft: 64, marginRight: 24, marginBottom: 36,
      y: { label: null, type: "band", ticks: bars.filter(({ i }) => i % step === 0).map(({ i }) => i), tickFormat: (i) => tokens[i], tickSize: 0 },
      marks: [
        Plot.barX(bars, { x: "share", y: "i", fill: (d) => (d.i === lit?.row ? ink.accent : ink.series[0]), fillOpacity: (d) => (lit?.row === undefined || d.i === lit.row ? 1 : 0.5), title: (d) => `${d.token}: ${number(d.share, 4)}`, tip: true }),
        Plot.ruleX([0], { stroke: ink.edge }),
      ],
    };
  },
});

/** How many units fire at 0, 1, … n of the positions. */
const counts = {
  name: "units_by_count", kind: "chart", array: "units_by_count", height: 220, maxWidth: 380,
  label: ({ units_by_count, silent_units, d_ff }) => t(`${W}.chartLabels.units_by_count`, { silent: silent_units, units: d_ff, list: Array.from(units_by_count.data).join(", ") }),
  plot({ units_by_count, n }, Plot, ink) {
    const bars = Array.from(units_by_count.data, (units, count) => ({ count, units }));
    return {
      x: { label: t(`${W}.chartLabels.positions`), type: "band", ticks: bars.map(({ count }) => count).filter((count) => count % Math.ceil(n / 12) === 0), tickSize: 0 }, marginBottom: 36,
      y: { label: t(`${W}.chartLabels.units`), ticks: Math.min(4, Math.max(...units_by_count.data)) }, // whole numbers only
      marks: [
        Plot.barY(bars, { x: "count", y: "units", fill: (d) => (d.count ? ink.series[0] : ink.series[1]), title: (d) => `${d.count}: ${d.units}`, tip: true }),
        Plot.text(n <= 16 ? bars : [], { x: "count", y: "units", text: (d) => String(d.units), dy: -7, fill: ink.ink }),
        Plot.ruleY([0], { stroke: ink.edge }),
      ],
    };
  },
};

/** A bar of all numbers for attention and one for this network, a segment an array. */
const NAME = 34; // CSS px that a matrix's name takes
const parameters = {
  name: "parameters", kind: "chart", array: "parameter_counts", height: 150, maxWidth: 720,
  label: ({ parameters_attention, parameters_ffn }) => t(`${W}.chartLabels.parameters`, { attention: parameters_attention, ffn: parameters_ffn }),
  plot(values, Plot, ink) {
    const block = (name) => t(`${W}.blocks.${name}`);
    const longest = Math.max(values.parameters_attention, values.parameters_ffn);
    const parts = values.parameter_names.map((name, i) => ({
      name, block: block(values.parameter_blocks[i]), count: values.parameter_counts.data[i], start: entry(values.parameter_spans, i, 0), end: entry(values.parameter_spans, i, 1),
    }));
    const totals = [["attention", values.parameters_attention], ["ffn", values.parameters_ffn]].map(([name, count]) => ({ block: block(name), count }));
    return {
      x: { label: t(`${W}.chartLabels.count`), ticks: 5, tickFormat: "d" }, y: { label: null, domain: totals.map((each) => each.block), tickSize: 0 }, marginLeft: 72, marginRight: 64, marginBottom: 36,
      marks: [
        Plot.barX(parts, { x1: "start", x2: "end", y: "block", fill: (d) => (d.name.startsWith("b") ? ink.series[1] : ink.series[0]), stroke: ink.card, title: (d) => `${d.name}: ${d.count}`, tip: true }),
        Plot.text(parts.filter(({ name, count }) => name.startsWith("W") && (count / longest) * (ink.width - 136) > NAME), { x: "start", y: "block", text: (d) => d.name, textAnchor: "start", dx: 6, fill: ink.card, fontWeight: 600 }),
        Plot.text(totals, { x: "count", y: "block", text: (d) => String(d.count), textAnchor: "start", dx: 6, fill: ink.ink }),
      ],
    };
  },
};

function view(root, { hover, showCode }) {
  const stage = createStage(root, { words: W, related, read: (cell, values) => ({ title: title(cell, values), steps: arithmetic(cell, values) }), hover, showCode });
  const claims = Object.fromEntries(["alone", "shuffle", "unit", "parameters"].map((key) => [key, h("p", { class: "help" })]));
  let built = null;

  function build({ n, b_1, difference, output_original }, { cell, named }) {
    const { clear, section, lay } = stage;
    const unitNames = named ? "unit_names" : undefined;
    const vector = (name, options) => signed(name, { cell, maxWidth: 290, ...options });
    const wide = (name) => signed(name, { cell, maxWidth: 470, cols: unitNames });
    const compared = (name, block) => vector(name, { rows: "tokens_changed", caption: h("span", { class: "soft", text: [`${W}.blocks.${block}`] }) });
    const flat = (name, options) => ({ name, kind: "signed", maxWidth: 470, ...options });
    clear();

    /** Pictures below each other inside a row (in the page first, or they could not measure their room). */
    function column(row, ...parts) {
      const element = h("div", { class: "column" });
      row.append(element);
      lay(element, ...parts);
    }
    const pipeline = section("pipeline");
    lay(pipeline, vector("X"), arrow(b_1 ? "· W₁ + b₁" : "· W₁"), wide("pre_activation"), arrow(h("span", { text: [`${W}.activation`] })), wide("hidden"), arrow(b_1 ? "· W₂ + b₂" : "· W₂"), vector("output"));
    const fires = section("firing");
    column(fires, firing(n));
    column(fires, counts);
    const unit = section("unit", claims.unit);
    column(unit, curve);
    column(unit, flat("unit_reads", { maxWidth: 290 }), flat("unit_writes", { maxWidth: 290 }), vector("contribution"));
    if (difference) lay(section("alone", claims.alone), compared("difference", "ffn"), compared("difference_attention", "attention"));
    if (output_original) lay(section("shuffle", claims.shuffle), vector("output", { copy: true }), sign("−"), vector("output_original"), sign("="), vector("difference_shuffled"));
    lay(section("parameters", claims.parameters), parameters);
    const matrices = section("matrices");
    column(matrices, flat("W_1", { cols: unitNames }), b_1 && flat("b_1", { cols: unitNames }));
    column(matrices, flat("W_2", { rows: unitNames, maxWidth: 290 }), b_1 && flat("b_2", { maxWidth: 290 }));
  }

  function tell(values, { changed }) {
    const told = (key, words, vars) => say(claims[key], "text", `${W}.${words}`, vars);
    told("unit", "unit", { name: values.unit_name, number: values.unit });
    if (changed) told("alone", "alone", { position: changed, token: values.tokens_changed[changed - 1], rows: values.rows_changed, attention: values.rows_changed_attention, n: values.n });
    if (values.max_change !== undefined) told("shuffle", "shuffled", { change: number(values.max_change) });
    told("parameters", "parameters", { attention: values.parameters_attention, ffn: values.parameters_ffn, ratio: number(values.parameter_ratio, 3) });
  }

  return {
    update(values, params) {
      const cell = values.n <= PENCIL ? undefined : Math.min(16, comfortable(values.n));
      const named = isPaper(params); // so few units that each has room for its name
      const form = JSON.stringify([values.n, named, "b_1" in values, "difference" in values, "output_original" in values]);
      if (form !== built) build(values, { cell, named });
      built = form;
      tell(values, params);
      stage.update(values);
      stage.claim(message(values));
    },
    pictures: stage.pictures,
    destroy: stage.clear,
  };
}

export default { id: "ffn", order: 40, cover: "hidden", controls, actions, formula, view };
