// What a cell of a block's arrays is made of: the arithmetic in numbers, and the cells of other pictures that it came from.
import { number } from "../core/format.js";
import { bracket, product, sum } from "../core/lab/reading.js";
import { entry } from "../core/lab/slice.js";
import { t } from "../core/text.js";

const W = "labs.architecture";
const PAIRS = ["scores", "masked", "weights"];
const EPS = 1e-5; // layer_norm's

/** values: with the block's arrays by their short names (architecture-names.js). */
export function arithmetic({ name, index, row, col, value }, values) {
  const at = (array, ...where) => entry(values[array], ...where);
  const column = (index ?? 0) * values.d_k + col;
  const [v, d] = [number(value), values.d_model];
  const dot = (left, right, count) => sum(count, (m) => product(at(left, row, m), at(right, m, col)));
  const project = (from, W_) => sum(d, (m) => product(at(from, row, m), at(W_, m, column)));
  switch (values.kind === "norm" && name === "output" ? "normed" : values.kind === "ffn" && name === "output" ? "narrowed" : name) {
    case "token": return [`√(${d}) × ${bracket(at("embedding", values.vocabulary.indexOf(values.tokens[row]), col))}`, v];
    case "position": return [`${col % 2 ? "cos" : "sin"}(${row} / 10000^(${col - (col % 2)}/${d}))`, v];
    case "placed": return [`${number(at("token", row, col))} + ${bracket(at("position", row, col))}`, v];
    case "Q": return [project("x", "W_Q"), v];
    case "K": case "V": return [project("memory" in values ? "memory" : "x", `W_${name}`), v];
    case "scores": return [`(${sum(values.d_k, (m) => product(at("Q", index, row, m), at("K", index, col, m)))}) / √(${values.d_k})`, v];
    case "masked": return [`${number(at("scores", index, row, col))} + ${value === -Infinity ? "(−∞)" : 0}`, v];
    case "weights": return [`exp(${number(at("masked", index, row, col))} − ${bracket(at("peak", index, row, 0))}) / Σ`, `${number(at("exp", index, row, col))} / ${number(at("total", index, row, 0))}`, v];
    case "heads": return [sum(values.weights.shape[2], (m) => product(at("weights", index, row, m), at("V", index, m, col))), v];
    case "output": return [dot("concat", "W_O", d), v];
    case "sum": return [`${number(at("x", row, col))} + ${bracket(at("change", row, col))}`, v];
    case "mean": return [`(${sum(d, (m) => bracket(at("x", row, m)))}) / ${d}`, v];
    case "variance": return [`(${sum(d, (m) => `(${number(at("x", row, m))} − ${bracket(at("mean", row, 0))})²`)}) / ${d}`, v];
    case "normed": return [`${number(at("gamma", col))} × (${number(at("x", row, col))} − ${bracket(at("mean", row, 0))}) / √(${number(at("variance", row, 0))} + ${number(EPS)}) + ${bracket(at("beta", col))}`, v];
    case "pre_activation": return [`${dot("x", "W_1", d)} + ${bracket(at("b_1", col))}`, v];
    case "hidden": return [`max(0, ${number(at("pre_activation", row, col))})`, v];
    case "narrowed": return [`${dot("hidden", "W_2", values.d_ff)} + ${bracket(at("b_2", col))}`, v];
    case "logits": return values.kind === "logits" ? [sum(d, (m) => product(at("x", row, m), at("embedding", col, m))), v] : [v];
    case "probabilities": return [`exp(${number(at("logits", row, col))} − ${bracket(at("peak", row, 0))}) / Σ`, `${number(at("exp", row, col))} / ${number(at("total", row, 0))}`, v];
    default: return [v];
  }
}

/** Rows, columns and cells of other pictures. */
export function related({ name, index, row, col }, { d_k, ...values }) {
  const keys = "memory" in values ? "memory" : "x";
  const here = { row, col, cells: [[row, col]] };
  const same = (...names) => names.map((each) => ({ name: each, index, ...here }));
  const head = index === undefined ? Math.floor(col / d_k) : index;
  const wide = (index ?? 0) * d_k + col;
  if (PAIRS.includes(name)) return [...same(...PAIRS), { name: "Q", index, row }, { name: "K", index, row: col }, { name: "V", index, row: col }, { name: "heads", index, row }];
  switch (name) {
    case "Q": return [{ name: "x", row }, { name: "W_Q", col: wide }, ...PAIRS.map((each) => ({ name: each, index, row })), ...same("Q")];
    case "K": return [{ name: keys, row }, { name: "W_K", col: wide }, ...PAIRS.map((each) => ({ name: each, index, col: row })), ...same("K")];
    case "V": return [{ name: keys, row }, { name: "W_V", col: wide }, { name: "weights", index, col: row }, { name: "heads", index, col }, ...same("V")];
    case "heads": return [{ name: "weights", index, row }, { name: "V", index, col }, { name: "concat", cells: [[row, wide]] }, ...same("heads")];
    case "concat": return [{ name: "heads", index: head, row, cells: [[row, col % d_k]] }, { name: "output", row }, ...same("concat")];
    case "W_1": return [{ name: "x", col: row }, { name: "pre_activation", col }, ...same("W_1")];
    case "W_2": return [{ name: "hidden", col: row }, { name: "output", col }, ...same("W_2")];
    case "sizes": return [{ name: "stream", row: col }, ...same("sizes")];
    case "mean": case "variance": return [{ name: "x", row }, { name: "output", row }, { name: "mean", row }, { name: "variance", row }];
    default: return [...same(name, "token", "position", "placed", "x", "change", "sum", "output", "pre_activation", "hidden", "logits", "probabilities", "stream"), { name: "mean", row }, { name: "variance", row }, { name: "concat", row }];
  }
}

export function title({ name, index, row, col }, values) {
  const head = index === undefined ? "" : ` · ${t(`${W}.head`, { number: index + 1 })}`;
  const keys = "memory" in values ? values.encoder_tokens : values.tokens;
  if (PAIRS.includes(name)) return t(`${W}.reading.looks`, { query: values.tokens[row], key: keys[col] }) + head;
  if (/^([Wb]_|gamma|beta)/.test(name)) return t(`${W}.reading.entry`, { name, row: row + 1, column: col + 1 });
  if (name === "embedding") return t(`${W}.reading.token`, { name, token: values.vocabulary[row], column: col + 1 });
  if (name === "sizes") return t(`${W}.reading.size`, { token: values.tokens[col], station: values.stations[row] });
  if (["logits", "probabilities"].includes(name)) return t(`${W}.reading.says`, { token: values.tokens[row], next: values.vocabulary[col] });
  const rows = ["memory", "K", "V"].includes(name) ? keys : values.tokens;
  return t(`${W}.reading.token`, { name, token: rows[row], column: col + 1 }) + head;
}
