// Where the parts of the drawing stand: a column a stack, from below upwards in the order in which the blocks ran. One layer
// of each stack is open, the others are closed slabs. Ghosts stand for what the whole Transformer has and this model has not.

const HEIGHTS = { token: 40, position: 28, self: 40, cross: 40, ffn: 40, add: 24, norm: 24, logits: 40, prediction: 28, slab: 26, ghost: 30 };
const LANE = 20; // beside the boxes, for what goes round them
export const GUTTER = 34; // between the columns
const INNER = 8; // of a frame, on the side where no lane is
const [WIDEST, HEAD, FOOT, PADDING] = [190, 58, 30, 9];
const STACKS = ["encoder", "decoder"];

/** Room between two parts: for a shape where something else begins, less between a sublayer, its sum and the norm behind it. */
const gap = (below, part) => (part.kind === "add" || part.name.replace(/norm$/, "add") === below.name ? 10 : 22);

/**
 * The open layer of each stack: that of the current block; before and behind the layers, the first and the last.
 */
export function openLayer({ blocks, layers, num_layers }, current) {
  const at = blocks.indexOf(current);
  if (layers.data[at] >= 0) return layers.data[at];
  return ["token", "position"].includes(current.split(".")[1]) ? 0 : num_layers - 1;
}

/** Parts of one stack, from below: {name, kind, layer} with `stands` for the blocks that a slab hides. */
function partsOf(stack, open, { blocks, kinds, stacks, layers, absent }) {
  const parts = [];
  blocks.forEach((name, at) => {
    const layer = layers.data[at];
    if (stacks[at] !== stack) return;
    if (layer < 0 || layer === open) parts.push({ name, kind: kinds[at], layer, stands: [name] });
    else if (parts.at(-1)?.kind === "slab" && parts.at(-1).layer === layer) parts.at(-1).stands.push(name);
    else parts.push({ name, kind: "slab", layer, stands: [name] });
  });
  const missing = absent.filter((name) => name.startsWith(`${stack}.`)).map((name) => ({ name, kind: "ghost", layer: open, stands: [] }));
  if (!parts.length) return missing;
  const behindSelf = parts.findLastIndex(({ name, layer }) => layer === open && name.includes(".self")) + 1;
  return parts.toSpliced(behindSelf, 0, ...missing);
}

/** {parts, frames, columns, width, height}: everything in CSS px, `room` px wide or less. */
export function layOut(values, current, room) {
  const open = openLayer(values, current);
  const box = Math.min(WIDEST, (room - GUTTER - 2 * LANE) / 2);
  const left = { encoder: LANE, decoder: LANE + box + GUTTER };
  const columns = STACKS.map((stack) => ({ stack, parts: partsOf(stack, open, values), x: left[stack], width: box, middle: left[stack] + box / 2, lane: stack === "encoder" ? left[stack] - 12 : left[stack] + box + 12 }));
  for (const column of columns) {
    let y = 0; // upwards from the foot
    column.parts.forEach((part, at) => {
      const below = column.parts[at - 1];
      const border = (below?.layer === open) !== (part.layer === open) ? PADDING : 0;
      y += at ? gap(below, part) + border : border;
      const narrow = part.kind === "add" ? HEIGHTS.add : box;
      Object.assign(part, { column, bottom: y, height: HEIGHTS[part.kind], width: narrow, x: column.middle - narrow / 2 });
      y += HEIGHTS[part.kind];
    });
    column.top = y + (column.parts.at(-1).layer === open ? PADDING : 0);
  }
  const inner = Math.max(...columns.map(({ top }) => top));
  for (const { parts } of columns) for (const part of parts) part.y = HEAD + inner - part.bottom - part.height;
  const frames = columns.map((column) => {
    const within = column.parts.filter(({ layer }) => layer === open);
    const y = within.at(-1).y - PADDING;
    const x = column.x - (column.stack === "encoder" ? LANE - 2 : INNER);
    return { column, layer: open, ghost: within.every(({ kind }) => kind === "ghost"), x, width: box + LANE - 2 + INNER, y, height: within[0].y + within[0].height + PADDING - y };
  });
  return { parts: columns.flatMap(({ parts }) => parts), frames, columns, open, base: HEAD + inner, tight: box < 130, width: 2 * (box + LANE) + GUTTER, height: HEAD + inner + FOOT };
}
