/**
 * A table of curves as Plot takes it: points(y [k, n], { x, names? }) -> [{ x, y, name }, …], curve after curve.
 * `x` is an array of the result, one value a column (its index where there is none). Values that are no number leave a gap.
 */
export function points({ data, shape: [curves, count] }, { x, names } = {}) {
  return Array.from(data, (y, at) => {
    const [curve, column] = [Math.floor(at / count), at % count];
    return { x: x ? x.data[column] : column, y, name: names ? names[curve] : curve };
  }).slice(0, curves * count);
}
