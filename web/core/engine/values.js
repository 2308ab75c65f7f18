// The other half of py/seeformer/packing.py: one flat Float32Array and its description -> a lab's values by name.
/** Arrays become {data: Float32Array, shape}: views into `buffer`, not copies. */
export function unpack(meta, buffer) {
  return Object.fromEntries(meta.map((entry) => [entry.name, value(entry, buffer)]));
}

function value({ kind, value, shape, offset }, buffer) {
  if (kind === "number") return Number(value); // "NaN" and "Infinity" travel by name
  if (kind !== "array") return value;
  return { data: buffer.subarray(offset, offset + shape.reduce((size, side) => size * side, 1)), shape };
}
