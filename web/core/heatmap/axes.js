// Which labels of an axis are shown, and where. Plans are plain data, so that the page (axis-labels.js) and an exported
// picture draw the same: { size, step, upright, items: [{ index, text, full, center }] }, lengths in CSS px.
import { start } from "./fit.js";
import { shorten } from "./shorten.js";

export const LINE = 15; // a 12 px label with air
const GAP = 5; // between labels and cells
const APART = 3; // between two labels that lie flat
const LONGEST = { rows: 150, columns: 92 };

const EMPTY = { size: 0, step: 1, upright: true, items: [] };

function items(texts, axis, dpr, step, room, measure) {
  return texts.map((full, index) => ({ index, full })).filter(({ index }) => index % step === 0).map(({ index, full }) => ({
    index, full,
    text: shorten(full, room, measure),
    center: (start(axis, index) + axis.pitch / 2) / dpr,
  }));
}

/** The width that row labels need: at most `share`, so that on a phone the picture keeps the greater part. */
export function rowLabelWidth(texts, share, measure) {
  if (!texts?.length) return 0;
  return Math.ceil(Math.min(LONGEST.rows, share, Math.max(...texts.map(measure)))) + GAP;
}

export function planRows(texts, { down, dpr }, size, measure) {
  if (!texts?.length) return EMPTY;
  const step = Math.ceil((LINE * dpr * down.block) / down.pitch);
  return { size, step, upright: true, items: items(texts, down, dpr, step, size - GAP, measure) };
}

/** Labels lie flat where they fit or where standing them up would show few more of them; else they stand on their column. */
export function planColumns(texts, { across, dpr }, measure) {
  if (!texts?.length) return EMPTY;
  const widest = Math.max(...texts.map(measure));
  const each = across.pitch / across.block / dpr;
  const flat = Math.ceil((widest + APART) / each);
  const standing = Math.ceil(LINE / each);
  const upright = flat <= 1.5 * standing;
  const step = upright ? flat : standing;
  const room = LONGEST.columns;
  return {
    upright, step,
    size: upright ? LINE + 2 : Math.ceil(Math.min(room, widest)) + GAP,
    items: items(texts, across, dpr, step, room, measure),
  };
}
