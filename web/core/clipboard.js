import { say } from "./dom.js";

const plain = (text) => new Blob([text], { type: "text/plain" });

/** Copies a text, or what a promise brings, and says beside it whether that worked; `status` is the element that says so. */
export async function copy(text, status) {
  try {
    if (typeof text === "string") await navigator.clipboard.writeText(text);
    // A browser that wants the reader's click just before it (Safari) takes a text that is still being made in this way only.
    else await navigator.clipboard.write([new ClipboardItem({ "text/plain": text.then(plain) })]);
    say(status, "text", "note.copied");
    return true;
  } catch {
    say(status, "text", "note.copyFailed");
    return false;
  }
}
