// What a cell of the seq2seq lab's pictures is made of: what lights up with it, what it is called, and its arithmetic.
import { number } from "../core/format.js";
import { headRelated, headSteps, headTitle, isOfHead } from "../core/lab/one-head.js";
import { bracket, sum } from "../core/lab/reading.js";
import { entry } from "../core/lab/slice.js";
import { tokenText } from "../core/lab/token-text.js";
import { t } from "../core/text.js";

const W = "labs.seq2seq.reading";
export const ATTENTIONS = ["encoder", "decoder", "cross"];
const ALL = ATTENTIONS.map((which) => `${which}_weights`);
const QUERIES = { encoder: "source_tokens", decoder: "target_tokens", cross: "target_tokens" };
const KEYS = { encoder: "source_tokens", decoder: "target_tokens", cross: "source_tokens" };
export const sides = (which) => ({ rows: QUERIES[which], cols: KEYS[which] });
const CHANGED = ["attention_before", "renormalised", "renormalised_difference"];

const isShown = (name, { shown_attention }) => name === `${shown_attention}_weights`;
/** one-head.js knows the heads of one attention, as `weights`; here there are three. */
const renamed = (cell, values) => (isShown(cell.name, values) ? { ...cell, name: "weights" } : cell);
const whichOf = (name) => name.split("_")[0];

export function related(cell, values) {
  const { name, index, row, col } = cell;
  const { place } = values;
  const here = { row, col, cells: [[row, col]] };
  if (isOfHead(name) || isShown(name, values)) {
    const lit = headRelated(renamed(cell, values)).map((each) => (each.name === "weights" ? { ...each, name: `${values.shown_attention}_weights` } : each));
    return ["masked", "attention", "scores"].includes(name) ? [...lit, { name: "added", ...here }, ...CHANGED.map((each) => ({ name: each, ...here }))] : lit;
  }
  if (name === "added" || CHANGED.includes(name)) return ["added", "masked", "attention", ...CHANGED].map((each) => ({ name: each, ...here }));
  if (ALL.includes(name)) return row === undefined ? [] : [{ name, row, col }];
  if (name === "cross_mean") return [{ name, ...here }, { name: "cross_weights", row, col }, ...(row === place ? [{ name: "reads", col }] : [])];
  if (name === "reads") return [{ name, ...here }, { name: "cross_mean", cells: [[place, col]] }, { name: "cross_weights", row: place, col }];
  if (/_(bias|buckets)$/.test(name)) return ["bias", "buckets"].map((each) => ({ name: `${whichOf(name)}_${each}`, ...here }));
  return [{ name, index, ...here }];
}

export function title(cell, values) {
  const { name, index, row, col } = cell;
  const token = (list, place) => tokenText(values[list][place]);
  const looks = (query, key) => t("model.looks", { query, key });
  if (isOfHead(name) || isShown(name, values)) return headTitle(renamed(cell, values), values, { rows: "queries", cols: "keys" });
  if (name === "added" || CHANGED.includes(name)) return `${name} · ${looks(token("queries", row), token("keys", col))}`;
  if (ALL.includes(name)) {
    const where = t("multiples.at", { layer: cell.layer + 1, head: cell.head + 1 });
    return row === undefined ? where : `${where} · ${looks(token(QUERIES[whichOf(name)], row), token(KEYS[whichOf(name)], col))}`;
  }
  if (name === "cross_mean") return t(`${W}.mean`, { query: token("target_tokens", row), key: token("source_tokens", col) });
  if (name === "reads") return `${t("multiples.at", { layer: Math.floor(row / values.num_heads) + 1, head: (row % values.num_heads) + 1 })} · ${looks(token("target_tokens", values.place), token("source_tokens", col))}`;
  if (name === "written_reads") return t(`${W}.mean`, { query: tokenText(values.written[row]), key: token("source_tokens", col) });
  if (/_buckets$/.test(name)) return t(`${W}.bucket`, { query: row + 1, key: col + 1 });
  if (/_bias$/.test(name)) return t(`${W}.bias`, { head: index + 1, query: row + 1, key: col + 1, bucket: entry(values[`${whichOf(name)}_buckets`], row, col) });
  if (name === "stream") return t(`${W}.stream`, { token: token("target_tokens", values.place), where: row ? t("model.afterLayer", { layer: row }) : t("model.embedding"), column: col + 1 });
  return t(`${W}.position`, { place: row + 1, column: col + 1 });
}

/** The arithmetic of a cell, as pieces for the reading line. */
export function steps(cell, values) {
  const { name, row, col, value } = cell;
  const at = (array, ...where) => entry(values[array], ...where);
  if (name === "masked") return [`${number(at("scores", row, col))} + ${bracket(at("added", row, col))}`, number(value)];
  if (isOfHead(name) || isShown(name, values)) return headSteps(renamed(cell, values), values);
  if (ALL.includes(name)) return [row === undefined ? t("model.enlarge") : number(value)];
  if (name === "cross_mean") {
    const { num_layers, num_heads } = values;
    const all = num_layers * num_heads;
    return [`(${sum(all, (head) => number(at("cross_weights", Math.floor(head / num_heads), head % num_heads, row, col)))}) / ${all}`, number(value)];
  }
  if (name === "renormalised_difference") return [`${number(at("attention", row, col))} − ${bracket(at("renormalised", row, col))}`, number(value)];
  if (name === "renormalised") {
    if (values.hidden_tokens.data.includes(col)) return [number(value)];
    const left = values.keys.map((_, key) => key).filter((key) => !values.hidden_tokens.data.includes(key));
    return [`${number(at("attention_before", row, col))} / (${sum(left.length, (m) => number(at("attention_before", row, left[m])))})`, number(value)];
  }
  return [number(value)];
}
