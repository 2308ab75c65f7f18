// The bits of a float32 without its sign, read as an integer, are in the order of magnitude, with NaN above infinity above every
// finite number. So NaN and +inf are never lost in a block; only −inf is put last: a block is hidden if all of it is.
const HIDDEN = new Int32Array(new Float32Array([-Infinity]).buffer)[0];
const strength = (bits) => (bits === HIDDEN ? -1 : bits & 0x7fffffff);

const STEP = 2 ** 20; // cells: a few milliseconds

/**
 * The grid with each block of down × across cells replaced by its strongest value (the largest magnitude).
 * A mean would fade a thin diagonal of attention into the background; the strongest value of a block is one that is there.
 * A generator that returns it, and yields after every STEP cells, so that a page with a huge grid stays responsive.
 */
export function* strongest({ data, shape: [rows, cols] }, [down, across]) {
  const shape = [Math.ceil(rows / down), Math.ceil(cols / across)];
  const values = new Int32Array(data.buffer, data.byteOffset, data.length);
  const best = new Int32Array(shape[0] * shape[1]).fill(HIDDEN);
  const band = Math.ceil(STEP / cols);
  for (let row = 0; row < rows; row += band) {
    if (row > 0) yield;
    reduce(values, best, { from: row, to: Math.min(rows, row + band), cols, down, across, width: shape[1] });
  }
  return { data: new Float32Array(best.buffer), shape };
}

function reduce(values, best, { from, to, cols, down, across, width }) {
  for (let row = from, i = from * cols; row < to; row++) {
    let at = Math.floor(row / down) * width;
    for (let col = 0; col < cols; at++) {
      let most = best[at];
      for (const end = Math.min(cols, col + across); col < end; col++, i++) {
        if (strength(values[i]) > strength(most)) most = values[i];
      }
      best[at] = most;
    }
  }
}
