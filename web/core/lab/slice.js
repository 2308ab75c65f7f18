/** The sub-array at the leading indices, a view on the same numbers: at({shape: [h, n, m]}, 2) is head 2, [n, m]. */
export function at({ data, shape }, ...indices) {
  const rest = shape.slice(indices.length);
  const size = rest.reduce((product, length) => product * length, 1);
  const offset = indices.reduce((sum, index, axis) => sum * shape[axis] + index, 0) * size;
  return { data: data.subarray(offset, offset + size), shape: rest };
}

/** One number of an array. */
export const entry = (array, ...indices) => at(array, ...indices).data[0];
