// What a cell of the family lab's pictures is made of: what lights up with it, what it is called, and its arithmetic.
import { number } from "../core/format.js";
import { headRelated, headSteps, headTitle, isOfHead } from "../core/lab/one-head.js";
import { bracket } from "../core/lab/reading.js";
import { entry } from "../core/lab/slice.js";
import { tokenText } from "../core/lab/token-text.js";
import { t } from "../core/text.js";
import { attentionOf, MODEL_OF, nameOf, openAttention, sides } from "./family-names.js";

const W = "labs.family.reading";
const PAIRS = ["scores", "added", "masked", "attention"];

/** The pixels of patch `at`, counted row by row. */
function pixelsOf(at, { picture, told_vit }) {
  const [size, side] = [picture.shape[0], told_vit.shape[0]];
  const patch = size / side;
  return Array.from({ length: patch * patch }, (_, within) => [
    Math.floor(at / side) * patch + Math.floor(within / patch), (at % side) * patch + (within % patch)]);
}

const patchOf = (row, col, { picture, told_vit }) => {
  const patch = picture.shape[0] / told_vit.shape[0];
  return [Math.floor(row / patch), Math.floor(col / patch)];
};

/** One patch wherever it stands. */
const onPicture = (at, values) => [
  { name: "picture", cells: pixelsOf(at, values) }, { name: "told_vit", cells: [[Math.floor(at / values.told_vit.shape[0]), at % values.told_vit.shape[0]]] },
  { name: "weights_vit", col: at + 1 }, { name: "mask_vit", col: at + 1 }];

export function related(cell, values) {
  const { name, index, row, col } = cell;
  if (row === undefined) return [];
  const here = { row, col, cells: [[row, col]] };
  const open = openAttention(values);
  const whole = (which) => ["mask", "weights"].map((what) => ({ name: `${what}_${which}`, ...here }));
  const found = attentionOf(name);
  if (found) {
    const [, which] = found;
    const head = which === open ? [...headRelated({ ...cell, name: "attention" }), { name: "added", ...here }] : [];
    return [...whole(which), ...head, ...(which === "vit" && col > 0 ? onPicture(col - 1, values).slice(0, 2) : [])];
  }
  if (name === "added" || isOfHead(name)) {
    const pair = PAIRS.includes(name) || name === "weights";
    return [...headRelated(name === "added" ? { ...cell, name: "masked" } : cell), ...(pair ? [{ name: "added", ...here }, ...whole(open)] : [])];
  }
  if (name === "told_vit") return onPicture(row * values.told_vit.shape[1] + col, values);
  if (name === "picture") {
    const [down, across] = patchOf(row, col, values);
    return [...onPicture(down * values.told_vit.shape[1] + across, values), { name, ...here }];
  }
  if (/^(moved|reach)_/.test(name)) return ["moved", "reach"].map((each) => ({ name: `${each}_${name.split("_")[1]}`, ...here }));
  if (["logits", "probabilities"].includes(name)) return ["logits", "probabilities"].map((each) => ({ name: each, ...here }));
  if (values.terms?.includes(name)) return values.terms.filter((each) => each.split("_")[0] === name.split("_")[0]).map((each) => ({ name: each, ...here }));
  return [{ name, index, ...here }];
}

const text = (list, place) => tokenText(list[place]);
const stackTokens = (name, values) => values[`${name.split("_")[0]}_tokens_${values.cell.split(".")[1]}`];

export function title(cell, values) {
  const { name, index, row, col } = cell;
  const found = attentionOf(name);
  const model = found ? MODEL_OF[found[1]] : values.cell.split(".")[1];
  if (found) {
    const { rows, cols } = sides(found[1]);
    return `${nameOf(model, values)} · ${t("model.looks", { query: text(values[rows], row), key: text(values[cols], col) })}`;
  }
  if (isOfHead(name) || name === "added") return headTitle(name === "added" ? { ...cell, name: "masked" } : cell, values, { rows: "queries", cols: "keys" });
  if (name === "picture") return t(`${W}.pixel`, { row: row + 1, column: col + 1 });
  if (name === "told_vit") return t(`${W}.patch`, { row: row + 1, column: col + 1 });
  if (name === "through") return t(`${W}.through`, { layer: index + 1, output: text(values[`outputs_${model}`].length > row ? values[`outputs_${model}`] : values.columns, row), input: text(values.columns, col) });
  if (/^(moved|reach)_/.test(name)) return t(`${W}.${name.split("_")[0]}`, { output: text(values[`outputs_${model}`], row), input: text(values[`inputs_${model}`], col) });
  if (["logits", "probabilities"].includes(name)) return t(`${W}.${name}`, { token: text(values.names, col) });
  if (/_norms$/.test(name)) return t(`${W}.norm`, { token: text(stackTokens(name, values), col), where: row ? t("model.afterLayer", { layer: row }) : t("model.embedding") });
  if (name === "stream") return t(`${W}.stream`, { where: row ? t("model.afterLayer", { layer: row }) : t("model.embedding"), column: col + 1 });
  const tokens = ["patches", "projected"].includes(name) ? values.inputs_vit : stackTokens(name, values);
  return t("model.entry", { name, token: text(tokens, row), column: col + 1 });
}

/** A weight of the table, from what its softmax was made of. */
function weight(which, { row, col, value }, values) {
  const at = (name, ...where) => entry(values[`${name}_${which}`], ...where);
  if (!["peak", "exp", "total"].every((name) => `${name}_${which}` in values)) return [number(value)];
  return [`exp(${number(at("masked", row, col))} − ${bracket(at("peak", row, 0))}) / Σ`, `${number(at("exp", row, col))} / ${number(at("total", row, 0))}`, number(value)];
}

export function steps(cell, values) {
  const { name, row, col, value } = cell;
  const at = (array, ...where) => entry(values[array], ...where);
  const told = number(value);
  const [what, which] = attentionOf(name) ?? [];
  if (what === "weights") return weight(which, cell, values);
  if (what === "mask" || name === "added") return [told];
  if (name === "masked") return [`${number(at("scores", row, col))} + ${bracket(at("added", row, col))}`, told];
  if (isOfHead(name)) return headSteps(cell, values);
  if (name === "probabilities") return [`exp(${number(at("logits", col))} − ${bracket(values.peak)}) / Σ`, `exp(${number(at("logits", col))} − ${bracket(values.peak)}) / ${number(values.total)}`, told];
  if (/_(sum|output)$/.test(name)) {
    const stack = name.split("_")[0];
    const terms = values.terms.filter((each) => each.startsWith(`${stack}_`) && !/_(sum|output)$/.test(each));
    const isSum = name.endsWith("sum") || !values.terms.includes(`${stack}_sum`);
    if (isSum && terms.length) return [terms.map((each) => bracket(at(each, row, col))).join(" + "), told];
  }
  return [told];
}
