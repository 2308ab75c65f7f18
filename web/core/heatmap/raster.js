/** Hidden cells stay transparent: the hatch painted below shows through, at any cell size and without a loop over cells. */
export const TRANSPARENT = 0;

const special = (value, marks) => (value === -Infinity ? TRANSPARENT : value === Infinity ? marks.infinite : marks.nan);

const reach = (low, high, log) => (log ? Math.log(high / low) : high - low);

function color(value, low, perReach, log, map, marks) {
  if (value - value !== 0) return special(value, marks);
  const last = map.length - 1;
  const way = (log ? Math.log(value / low) : value - low) * perReach; // NaN where there is none
  return map[way > 0 ? (way < 1 ? (way * last + 0.5) | 0 : last) : 0];
}

function computed({ data, shape: [rows, cols] }, { ends, log }, map, marks, pixels) {
  for (let row = 0, i = 0; row < rows; row++) {
    const [low, high] = ends(row);
    const perReach = 1 / reach(low, high, log);
    for (const end = i + cols; i < end; i++) pixels[i] = color(data[i], low, perReach, log, map, marks);
  }
}

// In a large grid a cell's colour is looked up by the upper half of its float32 (sign, exponent, 7 bits of the fraction), without
// any arithmetic: several times as fast, and off by 0.4 % at most, a 256th of the map. Rows with ends of their own are first
// brought to 0 … 1; −inf, NaN and +inf stay what they are.
const HALF = 16;
const MIDDLES = new Float32Array(Int32Array.from({ length: 2 ** HALF }, (_, upper) => (upper + 0.5) * 2 ** HALF).buffer);
const INFINITE = 0x7f80;
const NEGATIVE = 0x8000;

function colourTable(scale, map, marks) {
  const table = new Uint32Array(MIDDLES.length);
  computed({ data: MIDDLES, shape: [1, MIDDLES.length] }, scale, map, marks, table);
  table[INFINITE] = marks.infinite; // their own halves: the middle of the interval above infinity is a NaN
  table[NEGATIVE + INFINITE] = TRANSPARENT;
  return table;
}

function looked({ data, shape: [rows, cols] }, scale, map, marks, pixels) {
  const byRow = scale.barRow !== undefined;
  const table = colourTable(byRow ? { ends: () => [0, 1] } : scale, map, marks);
  const line = new Float32Array(cols);
  for (let row = 0, i = 0; row < rows; row++) {
    const values = data.subarray(i, i + cols);
    const perReach = byRow ? 1 / scale.ends(row)[1] : 1;
    if (byRow && perReach < Infinity) for (let col = 0; col < cols; col++) line[col] = values[col] * perReach;
    else line.set(values);
    const bits = new Int32Array(line.buffer);
    for (let col = 0; col < cols; col++, i++) pixels[i] = table[bits[col] >>> HALF];
  }
}

/**
 * One value, one pixel: RGBA, row-major, row 0 on top, as words in this machine's byte order, written into `pixels`.
 * `map` is a table of colours (colormaps.js); `marks` = { nan, infinite } are the pixels of what no scale can place.
 */
export function raster(grid, scale, map, marks, pixels = new Uint32Array(grid.data.length)) {
  (grid.data.length > MIDDLES.length ? looked : computed)(grid, scale, map, marks, pixels);
  return pixels;
}

/** The bytes that a canvas takes of words written by raster(). */
export const imageData = (pixels, width, height) => new ImageData(new Uint8ClampedArray(pixels.buffer), width, height);
