// The page's first worker starts before the page has an engine, which takes it over. It begins by itself: its name says so (worker.js).
import { workerURL } from "../../site.js";

let first = null;

export function startFirst() {
  first = new Worker(workerURL, { type: "module", name: "first" });
  first.addEventListener("error", () => (first = null)); // whoever asks makes another, and hears why that one fails
}

/** The one that has begun, once; else one that waits to be told. */
export function takeWorker() {
  const taken = first ?? new Worker(workerURL, { type: "module" });
  first = null;
  return taken;
}
