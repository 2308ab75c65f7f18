// What the reader waits for longest, begun before the rest of the page has come: the words, the stored results, and Python.
import { createEngine } from "./core/engine/engine.js";
import { loadStored } from "./core/lab/precomputed.js";
import { loadText, preferred } from "./core/text.js";
import { labs } from "./labs/index.js";

export const isEmbed = new URLSearchParams(location.search).get("embed") === "1";
export const words = loadText();
words.catch(() => {}); // who awaits them tells
export const engine = createEngine();

// Before Python's files: a browser asks an HTTP/1.1 server for six at a time.
const stored = new Map(isEmbed ? [] : Object.keys(labs).map((lab) => [lab, loadStored(lab, preferred())]));
stored.forEach((content) => content.catch(() => {}));

/** A lab's default result and its source: what it shows before Python runs. */
export const contentOf = (lab) => stored.get(lab) ?? loadStored(lab, preferred());

if (!isEmbed) engine.boot(); // a frame starts it when its lab is known
