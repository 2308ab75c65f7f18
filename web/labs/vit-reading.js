// What lights up when a cell of the ViT lab is pointed at, and what the reading line says of it.
import { number } from "../core/format.js";
import { headRelated, headSteps, headTitle, isOfHead } from "../core/lab/one-head.js";
import { bracket, product, sum } from "../core/lab/reading.js";
import { entry } from "../core/lab/slice.js";
import { t } from "../core/text.js";

const W = "labs.vit";
const PIXELS = ["picture", "overlay"];
const ON_GRID = ["look", "rollout"];
const OF_PATCH = ["patches", "projected"];
const OF_TOKEN = ["embedding", "position", "X"];
const STREAM = ["lens", "lens_logits", "norms", "stream"];

/** The patch, row by row, that a pixel lies in; its place in there. */
function patchOf(row, col, { patch_size, side }) {
  return {
    patch: Math.floor(row / patch_size) * side + Math.floor(col / patch_size),
    within: (row % patch_size) * patch_size + (col % patch_size),
  };
}

/** The pixel that is entry `within` of a patch, row by row. */
const pixelOf = (patch, within, { patch_size, side }) => [
  Math.floor(patch / side) * patch_size + Math.floor(within / patch_size),
  (patch % side) * patch_size + (within % patch_size),
];

/** One patch wherever it stands: its pixels, its row, its square on the grid. */
function everywhere(patch, values, within) {
  const { patch_size, side } = values;
  const pixels = within === undefined ? Array.from({ length: patch_size ** 2 }, (_, at) => pixelOf(patch, at, values)) : [pixelOf(patch, within, values)];
  return [
    ...PIXELS.map((name) => ({ name, cells: pixels })),
    ...ON_GRID.map((name) => ({ name, cells: [[Math.floor(patch / side), patch % side]] })),
    ...OF_PATCH.map((name) => ({ name, row: patch })),
    ...OF_TOKEN.map((name) => ({ name, row: patch + 1 })),
    { name: "norms", col: patch + 1 },
  ];
}

/** What a cell is made of and what it goes into. */
export function related(cell, values) {
  const { name, row, col } = cell;
  const here = { name, row, col };
  if (name === "cut") return everywhere(cell.layer * values.side + cell.head, values);
  if (name === "looks") return row === undefined ? [] : everywhere(row * values.side + col, values);
  if (isOfHead(name)) return [...headRelated(cell), ...(row !== undefined && col > 0 && ["weights", "attention", "scores", "masked"].includes(name) ? everywhere(col - 1, values).slice(0, 4) : [])];
  if (PIXELS.includes(name)) {
    const { patch, within } = patchOf(row, col, values);
    return [...everywhere(patch, values, within), { name: "patches", row: patch, col: within }, { name: "W_patch", row: within }];
  }
  if (ON_GRID.includes(name)) return [here, ...everywhere(row * values.side + col, values)];
  if (name === "patches") return [...everywhere(row, values, col % values.patch_size ** 2), here, { name: "W_patch", row: col }];
  if (name === "W_patch") return [here, { name: "patches", col: row }, { name: "projected", col }];
  if (name === "projected") return [...everywhere(row, values), here, { name: "W_patch", col }, { name: "embedding", row: row + 1, col }];
  if (OF_TOKEN.includes(name)) return [...(row ? everywhere(row - 1, values) : []), ...OF_TOKEN.map((each) => ({ name: each, row, col, cells: [[row, col]] }))];
  if (STREAM.includes(name)) return [here, ...STREAM.map((each) => ({ name: each, row })), ...(name.startsWith("lens") ? ["lens", "lens_logits"].map((each) => ({ name: each, row, col })) : [])];
  return [here];
}

const where = (depth) => (depth ? t("model.afterLayer", { layer: depth }) : t("model.embedding"));

export function title(cell, values) {
  const { name, row, col } = cell;
  const { tokens, patch_names, query } = values;
  if (name === "cut") return t(`${W}.reading.patch`, { patch: patch_names[cell.layer * values.side + cell.head] });
  if (name === "looks") return `${t("multiples.at", { layer: cell.layer + 1, head: cell.head + 1 })}${row === undefined ? "" : ` · ${t("model.looks", { query: tokens[query], key: patch_names[row * values.side + col] })}`}`;
  if (isOfHead(name)) return headTitle(cell, values);
  if (["unhidden", "renormalised"].includes(name)) return t("model.looks", { query: tokens[row], key: tokens[col] });
  if (PIXELS.includes(name)) return t(`${W}.reading.pixel`, { row: row + 1, column: col + 1, patch: patch_names[patchOf(row, col, values).patch] });
  if (ON_GRID.includes(name)) return t("model.looks", { query: tokens[query], key: patch_names[row * values.side + col] });
  if (OF_PATCH.includes(name)) return t("model.entry", { name, token: patch_names[row], column: col + 1 });
  if (OF_TOKEN.includes(name)) return t("model.entry", { name, token: tokens[row], column: col + 1 });
  if (name === "norms") return t(`${W}.reading.norm`, { token: tokens[col], where: where(row) });
  if (name === "stream") return t(`${W}.reading.stream`, { token: tokens[query], where: where(row), column: col + 1 });
  if (name.startsWith("lens")) return t(`${W}.reading.lens`, { label: values.labels[col], where: where(row) });
  return t(`${W}.reading.weight`, { name, row: row + 1, column: col + 1 });
}

/** The arithmetic of a cell, as pieces for the reading line. */
export function arithmetic(cell, values) {
  const { name, row, col, value } = cell;
  const get = (array, ...place) => entry(values[array], ...place);
  if (isOfHead(name)) return headSteps(cell, values);
  if (value === undefined) return [t("model.enlarge")];
  const spelt = {
    projected: () => [`${sum(values.patches.shape[1], (m) => product(get("patches", row, m), get("W_patch", m, col)))} + ${bracket(get("b_patch", col))}`],
    X: () => [`${number(get("embedding", row, col))} + ${bracket(get("position", row, col))}`],
    overlay: () => {
      const { patch } = patchOf(row, col, values);
      return values.look_peak ? [`${number(get("picture", row, col))} × ${number(get("look", Math.floor(patch / values.side), patch % values.side))} / ${number(values.look_peak)}`] : [];
    },
    lens: () => [`exp(${number(get("lens_logits", row, col))} − ${bracket(get("lens_peak", row, 0))}) / Σ`, `exp(${number(get("lens_logits", row, col))} − ${bracket(get("lens_peak", row, 0))}) / ${number(get("lens_total", row, 0))}`],
  };
  return [...(spelt[name]?.() ?? []), number(value)];
}
