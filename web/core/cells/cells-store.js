// The reader's cells across a reload. An opening cell that was not edited is kept by its name, so that it follows the language;
// with a cell that came from a note is kept which block of which note it was, and the note.
import { read, write } from "../storage.js";

const KEY = "cells";

const isCell = (cell) => typeof cell?.id === "string" && (typeof cell.source === "string" || typeof cell.opening === "string");

const isText = (value) => typeof value === "string";
const isNote = (note) => [note?.name, note?.eol].every(isText) && Array.isArray(note.prose) && note.prose.every(isText) &&
  Array.isArray(note.blocks) && note.prose.length === note.blocks.length + 1 && note.blocks.every(({ raw, source }) => isText(raw) && isText(source));

/** -> {cells: [{id, source, note?, block?} | {id, opening}], or null if nothing (sound) is kept; notes: {id: note}} */
export function loadCells() {
  const kept = read(KEY);
  const cells = Array.isArray(kept?.cells) && kept.cells.every(isCell) ? kept.cells : null;
  const notes = Object.fromEntries(Object.entries(kept?.notes ?? {}).filter(([, note]) => isNote(note)));
  return { cells, notes };
}

/** Returns whether the browser kept them. */
export const saveCells = (cells, notes) => write(KEY, { version: 1, cells, notes });
