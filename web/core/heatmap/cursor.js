// Which cell of a canvas is current: by mouse, by touch (tap, or drag sideways) and by keys.
const PAGE = 10;

const STEPS = {
  ArrowUp: ({ row, col }) => [row - 1, col],
  ArrowDown: ({ row, col }) => [row + 1, col],
  ArrowLeft: ({ row, col }) => [row, col - 1],
  ArrowRight: ({ row, col }) => [row, col + 1],
  PageUp: ({ row, col }) => [row - PAGE, col],
  PageDown: ({ row, col }) => [row + PAGE, col],
  Home: ({ row }, control) => [control ? 0 : row, 0],
  End: ({ row }, control) => [control ? Infinity : row, Infinity],
};

const clamp = (index, count) => Math.max(0, Math.min(count - 1, index));

/** The cell a key leads to from `cell` (null: none yet, so the first one), or undefined for any other key. */
export function stepFrom(cell, key, control, [rows, cols]) {
  const step = STEPS[key];
  if (!step) return undefined;
  if (!cell) return { row: 0, col: 0 };
  const [row, col] = step(cell, control);
  return { row: clamp(row, rows), col: clamp(col, cols) };
}

/**
 * Listens on `canvas`. `locate(event)` → the cell under a pointer; `shape()` → [rows, cols];
 * `moved(cell | null, source)` is called once for each change, source "pointer" or "keyboard".
 */
export function trackCursor(canvas, { locate, shape, moved }) {
  const ending = new AbortController();
  const on = (target, event, listener) => target.addEventListener(event, listener, { signal: ending.signal });
  const cursor = { cell: null, source: "pointer", moveTo, stop: () => ending.abort() };

  function moveTo(cell, source = cursor.source) {
    const before = cursor.cell;
    if (before === cell || (before && cell && before.row === cell.row && before.col === cell.col)) return;
    Object.assign(cursor, { cell, source });
    moved(cell, source);
  }

  for (const event of ["pointerdown", "pointermove"]) on(canvas, event, (move) => moveTo(locate(move), "pointer"));
  // A finger leaves whenever it is lifted, and its reader still wants to see the value: only a touch elsewhere clears it.
  on(canvas, "pointerleave", (leave) => leave.pointerType !== "touch" && moveTo(null));
  on(document, "pointerdown", (press) => press.target !== canvas && moveTo(null));
  on(canvas, "blur", () => moveTo(null));
  on(canvas, "keydown", (press) => {
    if (press.altKey || press.metaKey) return;
    if (press.key === "Escape") return moveTo(null);
    const cell = stepFrom(cursor.cell, press.key, press.ctrlKey, shape());
    if (!cell) return;
    press.preventDefault();
    moveTo(cell, "keyboard");
  });
  return cursor;
}
