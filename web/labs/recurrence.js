// The recurrence lab's pictures. Every number comes from the result of seeformer.labs.recurrence.run(); nothing is computed here.
import { h, say } from "../core/dom.js";
import { number } from "../core/format.js";
import { comfortable } from "../core/heatmap/fit.js";
import { pairwise, signed, weighty } from "../core/lab/pictures.js";
import { bracket, product, sum } from "../core/lab/reading.js";
import { entry } from "../core/lab/slice.js";
import { arrow, createStage, modeSwitch } from "../core/lab/stage.js";
import { t } from "../core/text.js";
import { colour, fading, times } from "./recurrence-charts.js";
import { paths } from "./recurrence-paths.js";

const W = "labs.recurrence";

const controls = [
  { name: "tokens", kind: "tokens", max: 128 },
  { name: "network", kind: "choice", options: ["rnn", "lstm", "attention"] },
  { name: "n", kind: "range", min: 2, max: 32 },
  { name: "recurrent_scale", kind: "range", min: 0, max: 4, step: 0.1 },
  { name: "forget_bias", kind: "range", min: -6, max: 6, step: 0.5 },
  { name: "hidden", kind: "range", min: 1, max: 16 },
  { name: "seed", kind: "range", min: 0, max: 99 },
  { name: "causal", kind: "check" },
];

const actions = [{ id: "reseed", apply: ({ seed }) => ({ seed: (seed + 1) % 100 }) }];

const NETWORKS = ["rnn", "lstm", "attention"];
const SHORT = { rnn: "RNN", lstm: "LSTM", attention: "attention" }; // in the formula

const formula = ({ n, ...values }) => [
  "h_t = \\tanh(x_t W_x + h_{t-1} W_h + b)",
  "c_t = f_t \\odot c_{t-1} + i_t \\odot g_t,\\quad h_t = o_t \\odot \\tanh(c_t)",
  `\\left\\lVert \\frac{\\partial\\,\\text{output}_{${n}}}{\\partial x_1} \\right\\rVert:`,
  ...Object.entries(SHORT).map(([name, short]) => `\\text{${short}}\\ ${number(entry(values[`${name}_dependence`], n - 1, 0), 2)}`),
];

const SHARES = NETWORKS.map((name) => `${name}_share`);
const FAINTEST = 1e-4; // of a share: where the colours of all three end
const PATHS = ["path_recurrent", "path_attention"];
const SCALED = [...SHARES, "weights"]; // in one colour scale of the reader's choice
const PAIRS = [...SCALED, ...PATHS];
const GATES = ["input_gate", "forget_gate", "candidate", "output_gate"]; // in the order of their columns
const OF_LSTM = [...GATES, "cell", "lstm_states"];
const networkOf = (name) => name.replace(/_share$/, "");

/** What a cell is made of and what it goes into. */
function related({ name, row, col }, { hidden }) {
  const here = { cells: [[row, col]] };
  const before = (array) => ({ name: array, cells: row ? Array.from({ length: hidden }, (_, m) => [row - 1, m]) : [] });
  const both = (array) => ({ name: array, cells: [[row, col], ...before(array).cells] });
  if (PAIRS.includes(name)) return [...PAIRS.map((each) => ({ name: each, row, col, ...here })), { name: "X", row: col }, { name: "rnn_states", row }, { name: "lstm_states", row }];
  if (name === "rnn_states") return [{ name: "from_input", ...here }, { name: "W_h", col }, both(name)];
  if (name === "from_input") return [{ name: "X", row }, { name: "W_x", col }, { name: "rnn_states", ...here }, { name, ...here }];
  if (name === "cell") return [...GATES.slice(0, 3).map((each) => ({ name: each, ...here })), { name, cells: row ? [[row - 1, col], [row, col]] : [[row, col]] }, { name: "lstm_states", ...here }];
  if (name === "lstm_states") return [{ name: "output_gate", ...here }, { name: "cell", ...here }, { name, ...here }];
  if (GATES.includes(name)) return [{ name: "X", row }, before("lstm_states"), { name, ...here }, { name: "cell", ...here }];
  if (name === "output") return [{ name: "concat", row }, { name: "W_O", col }, { name, ...here }];
  if (name === "concat") return [{ name: "weights", row }, { name, ...here }, { name: "output", row }];
  if (name === "X") return [{ name, row, col, ...here }, ...["from_input", "rnn_states", ...OF_LSTM].map((each) => ({ name: each, row })), ...PAIRS.map((each) => ({ name: each, col: row }))];
  const [source, product] = { W_x: ["X", "from_input"], W_h: ["rnn_states", "rnn_states"], W_O: ["concat", "output"] }[name];
  return [{ name, row, col, ...here }, { name: source, col: row }, { name: product, col }];
}

/** The arithmetic of a cell, as pieces for the reading line. */
function arithmetic({ name, row, col, value }, values) {
  const at = (array, ...where) => entry(values[array], ...where);
  const { hidden } = values;
  /** x W_x of this step, and the state of the step before through a column of W_h. */
  const inside = (from, states, W_h, column) => {
    const own = number(at(from, row, column));
    return row ? `${own} + ${sum(hidden, (m) => product(at(states, row - 1, m), at(W_h, m, column)))}` : own;
  };
  const show = number(value);
  if (SHARES.includes(name)) return [`${number(at(`${networkOf(name)}_dependence`, row, col))} / ${number(at(`${networkOf(name)}_total`, row))}`, show];
  if (name === "path_recurrent") return Number.isFinite(value) ? [`${row + 1} − ${col + 1}`, show] : [show];
  if (name === "weights") return [`${number(at("exp", row, col))} / ${number(at("total", row, 0))}`, show];
  if (name === "from_input") return [sum(hidden, (m) => product(at("X", row, m), at("W_x", m, col))), show];
  if (name === "rnn_states") return [`tanh(${inside("from_input", "rnn_states", "W_h", col)})`, show];
  if (GATES.includes(name)) {
    const all = inside("gates_from_input", "lstm_states", "W_h", GATES.indexOf(name) * hidden + col);
    return [name === "candidate" ? `tanh(${all})` : `1 / (1 + exp(−(${all})))`, show];
  }
  if (name === "cell") {
    const written = product(at("input_gate", row, col), at("candidate", row, col));
    return [row ? `${product(at("forget_gate", row, col), at("cell", row - 1, col))} + ${written}` : written, show];
  }
  if (name === "output") return [sum(hidden, (m) => product(at("concat", row, m), at("W_O", m, col))), show];
  if (name === "lstm_states") return [`${bracket(at("output_gate", row, col))}·tanh(${number(at("cell", row, col))})`, show];
  return [show];
}

function title({ name, row, col }, { tokens }) {
  const pair = { to: tokens[row], from: tokens[col] };
  if (SHARES.includes(name)) return t(`${W}.reading.pair`, { network: t(`${W}.networks.${networkOf(name)}`), ...pair });
  if (PATHS.includes(name)) return t(`${W}.reading.handed`, pair);
  if (name === "weights") return t(`${W}.reading.looks`, pair);
  if (name.startsWith("W_")) return t(`${W}.reading.entry`, { name, row: row + 1, column: col + 1 });
  return t(`${W}.reading.cell`, { name, token: tokens[row], column: col + 1 });
}

const swatch = (network) => h("i", { class: "swatch", style: `border-color: ${colour(network)}`, "aria-hidden": "true" });
const named = (network) => [swatch(network), h("span", { text: [`${W}.networks.${network}`] })];

/** What each network asks for, and the legend of the charts. */
function table({ networks, waits, longest, products }) {
  const cell = ({ data }, at) => h("td", { class: "amount" }, number(data[at]));
  return h("table", { class: "figures" },
    h("thead", {}, h("tr", {}, ["network", "waits", "longest", "products"].map((key) => h("th", { scope: "col", text: [`${W}.table.${key}`] })))),
    h("tbody", {}, networks.map((network, at) => h("tr", { dataset: { network } }, h("th", { scope: "row" }, named(network)), [waits, longest, products].map((each) => cell(each, at))))));
}

/** What was measured, in a few sentences: [key, vars]. */
function measured({ turn, times: { data }, lengths, doubling, step_us, ahead }) {
  if (!turn) return [["press"]];
  const n = lengths.data.length;
  const [rnn, lstm, attention] = [1, 2, 3].map((row) => number(data[row * n - 1], 3));
  const [growRnn, growLstm, growAttention] = [...doubling.data].map((factor) => number(factor, 2));
  return [
    ["result", { n: lengths.data[n - 1], half: lengths.data[n - 2], rnn, lstm, attention, growRnn, growLstm, growAttention }],
    ["step", { rnn: number(step_us.data[0], 2), lstm: number(step_us.data[1], 2) }],
    ahead ? ["ahead", { ahead }] : ["behind"],
  ];
}

function view(root, { hover, showCode }) {
  const stage = createStage(root, { words: W, related, read, hover, showCode });
  const told = h("p", { class: "told" });
  const drawn = h("div", { class: "column" });
  const way = h("p", { class: "told", role: "status" });
  const work = h("div");
  const said = h("div", { class: "measured", role: "status" });
  let [mode, built, values, pair] = ["log", null, null, null];

  function read(cell, shown) {
    if (PAIRS.includes(cell.name)) walk({ from: cell.col, to: cell.row });
    return { title: title(cell, shown), steps: arithmetic(cell, shown) };
  }

  function setMode(next) {
    mode = next;
    for (const { name, map } of stage.pictures()) if (SCALED.includes(name)) map.setMode(mode); // gates and paths keep theirs
  }

  /** Draws the way between the two positions that are pointed at, at first from the first to the last. */
  function walk(next) {
    pair = next;
    const { n, tokens, path_recurrent, path_attention } = values;
    const { from, to } = pair ?? { from: 0, to: n - 1 };
    drawn.replaceChildren(...paths(values, from, to));
    const [recurrent, attention] = [path_recurrent, path_attention].map((array) => entry(array, to, from));
    const vars = { from: tokens[from], to: tokens[to], s: from + 1, t: to + 1, recurrent, attention };
    say(way, "text", `${W}.told.${Number.isFinite(recurrent) ? "path" : "backward"}`, { ...vars, sees: t(`${W}.told.${Number.isFinite(attention) ? "sees" : "blind"}`) });
  }

  function build({ n, hidden, network }) {
    const { clear, section, lay } = stage;
    const cell = Math.min(18, comfortable(n));
    const axes = { rowAxis: `${W}.axes.output`, colAxis: `${W}.axes.input` };
    const share = (name) => weighty(name, undefined, { cell, mode, finest: FAINTEST, ...axes });
    const vectors = (name, options) => signed(name, { cell: Math.min(18, comfortable(Math.max(n, hidden))), maxWidth: 220, ...options });
    const gate = (name) => vectors(name, { kind: "weights", mode: "unit", modes: [] });
    const square = (name) => ({ name, kind: "signed", cell: 18, maxWidth: 220 });
    const own = { rowAxis: `${W}.axes.token`, colAxis: `${W}.axes.unit` };
    const inside = {
      rnn: () => [vectors("X", own), arrow("· W_x"), vectors("from_input"), arrow("tanh(… + h W_h)"), vectors("rnn_states"), square("W_x"), square("W_h")],
      lstm: () => [vectors("X", own), ...GATES.map((name) => (name === "candidate" ? vectors(name) : gate(name))), arrow("f·c + i·g"), vectors("cell"), arrow("o·tanh(c)"), vectors("lstm_states")],
      attention: () => [vectors("X", own), weighty("weights", undefined, { cell, mode, finest: FAINTEST }), arrow("· V"), vectors("concat"), arrow("· W_O"), vectors("output"), square("W_O")],
    };
    clear();
    lay(section("depends", told, h("div", { class: "picker" }, modeSwitch(mode, setMode))), ...SHARES.map(share));
    lay(section("fading", h("p", { class: "help" }, ...["rnn", "lstm", "attention"].flatMap((network) => [...named(network), " "]))), fading);
    lay(section("path", way, drawn, work), ...PATHS.map((name) => pairwise(name, undefined, { cell, kind: "weights", mode: "auto", modes: [], finest: n - 1, ...axes })));
    lay(section("measured", said), times);
    lay(section(network), ...inside[network]());
  }

  return {
    update(next) {
      values = next;
      const form = JSON.stringify([values.n, values.hidden, values.network]);
      if (form !== built) build(values);
      if (pair && Math.max(pair.from, pair.to) >= values.n) pair = null;
      built = form;
      const [rnn, lstm, attention] = SHARES.map((name) => number(values[`${networkOf(name)}_first`], 2));
      say(told, "text", `${W}.told.depends`, { rnn, lstm, attention });
      said.replaceChildren(...measured(values).map(([key, vars]) => h("p", { class: "told", text: [`${W}.measured.${key}`, vars] })));
      work.replaceChildren(table(values));
      walk(pair);
      stage.update(values);
      stage.claim(null);
    },
    pictures: stage.pictures,
    destroy: stage.clear,
  };
}

export default { id: "recurrence", order: 55, cover: "rnn_share", pressed: { measure: true }, controls, actions, formula, view };
