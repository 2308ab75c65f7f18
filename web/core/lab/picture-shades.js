// What is drawn in sixteen shades, as run() takes it: a string a row, a sign a pixel, "0" paper to "f" ink; always a square.

export const INK = 15;
const SIGNS = "0123456789abcdef";

export const shadeAt = (rows, row, col) => Math.max(0, SIGNS.indexOf(rows?.[row]?.[col] ?? "0"));

/** A square of `size` in which shade(row, col) holds. */
export const square = (size, shade) => {
  const count = Array.from({ length: size }, (_, at) => at);
  return count.map((row) => count.map((col) => SIGNS[Math.round(shade(row, col))]).join(""));
};

/** The drawing with these cells [{row, col}] in one shade. */
export function paint(rows, cells, shade) {
  const painted = new Set(cells.map(({ row, col }) => `${row} ${col}`));
  return square(rows.length, (row, col) => (painted.has(`${row} ${col}`) ? shade : shadeAt(rows, row, col)));
}

export const invert = (rows) => square(rows.length, (row, col) => INK - shadeAt(rows, row, col));

/** The same drawing on another grid: the mean of the pixels where they go evenly into fewer, else the nearest one. */
export function resize(rows, size) {
  const many = rows.length / size;
  const nearest = (row, col) => shadeAt(rows, Math.floor(row * many), Math.floor(col * many));
  if (many <= 1 || !Number.isInteger(many)) return square(size, nearest);
  const within = Array.from({ length: many * many }, (_, at) => [Math.floor(at / many), at % many]);
  return square(size, (row, col) => within.reduce((sum, [down, across]) => sum + shadeAt(rows, row * many + down, col * many + across), 0) / within.length);
}
