// A result has its arrays under their full names, "encoder.0.self.Q"; pictures and readings of one block call it Q.

/** What the arrays that a block reads are called beside its own: in the order in which run() lists them. */
const INPUTS = { self: ["x"], cross: ["x", "memory"], ffn: ["x"], norm: ["x"], add: ["change", "x"], logits: ["x"], position: ["token"], prediction: ["logits"], token: [] };

/** [short name, full name] of every array of the block on show. */
export function names({ kind, prefix, block, inputs, arrays, parameters }) {
  const own = arrays.map((name) => [kind === "position" && name.endsWith(".output") ? "placed" : name.slice(prefix.length), name]);
  const weights = parameters.map((name) => [name.startsWith(`${block}.`) ? name.slice(block.length + 1) : name, name]);
  return [...own, ...weights, ...inputs.map((name, at) => [INPUTS[kind][at], name])];
}

/** The result with those under their short names too. */
export function named(values) {
  const short = names(values).map(([name, full]) => [name, values[full]]);
  return { ...values, ...Object.fromEntries(short) };
}
