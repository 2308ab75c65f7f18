// The reader's cells across a reload. An opening cell that was not edited is kept by its name, so that it follows the language.
import { read, write } from "../storage.js";

const KEY = "cells";

const isCell = (cell) => typeof cell?.id === "string" && (typeof cell.source === "string" || typeof cell.opening === "string");

/** -> [{id, source} | {id, opening}], or null if nothing (sound) is kept */
export function loadCells() {
  const kept = read(KEY);
  return Array.isArray(kept?.cells) && kept.cells.every(isCell) ? kept.cells : null;
}

/** Returns whether the browser kept them. */
export const saveCells = (cells) => write(KEY, { version: 1, cells });
