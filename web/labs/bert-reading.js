// What the BERT lab's cells are called, what they are made of, and what lights up with them.
import { number } from "../core/format.js";
import { headRelated, headSteps, headTitle, isOfHead } from "../core/lab/one-head.js";
import { bracket, product, sum } from "../core/lab/reading.js";
import { entry } from "../core/lab/slice.js";
import { tokenText } from "../core/lab/token-text.js";
import { t } from "../core/text.js";

const W = "labs.bert";
const SUMMED = ["word", "segment", "positions", "sum", "embedding"];
const REACHED = ["reach", "reach_gpt"];
const BESIDE = ["attention_before", "renormalised", "difference"]; // the enlarged head, before and after a token was hidden

/** What a cell is made of and what it goes into. */
export function related(cell, values) {
  const { name, row, col, layer, head } = cell;
  const { num_heads, place } = values;
  const same = (names) => names.map((array) => ({ name: array, row, col, cells: [[row, col]] }));
  if (isOfHead(name)) {
    const of = name === "weights" ? layer * num_heads + head : values.layer * num_heads + values.head;
    const pair = row !== undefined && ["weights", "attention"].includes(name);
    return [...headRelated(cell), ...(pair ? same(BESIDE) : []), ...(pair && row === place ? [{ name: "reads", row: of, cells: [[of, col]] }] : [])];
  }
  if (BESIDE.includes(name)) return [...same(BESIDE), ...headRelated({ ...cell, name: "attention" })];
  if (name === "reads") return [{ name, row, col, cells: [[row, col]] }, { name: "weights", row: place, col }, { name: "effects", cells: [[Math.floor(row / num_heads), row % num_heads]] }];
  if (name === "effects") return [{ name, row, col }, { name: "reads", row: row * num_heads + col }];
  if (SUMMED.includes(name)) return same(SUMMED);
  if (REACHED.includes(name)) return same(REACHED);
  return [{ name, row, col }, ...(name === "pooled" ? [{ name: "cls" }] : [])];
}

export function title(cell, values) {
  const { name, row, col } = cell;
  const token = (place) => tokenText(values.tokens[place]);
  if (isOfHead(name)) return headTitle(cell, values);
  if (BESIDE.includes(name)) return headTitle({ ...cell, name: "attention" }, values);
  if (name === "reads") return headTitle({ name: "weights", ...headOf(row, values), row: values.place, col }, values);
  if (name === "effects") return t(`${W}.reading.effect`, { head: t("multiples.at", { layer: row + 1, head: col + 1 }) });
  if (REACHED.includes(name)) return t(`${W}.reading.${name}`, { moved: token(row), changed: token(col), place: col + 1 });
  if (name === "stream") return t(`${W}.reading.stream`, { token: token(values.place), where: row ? t("model.afterLayer", { layer: row }) : t("model.embedding"), column: col + 1 });
  return t("model.entry", { name, token: token(["cls", "pooled"].includes(name) ? 0 : row), column: col + 1 });
}

const headOf = (row, { num_heads }) => ({ layer: Math.floor(row / num_heads), head: row % num_heads });

/** A weight of any head, from what lies before the softmax; an edited kernel need not name that. */
function weight(layer, head, row, col, value, values) {
  const at = (name, ...where) => entry(values[`${name}_all`], layer, head, row, ...where);
  if (!["masked", "peak", "exp", "total"].every((name) => `${name}_all` in values)) return [number(value)];
  return [`exp(${number(at("masked", col))} − ${bracket(at("peak", 0))}) / Σ`, `${number(at("exp", col))} / ${number(at("total", 0))}`, number(value)];
}

/** (x − mean) / √(variance + eps) · gamma + beta, of row `row` of the norm whose numbers begin with `of`. */
function normed(of, row, col, value, values, parameters) {
  if (!(`${of}_mean` in values)) return [number(value)];
  const at = (name, ...where) => entry(values[`${of}_${name}`], ...where);
  const parts = ["gamma", "beta"].map((name) => bracket(at(name, ...parameters)));
  return [`(${number(at("before", row, col))} − ${bracket(at("mean", row, 0))}) / √(${number(at("variance", row, 0))} + ${number(values.eps)}) × ${parts[0]} + ${parts[1]}`, number(value)];
}

/** The arithmetic of a cell, as pieces for the reading line. */
export function steps(cell, values) {
  const { name, row, col, value } = cell;
  const at = (array, ...where) => entry(values[array], ...where);
  const told = number(value);
  if (name === "weights" && row !== undefined) return weight(cell.layer, cell.head, row, col, value, values);
  if (name === "attention") return weight(values.layer, values.head, row, col, value, values);
  if (name === "reads") {
    const { layer, head } = headOf(row, values);
    return weight(layer, head, values.place, col, value, values);
  }
  if (name === "masked") return [`${number(at("scores", row, col))} + ${bracket(at("mask", col))}`, told];
  if (/^[QKV]$/.test(name)) return [`${sum(values.d_model, (m) => product(at("entering", row, m), at(`W_${name}`, m, col)))} + ${bracket(at(`b_${name}`, col))}`, told];
  if (isOfHead(name)) return headSteps(cell, values);
  if (name === "sum") return [["word", "segment", "positions"].map((part) => bracket(at(part, row, col))).join(" + "), told];
  if (name === "embedding") return normed(name, row, col, value, values, [col]);
  if (name === "stream") return normed(name, row, col, value, values, [row, col]);
  if (name === "pooled") return [`tanh(${sum(values.d_model, (m) => product(at("cls", m), at("W_pool", m, col)))} + ${bracket(at("b_pool", col))})`, told];
  if (name === "renormalised" && value !== 0) return [`${number(at("attention_before", row, col))} / ${number(at("kept", row, 0))}`, told];
  if (name === "difference") return [`${number(at("attention", row, col))} − ${bracket(at("renormalised", row, col))}`, told];
  if (REACHED.includes(name)) return ["√Σ(h′ − h)²", told];
  return [told];
}
