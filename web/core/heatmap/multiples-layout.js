// Where small pictures lie in a grid of layers (rows) and heads (columns), and which of them can be seen. Lengths in device px.
export const LEFT = 26; // CSS px, for the numbers of the layers
export const TOP = 20; // CSS px, for those of the heads
const GAP = 6;
const [LEAST, MOST] = [44, 132]; // CSS px, a picture's longer side
const WIDEST_CELL = 22;

/**
 * A picture keeps the proportions of its rows × cols. Cells have whole pixels; where there are more cells than pixels,
 * `block` neighbours share one.
 */
export function place({ shape: [layers, heads, rows, cols], width, dpr }) {
  const share = (width - LEFT) / heads - GAP;
  const room = Math.min(MOST, Math.max(LEAST, share)) * dpr;
  const longer = Math.max(rows, cols);
  const block = Math.max(1, (share < LEAST ? Math.round : Math.ceil)(longer / room)); // what scrolls anyway may be a little wider
  const pitch = Math.max(1, Math.min(Math.floor(room / Math.ceil(longer / block)), Math.round(WIDEST_CELL * dpr)));
  const tile = { block, pitch, width: Math.ceil(cols / block) * pitch, height: Math.ceil(rows / block) * pitch };
  const gap = Math.round(GAP * dpr);
  const [left, top] = [Math.round(LEFT * dpr), Math.round(TOP * dpr)];
  const [across, down] = [tile.width + gap, tile.height + gap];
  return { dpr, layers, heads, rows, cols, tile, gap, left, top, across, down, width: left + heads * across, height: top + layers * down };
}

const range = (from, to, count) => [Math.max(0, Math.floor(from)), Math.min(count, Math.ceil(to))];

/** [first layer, last layer + 1, first head, last head + 1] of what shows in a window of the whole. */
export function inSight({ left, top, across, down, layers, heads }, { x, y, width, height }) {
  return [...range(y / down, (y + height - top) / down, layers), ...range(x / across, (x + width - left) / across, heads)];
}

/** The upper left corner of a picture. */
export const corner = ({ left, top, across, down, gap }, layer, head) => [left + head * across + gap / 2, top + layer * down + gap / 2];

const clamp = (at, count) => Math.max(0, Math.min(count - 1, Math.floor(at)));

/** The picture at a point of the whole, and the cell in it (null in the gaps); null outside of all. */
export function placeAt(placed, x, y) {
  const { layers, heads, rows, cols, tile, left, top, across, down } = placed;
  if (x < left || y < top || x >= left + heads * across || y >= top + layers * down) return null;
  const [layer, head] = [clamp((y - top) / down, layers), clamp((x - left) / across, heads)];
  const [from, over] = corner(placed, layer, head);
  const [col, row] = [(x - from) / tile.pitch, (y - over) / tile.pitch];
  const inside = col >= 0 && row >= 0 && col * tile.pitch < tile.width && row * tile.pitch < tile.height;
  return { layer, head, cell: inside ? { row: clamp(row * tile.block, rows), col: clamp(col * tile.block, cols) } : null };
}
