/**
 * One pass over a grid: what a scale must know of its values.
 * min, max, smallest (least positive) are of the finite values (min > max if there are none); rowMax is [rows];
 * hidden, infinite and nan count −inf, +inf and NaN.
 */
export function extent({ data, shape: [rows, cols] }) {
  const rowMax = new Float32Array(rows);
  let [min, max, smallest] = [Infinity, -Infinity, Infinity];
  let [hidden, infinite, nan] = [0, 0, 0];
  for (let row = 0, i = 0; row < rows; row++) {
    let top = -Infinity;
    for (const end = i + cols; i < end; i++) {
      const value = data[i];
      if (value - value === 0) {
        if (value > top) top = value;
        if (value < min) min = value;
        if (value > 0 && value < smallest) smallest = value;
      } else if (value === -Infinity) hidden++;
      else if (value === Infinity) infinite++;
      else nan++;
    }
    if (top > max) max = top;
    rowMax[row] = top;
  }
  return { min, max, smallest, rowMax, hidden, infinite, nan };
}
