// What lights up when a cell of the positional lab is pointed at, and what the reading line says of it.
import { number } from "../core/format.js";
import { bracket, product, sum } from "../core/lab/reading.js";
import { entry } from "../core/lab/slice.js";
import { t } from "../core/text.js";

const W = "labs.positional";
const few = (value) => number(value, 3);

const PAIRED = { similarity: "PE", learned_similarity: "learned" };
const WHERE = {
  shuffle: ["output", "shuffled", "difference"],
  add: ["embedding", "code", "added", "Q_added", "Q_concatenated", "concatenated"],
  rope: ["queries", "rotated_queries", "keys", "rotated_keys"],
};

export function related({ name, index, row, col }, { d_model, order }) {
  const cell = (name) => ({ name, row, col, cells: [[row, col]] });
  const here = { name, index, row, col };
  const pair = Math.floor(col / 2);
  if (name === "PE") return [cell("PE"), { name: "rates", col: pair }, { name: "angles", row, col: pair }, { name: "similarity", row }, { name: "curves", row, col }, { name: "rotation", row: col }, { name: "moved", row }];
  if (name === "angles" || name === "rates") return [here, { name: "rates", col }, { name: "angles", row: name === "angles" ? row : undefined, col }, { name: "PE", row: name === "angles" ? row : undefined, cells: [] }];
  if (name in PAIRED) return [here, { name: PAIRED[name], row }, { name: "profiles", row, col }];
  if (name === "moved") return [here, { name: "PE", row }, { name: "rotation", col }, cell("later")];
  if (name === "later") return [here, cell("moved")];
  if (name === "rotation") return [here, { name: "PE", col: row }, { name: "moved", col }];
  if (name === "hand_moved") return [here, { name: "hand", row: 0 }, { name: "turn", col }];
  if (name === "codes") return [{ name, row, col }];
  const [what, , which] = name.match(/^(output|shuffled|difference)(_(with|without))$/) ?? [];
  if (what) {
    const before = name.startsWith("output") ? row : entry(order, row);
    const after = name.startsWith("output") ? order.data.indexOf(row) : row;
    return [{ name: `output_${which}`, row: before, col }, { name: `shuffled_${which}`, row: after, col }, { name: `difference_${which}`, row: after, col }];
  }
  if (name === "concatenated") return [here, col < d_model ? { name: "embedding", row, col } : { name: "code", row, col: col - d_model }, { name: "Q_concatenated", row }];
  if (name === "Q_added") return [here, { name: "added", row }, { name: "W_Q", col }, cell("Q_concatenated")];
  if (name === "Q_concatenated") return [here, { name: "concatenated", row }, { name: "W_twice", col }, cell("Q_added")];
  if (WHERE.add.includes(name)) return [cell("embedding"), cell("code"), cell("added"), { name: "concatenated", cells: [[row, col], [row, col + d_model]] }];
  if (name === "rope_scores") return [here, { name: "rotated_queries", row }, { name: "rotated_keys", row: col }];
  if (WHERE.rope.includes(name)) return [here, ...[name.replace(/^/, "rotated_"), name.replace("rotated_", "")].map(cell)];
  if (name.startsWith("alibi")) return ["alibi", "alibi_weights"].map((array) => ({ ...cell(array), index }));
  return [here];
}

const dot = (values, [left, row], [right, column], count, byRow = false) =>
  sum(count, (m) => product(entry(values[left], row, m), byRow ? entry(values[right], column, m) : entry(values[right], m, column)));

function turned({ row, col, name }, values, layout) {
  const half = values.d_model / 2;
  const [first, second] = layout === "half" ? [col % half, (col % half) + half] : [col - (col % 2), col - (col % 2) + 1];
  const from = name.replace("rotated_", "");
  const [a, b, turn] = [entry(values[from], row, first), entry(values[from], row, second), entry(values.turns, row, layout === "half" ? first : first / 2)];
  return col === first ? `${bracket(a)}·cos ${few(turn)} − ${bracket(b)}·sin ${few(turn)}` : `${bracket(a)}·sin ${few(turn)} + ${bracket(b)}·cos ${few(turn)}`;
}

/** The arithmetic of a cell, as pieces for the reading line. */
export function arithmetic(cell, values, layout) {
  const { name, index, row, col, value } = cell;
  const get = (array, ...where) => entry(values[array], ...where);
  const wave = col % 2 ? "cos" : "sin";
  const pair = Math.floor(col / 2);
  const [what, which] = name.split("_");
  const steps = {
    PE: () => [`${wave}(${values.positions[row]} × ${number(get("rates", pair))})`, `${wave} ${bracket(get("angles", row, pair))}`],
    angles: () => [`${values.positions[row]} × ${number(get("rates", col))}`],
    rates: () => [`1 / ${values.base}^(2·${col}/${values.d_model})`],
    similarity: () => [dot(values, ["PE", row], ["PE", col], values.d_model, true)],
    learned_similarity: () => [dot(values, ["learned", row], ["learned", col], values.d_model, true)],
    moved: () => [sum(2, (m) => product(get("PE", row, 2 * pair + m), get("rotation", 2 * pair + m, col)))],
    hand_moved: () => [dot(values, ["hand", 0], ["turn", col], 2)],
    added: () => [`${number(get("embedding", row, col))} + ${bracket(get("code", row, col))}`],
    Q_added: () => [dot(values, ["added", row], ["W_Q", col], values.d_model)],
    Q_concatenated: () => [dot(values, ["concatenated", row], ["W_twice", col], 2 * values.d_model)],
    rotated_queries: () => [turned(cell, values, layout)],
    rotated_keys: () => [turned(cell, values, layout)],
    rope_scores: () => [dot(values, ["rotated_queries", row], ["rotated_keys", col], values.d_model, true)],
    alibi: () => (col > row ? [] : [`−${number(get("slopes", index))} × (${values.positions[row]} − ${values.positions[col]})`]),
    alibi_weights: () => [`exp(${number(get("alibi", index, row, col))}) / Σ`],
    difference: () => [`${number(get(`shuffled_${which}`, row, col))} − ${bracket(get(`output_${which}`, get("order", row), col))}`],
  };
  const spelt = steps[name] ?? (what === "difference" ? steps.difference : () => []);
  return [...spelt(), number(value)];
}

const WORDS = { output: "tokens", shuffled: "shuffled", difference: "shuffled" };

export function title({ name, index, row, col }, { tokens, shuffled, positions, base_names, pos, hand_columns }) {
  const of = { tokens, shuffled }[WORDS[name.split("_")[0]] ?? (WHERE.add.includes(name) ? "tokens" : "")];
  if (of) return t(`${W}.reading.token`, { token: of[row], column: col });
  if (name in PAIRED) return t(`${W}.reading.pair`, { one: positions[row], other: positions[col] });
  if (name === "rope_scores" || name.startsWith("alibi")) return t(`${W}.reading.looks`, { query: positions[row], key: positions[col] });
  if (name === "rates") return t(`${W}.reading.rate`, { pair: col });
  if (name === "angles") return t(`${W}.reading.angle`, { position: positions[row], pair: col });
  if (name === "codes") return t(`${W}.reading.base`, { base: base_names[index], position: row, column: col });
  if (name === "hand") return t(`${W}.reading.place`, { position: pos, column: hand_columns[col] });
  if (/^(rotation|turn|W_)|^hand_moved/.test(name)) return t(`${W}.reading.entry`, { name, row, column: col });
  return t(`${W}.reading.place`, { position: positions[row], column: col });
}
