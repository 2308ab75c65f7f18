// What the reader waits for longest, begun before the rest of the page has come: the words, the first lab's stored result, and Python.
import { startFirst } from "./core/engine/first-worker.js";
import { loadStored } from "./core/lab/precomputed.js";
import { loadText, preferred } from "./core/text.js";
import { labs } from "./labs/index.js";

export const isEmbed = new URLSearchParams(location.search).get("embed") === "1";
export const words = loadText();
words.catch(() => {}); // who awaits them tells

const stored = new Map();

/** A lab's default result and its source: what it shows before Python runs. */
export function contentOf(lab) {
  if (!stored.has(lab)) stored.set(lab, loadStored(lab, preferred()));
  stored.get(lab).catch(() => {}); // who awaits it tells
  return stored.get(lab);
}

if (!isEmbed) { // a frame does both when its lab is known
  contentOf(Object.keys(labs)[0]); // before Python's files: a browser asks an HTTP/1.1 server for six at a time
  startFirst();
}
