/**
 * One pass over a grid: what a scale must know of its values.
 * min and max are of the finite values (min > max if there are none), rowMax [rows] likewise; hidden, infinite and nan count
 * −inf, +inf and NaN; smallest is the least positive value, looked for when it is asked for.
 */
export function extent({ data, shape: [rows, cols] }) {
  const rowMax = new Float32Array(rows);
  let [min, max, hidden, infinite, nan] = [Infinity, -Infinity, 0, 0, 0];
  for (let row = 0, i = 0; row < rows; row++) {
    let top = -Infinity;
    for (const end = i + cols; i < end; i++) {
      const value = data[i];
      if (value - value === 0) {
        if (value > top) top = value;
        if (value < min) min = value;
      } else if (value === -Infinity) hidden++;
      else if (value === Infinity) infinite++;
      else nan++;
    }
    if (top > max) max = top;
    rowMax[row] = top;
  }
  return { min, max, rowMax, hidden, infinite, nan, get smallest() { return smallestPositive(data); } };
}

function smallestPositive(data) {
  let smallest = Infinity;
  for (let i = 0; i < data.length; i++) {
    const value = data[i];
    if (value > 0 && value < smallest) smallest = value;
  }
  return smallest;
}
