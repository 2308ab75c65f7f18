// The normalization lab's pictures. Every number comes from the result of seeformer.labs.norm.run(); nothing is computed here.
import { points } from "../core/chart/points.js";
import { h, say } from "../core/dom.js";
import { number } from "../core/format.js";
import { comfortable } from "../core/heatmap/fit.js";
import { signed } from "../core/lab/pictures.js";
import { bracket, product, sum } from "../core/lab/reading.js";
import { entry } from "../core/lab/slice.js";
import { arrow, createStage } from "../core/lab/stage.js";
import { wiring } from "../core/lab/wiring.js";
import { t } from "../core/text.js";

const W = "labs.norm";
const isPaper = ({ input }) => input === "paper";
const isSentence = ({ input }) => input === "sentence";
const slider = (name, min, max, step = 0.1) => ({ name, kind: "range", min, max, step, when: isSentence });
const paper = (name, rows) => ({ name: `paper_${name}`, kind: "matrix", shape: [rows, 4], when: isPaper });

const controls = [
  { name: "tokens", kind: "tokens", max: 128, when: isSentence },
  { name: "input", kind: "choice", options: ["sentence", "paper"] },
  { name: "kind", kind: "choice", options: ["layer", "batch", "rms"] }, slider("row_scale", 0, 10), slider("column_shift", -10, 10),
  { name: "order", kind: "choice", options: ["post", "pre", "none"] }, slider("scale", 0, 5), slider("shift", -5, 5),
  slider("d_model", 2, 64, 1), slider("gamma", -3, 3), slider("beta", -3, 3),
  { name: "eps_exponent", kind: "range", min: -12, max: 2 },
  { name: "depth", kind: "range", min: 1, max: 48 },
  { name: "seed", kind: "range", min: 0, max: 99 },
  paper("X", 3), paper("gamma", 1), paper("beta", 1), paper("W", 4),
];

const actions = [{ id: "reseed", apply: ({ seed }) => ({ seed: (seed + 1) % 100 }) }];

const FORMULAS = {
  layer: ["\\text{LayerNorm}(x)_{ij} = \\gamma_j\\,\\frac{x_{ij} - \\mu_i}{\\sqrt{\\sigma_i^2 + \\varepsilon}} + \\beta_j", "\\mu_i = \\tfrac1d \\textstyle\\sum_j x_{ij}"],
  batch: ["\\text{BatchNorm}(x)_{ij} = \\gamma_j\\,\\frac{x_{ij} - \\mu_j}{\\sqrt{\\sigma_j^2 + \\varepsilon}} + \\beta_j", "\\mu_j = \\tfrac1n \\textstyle\\sum_i x_{ij}"],
  rms: ["\\text{RMSNorm}(x)_{ij} = \\gamma_j\\,\\frac{x_{ij}}{\\sqrt{\\rho_i + \\varepsilon}}", "\\rho_i = \\tfrac1d \\textstyle\\sum_j x_{ij}^2"],
};
const BLOCKS = { post: "y = \\text{LayerNorm}(x + f(x))", pre: "y = x + f(\\text{LayerNorm}(x))", none: "y = x + f(x)" };

function formula({ kind, order, n, d_model, eps, marked, mean, variance, mean_square }) {
  const nth = kind === "batch" ? Math.min(marked, d_model - 1) : marked;
  const of = ({ data }) => number(data[nth], 4);
  const moments = kind === "rms" ? `\\rho_{${nth + 1}} = ${of(mean_square)}` : `\\mu_{${nth + 1}} = ${of(mean)},\\ \\sigma^2_{${nth + 1}} = ${of(variance)}`;
  const [norm, average] = FORMULAS[kind];
  return [`${norm},\\quad ${average}`, `n = ${n},\\ d = ${d_model},\\ \\varepsilon = ${number(eps)},\\ ${moments}`, BLOCKS[order]];
}

const PENCIL = 48; // CSS px: cells of so few numbers have them written in

const STATISTIC = /(^|_)(mean|variance|mean_square)$/;
const PER_CELL = ["X", "normalized", "output", "layer_output", "batch_output", "layer_moved", "batch_moved"];

/** Whose statistics a picture has: "batch" shares them down a column, the others along a row. */
const sharing = (name, { kind }) => (name.startsWith("layer_") ? "layer" : name.startsWith("batch_") ? "batch" : kind);
const alongside = (name, values, { row, col }) => (sharing(name, values) === "batch" ? { col } : { row });
const parent = (step, wires) => wires.filter((wire) => wire.endsWith(`>${step}`)).map((wire) => wire.split(">")[0]);
const wiresOf = (values) => values[`wires_${values.order}`];

/** What a cell is made of and what it goes into. Cells that share their mean are outlined as one row or column. */
function related({ name, row, col }, values) {
  const here = { cells: [[row, col]] };
  if (STATISTIC.test(name)) {
    const group = alongside(name, values, { row, col });
    const outcome = name.includes("_") && name !== "mean_square" ? [`${name.split("_")[0]}_output`] : ["normalized"];
    return [{ name: "X", ...group }, ...outcome.map((each) => ({ name: each, ...group })), { name, ...here }];
  }
  if (name === "X") {
    const moved = ["normalized", "output", "layer_output", "batch_output"].map((each) => ({ name: each, ...alongside(each, values, { row, col }), ...here }));
    const block = ["change", "normed", "sum"].map((each) => ({ name: each, row }));
    return [{ name: "X", ...alongside(name, values, { row, col }), ...here }, ...moved, ...statistics("", values, row, col), ...block];
  }
  if (PER_CELL.includes(name)) {
    const prefix = name.includes("_") ? `${name.split("_")[0]}_` : "";
    const family = prefix ? [`${prefix}output`, `${prefix}moved`] : ["normalized", "output"];
    return [{ name: "X", ...alongside(name, values, { row, col }), ...here }, ...family.map((each) => ({ name: each, ...here })), ...statistics(prefix, values, row, col)];
  }
  if (name === "W") return [{ name: parent("change", wiresOf(values))[0], col: row }, { name: "change", col }, { name, row, col }];
  const sources = parent(name, wiresOf(values)).map((each) => (name === "sum" ? { name: each, ...here } : { name: each, row }));
  return [...sources, ...(name === "change" ? [{ name: "W", col }] : []), { name, ...here }];
}

function statistics(prefix, values, row, col) {
  const at = alongside(prefix || "output", values, { row, col });
  return ["mean", "variance", "mean_square"].map((each) => ({ name: prefix + each, cells: [[at.row ?? 0, at.col ?? 0]] }));
}

/** The arithmetic of a cell, as pieces for the reading line. */
function arithmetic({ name, row, col, value }, values) {
  const at = (array, ...where) => entry(values[array], ...where);
  const { n, d_model, eps } = values;
  const byColumn = sharing(name, values) === "batch";
  const [count, nth] = byColumn ? [n, (m) => at("X", m, col)] : [d_model, (m) => at("X", row, m)];
  const prefix = /^(layer|batch|normed)_/.exec(name)?.[0] ?? "";
  const moment = (which, of = prefix) => (byColumn ? at(of + which, 0, col) : at(of + which, row, 0));
  const affine = (scaled) => `${scaled} × ${bracket(at("gamma", col))}${values.kind === "rms" && !prefix ? "" : ` + ${bracket(at("beta", col))}`}`;
  const standard = (x, of) => `(${number(x)} − ${bracket(moment("mean", of))}) / √(${number(moment("variance", of))} + ${number(eps)})`;

  if (/(^|_)mean$/.test(name)) return [`(${sum(count, (m) => bracket(nth(m)))}) / ${count}`, number(value)];
  if (/(^|_)variance$/.test(name)) return [`(${sum(count, (m) => `(${number(nth(m))} − ${bracket(moment("mean"))})²`)}) / ${count}`, number(value)];
  if (name === "mean_square") return [`(${sum(count, (m) => `${bracket(nth(m))}²`)}) / ${count}`, number(value)];
  if (name === "normalized" && values.kind === "rms") return [`${number(at("X", row, col))} / √(${number(at("mean_square", row, 0))} + ${number(eps)})`, number(value)];
  if (name === "normalized") return [standard(at("X", row, col), ""), number(value)];
  if (name === "output") return [affine(bracket(at("normalized", row, col))), number(value)];
  if (/^(layer|batch)_output$/.test(name)) return [affine(standard(at("X", row, col))), number(value)];
  if (name === "change") {
    const [given] = parent("change", wiresOf(values));
    return given ? [sum(d_model, (m) => product(at(given, row, m), at("W", m, col))), number(value)] : [number(value)];
  }
  if (name === "sum") return [parent("sum", wiresOf(values)).map((each) => bracket(at(each, row, col))).join(" + "), number(value)];
  if (name === "normed" && values.normed_mean) {
    const [before] = parent("normed", wiresOf(values));
    const centred = `(${number(at(before, row, col))} − ${bracket(at("normed_mean", row, 0))})`;
    return [affine(`${centred} / √(${number(at("normed_variance", row, 0))} + ${number(eps)})`), number(value)];
  }
  return [number(value)];
}

function title({ name, row, col }, values) {
  const where = { token: values.tokens[row], column: col + 1, row: row + 1, name };
  if (STATISTIC.test(name)) return t(`${W}.reading.${sharing(name, values) === "batch" ? "feature" : "token"}`, where);
  return t(`${W}.reading.${name === "W" ? "entry" : "cell"}`, where);
}

function message({ kind, n, layer_variance, tokens }) {
  if (kind === "batch" && n === 1) return ["alone"];
  const flat = layer_variance.data.findIndex((variance) => variance < 1e-12);
  return kind === "layer" && flat >= 0 ? ["flat", { token: tokens[flat] }] : null;
}

const swatch = (colour, dashed) => h("i", { class: "swatch", style: `border-color: ${colour}${dashed ? "; border-top-style: dashed" : ""}`, "aria-hidden": "true" });

const histogram = {
  kind: "chart", name: "histogram", array: "histogram", height: 250,
  label: ({ kind, tokens, marked }) => t(`${W}.charts.histogramLabel`, { norm: t(`${W}.controls.kind.options.${kind}`), token: tokens[marked] }),
  plot({ histogram: { data }, edges, tokens, marked }, Plot, ink) {
    const bins = edges.data.length - 1;
    const bars = Array.from(data, (count, at) => ({
      count, x1: edges.data[at % bins], x2: edges.data[(at % bins) + 1], side: at < 2 * bins ? "X" : "output", loud: Math.floor(at / bins) % 2 === 1,
    })).filter(({ count }) => count);
    return {
      marginRight: 56, marginBottom: 44,
      x: { label: t(`${W}.charts.value`), labelOffset: 38 }, y: { label: t(`${W}.charts.count`), grid: true, ticks: 4 }, fy: { label: null, domain: ["X", "output"] },
      marks: [
        Plot.rectY(bars, {
          x1: "x1", x2: "x2", y: "count", fy: "side", insetLeft: 0.5, insetRight: 0.5, fill: ({ loud }) => ink.series[loud ? 1 : 0],
          title: ({ loud, x1, x2, count }) => `${loud ? tokens[marked] : t(`${W}.charts.others`)}: ${number(x1, 3)} … ${number(x2, 3)}: ${count}`,
        }),
        Plot.ruleY([0], { stroke: ink.edge }),
      ],
    };
  },
};

const STYLES = { post: [0], pre: [2], no_residual: [3, "5 4"], no_norm: [1], neither: [5] };
const LAYERS = { post: "LN(x + f(x))", pre: "x + f(LN(x))", no_residual: "LN(f(x))", no_norm: "x + f(x)", neither: "f(x)" };

/** Ticks of a log scale at powers of ten, no more than eight or so. */
function decades(sizes) {
  const [low, high] = [Math.ceil(Math.log10(Math.min(...sizes))), Math.floor(Math.log10(Math.max(...sizes)))];
  const step = Math.ceil((high - low + 1) / 8);
  return Array.from({ length: high - low + 1 }, (_, at) => low + at).filter((power) => power % step === 0).map((power) => 10 ** power);
}

/** One curve a variant, from the input (layer 0) to the last layer. */
const curves = (name) => ({
  kind: "chart", name, array: name, height: 260,
  label: ({ variants, [name]: { shape } }) => t(`${W}.charts.${name}Label`, { depth: shape[1] - 1, count: variants.length }),
  plot(values, Plot, ink) {
    const lines = points(values[name], { names: values.variants });
    const word = (variant) => t(`${W}.variants.${variant}`);
    return {
      marginLeft: 56, marginBottom: 44,
      x: { label: t(`${W}.charts.layer`), labelOffset: 38, ticks: Math.min(7, values[name].shape[1] - 1), tickFormat: "d" },
      y: { type: "log", label: null, grid: true, ticks: decades(values[name].data), tickFormat: (size) => number(size, 1) },
      marks: [
        Plot.ruleY([1], { stroke: ink.edge, strokeDasharray: "1 3" }),
        ...values.variants.map((variant) => Plot.lineY(lines.filter((point) => point.name === variant), {
          x: "x", y: "y", stroke: ink.series[STYLES[variant][0]], strokeWidth: 2, strokeDasharray: STYLES[variant][1],
        })),
        Plot.tip(lines, Plot.pointer({ x: "x", y: "y", fill: ink.card, title: ({ x, y, name: variant }) => `${word(variant)}\n${t(`${W}.charts.layer`)} ${x}: ${number(y, 4)}` })),
      ],
    };
  },
});

/** The curves' legend and their ends in numbers. */
function summary({ variants, activations, gradients }) {
  const depth = activations.shape[1] - 1;
  const cell = (value) => h("td", { class: "amount" }, number(value, 3));
  return h("table", { class: "figures" },
    h("thead", {}, h("tr", {}, ["variant", "sublayer", "activation", "gradient"].map((key) => h("th", { scope: "col", text: [`${W}.table.${key}`, { depth }] })))),
    h("tbody", {}, variants.map((variant, at) => h("tr", {},
      h("th", { scope: "row" }, swatch(`var(--series-${STYLES[variant][0] + 1})`, STYLES[variant][1]), h("span", { text: [`${W}.variants.${variant}`] })),
      h("td", {}, h("code", {}, LAYERS[variant])), cell(entry(activations, at, depth)), cell(entry(gradients, at, 0))))));
}

function view(root, { hover, showCode, change }) {
  const stage = createStage(root, { words: W, related, read: (cell, values) => ({ title: title(cell, values), steps: arithmetic(cell, values) }), hover, showCode });
  const { clear, section, lay } = stage;
  let built = null;
  let told = {}; // what follows each result: {legend, neighbours, orders, table}

  /** A box within a row. It stands on the page before its pictures come, for they ask how much room there is. */
  function box(row, { width, ...attributes }, ...parts) {
    const element = h("div", { ...attributes, style: width && `flex: none; width: min(${width}px, 100%)` });
    row.append(element);
    lay(element, ...parts);
  }

  function build({ kind, order, n, d_model, layer_moved, ...values }) {
    const cell = Math.max(n, d_model) <= 4 ? PENCIL : Math.min(18, comfortable(Math.max(n, d_model)));
    const room = Math.min(300, cell * d_model + 70); // of pictures that stand above each other
    const axes = { rowAxis: `${W}.axes.token`, colAxis: `${W}.axes.feature` };
    const wide = (name, options) => signed(name, { cell, maxWidth: 300, ...options });
    const size = (name) => (/mean$/.test(name) ? { kind: "signed" } : { kind: "weights", mode: "auto", modes: [] }); // a variance has no sign
    const perToken = (name) => signed(name, { cell, maxWidth: 180, ...size(name) });
    const perFeature = (name) => ({ name, cell, maxWidth: 300, ...size(name) });
    clear();
    told = { legend: h("p", { class: "help" }), neighbours: h("p", { class: "help" }), orders: h("div", { class: "flow", role: "group", label: [`${W}.controls.order.label`] }), table: h("div") };

    const standardize = arrow(kind === "rms" ? "x / √(ρ + ε)" : "(x − μ) / √(σ² + ε)");
    const outcome = [standardize, wide("normalized"), arrow(kind === "rms" ? "· γ" : "· γ + β"), wide("output")];
    const steps = section(kind);
    if (kind === "batch") box(steps, { class: "column", width: room }, wide("X", axes), perFeature("mean"), perFeature("variance"));
    else lay(steps, wide("X", axes), ...(kind === "rms" ? ["mean_square"] : ["mean", "variance"]).map(perToken));
    box(steps, { class: "flow" }, ...outcome);
    lay(section("histogram", told.legend), histogram);

    const compared = section("axes");
    lay(compared, wide("X", { ...axes, copy: true }), wide("layer_output", axes), ...["layer_mean", "layer_variance"].map(perToken));
    box(compared, { class: "column", width: room }, wide("batch_output", axes), perFeature("batch_mean"), perFeature("batch_variance"));
    if (layer_moved) lay(section("neighbours", told.neighbours), wide("layer_moved"), wide("batch_moved"));

    const join = { change: "· W", sum: "+ X", normed: "layer_norm" };
    lay(section("block", told.orders), wide("X", { copy: true }), ...values[`steps_${order}`].flatMap((step) => [arrow(join[step]), wide(step)]));
    lay(section("sublayer"), { name: "W", kind: "signed", cell, maxWidth: 300 });
    const deep = section("depth", told.table);
    for (const name of ["activations", "gradients"]) box(deep, { class: "half" }, curves(name));
  }

  function orderButton(each, values) {
    const steps = values[`steps_${each}`];
    const name = `${W}.controls.order.options.${each}`;
    const label = t(`${W}.orderLabel`, { steps: steps.map((step) => t(`${W}.steps.${step}`)).join(" → ") });
    return h("button", { type: "button", class: "choose", "aria-pressed": String(values.order === each), dataset: { order: each }, on: { click: () => change({ order: each }) } },
      h("span", { text: [name] }), wiring(["X", ...steps], values[`wires_${each}`], { sum: "+", change: "sublayer", normed: "layer_norm" }, label));
  }

  function tell(values) {
    const { tokens, marked, layer_others, batch_others } = values;
    const focused = document.activeElement?.dataset.order;
    told.legend.replaceChildren(swatch("var(--series-1)"), t(`${W}.charts.others`), " ", swatch("var(--series-2)"), t(`${W}.charts.marked`, { token: tokens[marked] }));
    if (layer_others !== undefined) say(told.neighbours, "text", `${W}.neighbours`, { token: tokens[marked], layer: number(layer_others, 3), batch: number(batch_others, 3) });
    told.orders.replaceChildren(...["post", "pre", "none"].map((each) => orderButton(each, values)));
    if (focused) told.orders.querySelector(`[data-order=${focused}]`)?.focus(); // the buttons were made anew
    told.table.replaceChildren(summary(values));
  }

  return {
    update(values) {
      const form = JSON.stringify([values.kind, values[`steps_${values.order}`], values.n, values.d_model, "layer_moved" in values]);
      if (form !== built) build(values);
      built = form;
      tell(values);
      stage.update(values);
      stage.claim(message(values));
    },
    pictures: stage.pictures,
    destroy: stage.clear,
  };
}

export default { id: "norm", order: 50, cover: "output", controls, actions, formula, view };
