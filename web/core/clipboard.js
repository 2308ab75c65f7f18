import { say } from "./dom.js";

/** Copies a text and says beside it whether that worked; `status` is the element that says so. */
export async function copy(text, status) {
  try {
    await navigator.clipboard.writeText(text);
    say(status, "text", "note.copied");
    return true;
  } catch {
    say(status, "text", "note.copyFailed");
    return false;
  }
}
