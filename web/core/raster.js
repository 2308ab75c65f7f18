import { colorAt } from "./colormaps.js";

/** Hidden cells stay transparent: the hatch painted below shows through, at any cell size and without a loop over cells. */
export const TRANSPARENT = 0;

/**
 * One value, one pixel: RGBA bytes, row-major, row 0 on top.
 * `map` is a table of colours (colormaps.js); `marks` = { nan, infinite } are the pixels of what no scale can place.
 */
export function raster({ data, shape: [rows, cols] }, scale, map, marks) {
  const pixels = new Uint32Array(rows * cols);
  for (let row = 0, i = 0; row < rows; row++) {
    for (const end = i + cols; i < end; i++) {
      const value = data[i];
      pixels[i] =
        value - value === 0 ? colorAt(map, scale.position(value, row))
        : value === -Infinity ? TRANSPARENT
        : value === Infinity ? marks.infinite
        : marks.nan;
    }
  }
  return new Uint8ClampedArray(pixels.buffer);
}
