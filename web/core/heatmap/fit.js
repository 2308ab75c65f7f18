// How big is a cell? Whole device pixels always, so that every edge is sharp at any devicePixelRatio.
const TALLEST = 1200; // CSS px

/** The pitch in CSS px at which so many cells read well: 44 (room for numbers) for 3, 24 for 10, 3 for 128. */
export const comfortable = (count) => Math.min(44, 78 / Math.sqrt(count), 420 / count);

/** Cells of `pitch` device px in `room`; where not even 1 px each fits, `block` neighbours share one. */
function pack(count, wanted, room, block = Math.ceil(count / room)) {
  const slots = Math.ceil(count / block);
  return { block, slots, pitch: Math.max(1, Math.floor(Math.min(wanted, room / slots))) };
}

/**
 * Returns { dpr, down, across }, each of the two { block, slots, pitch } in device px.
 * `square` or not: vectors (a row a token) keep the row pitch of their n rows, so that the pictures of one pipeline line up,
 * and squeeze their columns.
 */
export function fit({ rows, cols, width, dpr, cell, square = Math.max(rows / cols, cols / rows) <= 2 }) {
  const room = Math.max(1, Math.floor(width * dpr));
  const tall = (cell ?? comfortable(rows)) * dpr;
  const wide = Math.min(tall, (cell ?? comfortable(cols)) * dpr);
  const height = TALLEST * dpr;
  if (!square) return { dpr, down: pack(rows, tall, height), across: pack(cols, wide, room) };
  const block = Math.max(Math.ceil(rows / height), Math.ceil(cols / room));
  const down = pack(rows, wide, height, block);
  const across = pack(cols, wide, room, block);
  const pitch = Math.min(down.pitch, across.pitch);
  return { dpr, down: { ...down, pitch }, across: { ...across, pitch } };
}

/** Where cell `index` begins on its axis, in device px, and how far it reaches. */
export const start = ({ block, pitch }, index) => Math.floor(index / block) * pitch;
export const length = ({ slots, pitch }) => slots * pitch;

/** The cell at a fraction 0 … 1 of an axis of `count` cells. */
export const cellAt = ({ block, slots }, fraction, count) =>
  Math.max(0, Math.min(count - 1, Math.floor(fraction * slots * block)));
