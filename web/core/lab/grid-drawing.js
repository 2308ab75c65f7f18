// What is drawn on a grid of cells, as run() takes it: a string a row, a sign a cell, "1" visible and "0" hidden. Cells that
// nobody drew are visible, so that a drawing fits a grid of any shape, and [] is the empty drawing.

export const isVisible = (drawing, row, col) => drawing?.[row]?.[col] !== "0";

const count = (length) => Array.from({ length }, (_, index) => index);

/** The drawing in which visible(row, col) holds; [] where all is visible. */
function draw([rows, cols], visible) {
  const drawing = count(rows).map((row) => count(cols).map((col) => (visible(row, col) ? "1" : "0")).join(""));
  return drawing.some((row) => row.includes("0")) ? drawing : [];
}

/** The drawing with these cells [{row, col}] visible or hidden; what lay outside of the shape is gone. */
export function paint(drawing, shape, cells, visible) {
  const painted = new Set(cells.map(({ row, col }) => `${row} ${col}`));
  return draw(shape, (row, col) => (painted.has(`${row} ${col}`) ? visible : isVisible(drawing, row, col)));
}

export const invert = (drawing, shape) => draw(shape, (row, col) => !isVisible(drawing, row, col));

/** The cells on the straight way from one to another, both included: a quick hand skips cells between two events. */
export function between(from, to) {
  const steps = Math.max(Math.abs(to.row - from.row), Math.abs(to.col - from.col));
  const part = (side, step) => Math.round(from[side] + ((to[side] - from[side]) * step) / (steps || 1));
  return count(steps + 1).map((step) => ({ row: part("row", step), col: part("col", step) }));
}
