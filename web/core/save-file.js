import { h } from "./dom.js";

/** Hands the reader a file, as a download. */
export function save(blob, file) {
  const link = h("a", { href: URL.createObjectURL(blob), download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
