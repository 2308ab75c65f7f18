// One head of a model, enlarged: Q, K -> scores -> masked -> attention -> times V, linked, with the arithmetic of every cell.
// The result of run() holds its arrays under these names (py/seeformer/model_view.py, one_head), beside `weights` [L, h, n, m] of all
// heads, `layer` and `head` (from 0), `scale`, `d_k`, and the tokens' texts.
import { number } from "../format.js";
import { pairwise, signed, weighty } from "./pictures.js";
import { bracket, product, sum } from "./reading.js";
import { entry } from "./slice.js";
import { arrow, sign } from "./stage.js";
import { t } from "../text.js";

const PAIRS = "dots scores masked attention".split(" "); // names of arrays; the last is what run() calls the chosen head's weights
const ONE = PAIRS.at(-1);
const VECTORS = ["Q", "K", "V", "heads"];

export const isOfHead = (name) => PAIRS.includes(name) || VECTORS.includes(name) || name === "weights";

/** What stage.lay takes; rows and cols name the result's lists of queries and of keys. */
export function headPictures({ rows = "tokens", cols = rows, cell, mode = "unit" } = {}) {
  const narrow = (name, labels) => signed(name, { rows: labels, cell, maxWidth: 170 });
  const pair = (name) => pairwise(name, undefined, { rows, cols, cell });
  return [narrow("Q", rows), narrow("K", cols), arrow("Q Kᵀ · scale"), pair("scores"), arrow("+ mask"), pair("masked"), arrow("softmax"),
    weighty(ONE, undefined, { rows, cols, cell, mode }), sign("·"), narrow("V", cols), sign("="), narrow("heads", rows)];
}

/** All heads, on one canvas. */
export const allHeads = ({ rows = "tokens", cols = rows, ...options }) =>
  ({ kind: "multiples", name: "weights", modes: [], rows, cols, chosen: ({ layer, head }) => ({ layer, head }), ...options });

/** What lights up when one points at a cell of the head, or of any head among all. */
export function headRelated({ name, row, col }) {
  const pair = PAIRS.map((array) => ({ name: array, row, col, cells: [[row, col]] }));
  if (name === "weights" && row === undefined) return [];
  if (name === "weights" || PAIRS.includes(name)) return [...pair, { name: "weights", row, col }, { name: "Q", row }, { name: "K", row: col }, { name: "V", row: col }, { name: "heads", row }];
  if (name === "Q") return [{ name, row, col }, ...PAIRS.map((array) => ({ name: array, row })), { name: "weights", row }];
  if (name === "K" || name === "V") return [{ name, row, col }, ...PAIRS.map((array) => ({ name: array, col: row })), { name: "weights", col: row }];
  return [{ name, row, col }, { name: ONE, row }, { name: "V", col }, { name: "weights", row }];
}

export function headTitle({ name, layer, head, row, col }, values, { rows = "tokens", cols = rows } = {}) {
  const where = t("multiples.at", { layer: (layer ?? values.layer) + 1, head: (head ?? values.head) + 1 });
  if (row === undefined) return where;
  if (VECTORS.includes(name)) return `${where} · ${t("model.entry", { name, token: values[["K", "V"].includes(name) ? cols : rows][row], column: col + 1 })}`;
  return `${where} · ${t("model.looks", { query: values[rows][row], key: values[cols][col] })}`;
}

/** The arithmetic of a cell, as pieces for the reading line. */
export function headSteps({ name, layer, head, row, col, value }, values) {
  const at = (array, ...where) => entry(values[array], ...where);
  const dots = () => sum(values.d_k, (m) => product(at("Q", row, m), at("K", col, m)));
  if (name === "weights") {
    if (row === undefined) return [t("model.enlarge")];
    if (layer !== values.layer || head !== values.head) return [number(value)]; // its steps are not here: only the chosen head's are
    name = ONE;
  }
  if (name === "dots") return [dots(), number(value)];
  if (name === "scores") return [`(${dots()}) × ${number(values.scale)}`, number(value)];
  if (name === "masked") return [`${number(at("scores", row, col))} + ${value === -Infinity ? number(value) : number(0)}`, number(value)];
  if (name === ONE && ["peak", "exp", "total"].every((step) => step in values)) {
    return [`exp(${number(at("masked", row, col))} − ${bracket(at("peak", row, 0))}) / Σ`, `${number(at("exp", row, col))} / ${number(at("total", row, 0))}`, number(value)];
  }
  if (name === "heads") return [sum(values.V.shape[0], (m) => product(at(ONE, row, m), at("V", m, col))), number(value)];
  return [number(value)];
}
