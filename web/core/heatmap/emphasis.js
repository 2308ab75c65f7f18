// Outlines on a layer above the data, whose colours stay as they are. Each is a dark line with a light one inside: readable
// on every colour of both maps and on the hatch.
import { length, start } from "./fit.js";

function box({ down, across }, { row, col }) {
  return [
    col === undefined ? 0 : start(across, col), row === undefined ? 0 : start(down, row),
    col === undefined ? length(across) : across.pitch, row === undefined ? length(down) : down.pitch,
  ];
}

function outline(context, [x, y, width, height], line) {
  const grow = Math.min(width, height) < 6 * line ? 2 * line : 0; // round a small cell, never over it
  context.lineWidth = line;
  for (const [colour, inset] of [["#111", line / 2 - grow], ["#fff", 1.5 * line - grow]]) {
    context.strokeStyle = colour;
    context.strokeRect(x + inset, y + inset, width - 2 * inset, height - 2 * inset);
  }
}

/** `cursor` is { row, col } or null; `highlight` is { row?, col?, cells? } or null. */
export function drawEmphasis(context, geometry, cursor, highlight) {
  const line = Math.max(1, Math.round(geometry.dpr));
  context.clearRect(0, 0, length(geometry.across), length(geometry.down));
  const { row, col, cells = [] } = highlight ?? {};
  if (row !== undefined) outline(context, box(geometry, { row }), line);
  if (col !== undefined) outline(context, box(geometry, { col }), line);
  for (const [row, col] of cells) outline(context, box(geometry, { row, col }), line);
  if (cursor) outline(context, box(geometry, cursor), Math.round(1.5 * line));
}
