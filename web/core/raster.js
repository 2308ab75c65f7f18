/** Hidden cells stay transparent: the hatch painted below shows through, at any cell size and without a loop over cells. */
export const TRANSPARENT = 0;

const special = (value, marks) => (value === -Infinity ? TRANSPARENT : value === Infinity ? marks.infinite : marks.nan);

/** The step of a map of so many colours that is `position` 0 … 1 of the way; outside, its ends. */
const stepAt = (position, last) => (position > 0 ? (position < 1 ? (position * last + 0.5) | 0 : last) : 0);

function linear({ data, shape: [rows, cols] }, { ends }, map, marks, pixels) {
  const last = map.length - 1;
  for (let row = 0, i = 0; row < rows; row++) {
    const [low, high] = ends(row);
    const gain = high > low ? 1 / (high - low) : 0;
    for (const end = i + cols; i < end; i++) {
      const value = data[i];
      pixels[i] = value - value === 0 ? map[stepAt((value - low) * gain, last)] : special(value, marks);
    }
  }
}

// A logarithm a cell would cost more than all the rest. So a value is looked up by the upper half of its float32: the sign, the
// exponent and 7 bits of the fraction. That is off by 0.4 % at most, less than one step of the map.
const HALF = 16;
const INFINITE = 0x7f80;
const NEGATIVE = 0x8000;

function logarithmic({ data }, { ends }, map, marks, pixels) {
  const last = map.length - 1;
  const [low, high] = ends(0);
  const bits = new Int32Array(data.buffer, data.byteOffset, data.length);
  const [first, final] = new Int32Array(Float32Array.of(low, high).buffer).map((value) => value >> HALF);
  const middles = new Float32Array(Int32Array.from({ length: final - first }, (_, at) => ((first + at + 0.5) * 2 ** HALF)).buffer);
  const table = new Uint32Array(2 ** HALF).fill(map[0]); // zero and all negative numbers, too
  table.set(Array.from(middles, (value) => map[stepAt(Math.log(value / low) / Math.log(high / low), last)]), first);
  table.fill(map[last], final, INFINITE);
  table[INFINITE] = marks.infinite;
  table[NEGATIVE + INFINITE] = TRANSPARENT;
  for (const sign of [0, NEGATIVE]) table.fill(marks.nan, sign + INFINITE + 1, sign + NEGATIVE);
  for (let i = 0; i < data.length; i++) pixels[i] = table[bits[i] >>> HALF];
}

/**
 * One value, one pixel: RGBA, row-major, row 0 on top, as words in this machine's byte order, written into `pixels`.
 * `map` is a table of colours (colormaps.js); `marks` = { nan, infinite } are the pixels of what no scale can place.
 */
export function raster(grid, scale, map, marks, pixels = new Uint32Array(grid.data.length)) {
  (scale.log ? logarithmic : linear)(grid, scale, map, marks, pixels);
  return pixels;
}

/** The bytes that a canvas takes of words written by raster(). */
export const imageData = (pixels, width, height) => new ImageData(new Uint8ClampedArray(pixels.buffer), width, height);
