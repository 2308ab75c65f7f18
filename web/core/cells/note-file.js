// From a file that the reader chose or dropped to a note with Python blocks in it, or to the reason why not.
import { splitNote } from "./markdown-note.js";

const MEGABYTES = 2; // the browser keeps about 5 of everything
const BLOCKS = 100; // each is an editor

/** Why a file was not opened: a text key below cells.note.refused, and its values. */
export class Refused extends Error {
  constructor(why, vars) {
    super(why);
    Object.assign(this, { why, vars });
  }
}

/** -> the note (markdown-note.js) with its name */
export async function readNote(file) {
  const { name, size } = file;
  const refuse = (why, vars) => { throw new Refused(why, { file: name, ...vars }); };
  if (size > MEGABYTES * 1e6) refuse("large", { size: (size / 1e6).toFixed(1), limit: MEGABYTES });
  const bytes = await file.arrayBuffer().catch(({ message }) => refuse("unreadable", { reason: message }));
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    refuse("binary");
  }
  if (text.includes("\0")) refuse("binary");
  const note = await splitNote(text).catch(({ message }) => refuse("no_reader", { reason: message }));
  if (!note.blocks.length) refuse("no_python");
  if (note.blocks.length > BLOCKS) refuse("many", { n: note.blocks.length, limit: BLOCKS });
  return { name, ...note };
}
