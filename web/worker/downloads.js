// All files of the boot at once: each is there as soon as it has come and its hash was right. A worker that follows another one
// gets them from the page, which had them from the first before any code of the reader's ran.
import { fetchFile } from "./fetch-file.js";

const REPORT_EVERY = 50; // ms

/**
 * kept: {sha256: bytes}. Returns {get(url) -> Promise of bytes, or undefined for a file that is none of ours; all: Promise;
 * hand() -> Promise of what the next worker gets as `kept`; forget()}.
 */
export function download(files, base, kept, onProgress) {
  const loaded = new Map(files.map((file) => [file.path, 0]));
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  let reported = 0;
  const report = (file) => {
    if (performance.now() - reported < REPORT_EVERY) return;
    reported = performance.now();
    onProgress({ file, loaded: [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0), total });
  };
  const arriving = new Map(
    files.map((file) => {
      const bytes = kept[file.sha256] ? Promise.resolve(kept[file.sha256]) : fetchFile(file, base, (count) => {
        loaded.set(file.path, count);
        report(file.path);
      });
      bytes.catch(() => {}); // `all` tells
      return [new URL(file.path, base).href, bytes];
    }),
  );
  const all = Promise.all(arriving.values()).then(() => onProgress({ loaded: total, total }));
  const get = (url) => arriving.get(new URL(url, base).href);
  const hand = async () => Object.fromEntries(await Promise.all(files.map(async ({ path, sha256 }) => [sha256, await get(path)])));
  return { get, all, hand, forget: () => arriving.clear() };
}
