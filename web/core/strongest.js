// NaN before +inf before any finite value before −inf: trouble is never averaged away, and a block is hidden only if all of it is.
function strength(value) {
  const size = Math.abs(value);
  if (size < Infinity) return size;
  return value === -Infinity ? -1 : value === Infinity ? Number.MAX_VALUE : Infinity;
}

/**
 * The grid with each block of down × across cells replaced by its strongest value (the largest magnitude).
 * A mean would fade a thin diagonal of attention into the background; the strongest value of a block is one that is there.
 */
export function strongest({ data, shape: [rows, cols] }, [down, across]) {
  const shape = [Math.ceil(rows / down), Math.ceil(cols / across)];
  const best = new Float32Array(shape[0] * shape[1]).fill(-Infinity);
  const most = new Float64Array(best.length).fill(-1);
  for (let row = 0, i = 0; row < rows; row++) {
    const base = Math.floor(row / down) * shape[1];
    for (let col = 0; col < cols; ) {
      let at = base + col / across;
      for (const end = Math.min(cols, col + across); col < end; col++, i++) {
        const force = strength(data[i]);
        if (force > most[at]) [most[at], best[at]] = [force, data[i]];
      }
    }
  }
  return { data: best, shape };
}
