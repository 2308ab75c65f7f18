// All files of the boot at once: each is there as soon as it has come and its hash was right.
import { fetchFile } from "./fetch-file.js";

const REPORT_EVERY = 50; // ms

/** -> {get(url) -> Promise of bytes, or undefined for a file that is none of ours; all: Promise; forget()} */
export function download(files, base, onProgress) {
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
      const bytes = fetchFile(file, base, (count) => {
        loaded.set(file.path, count);
        report(file.path);
      });
      bytes.catch(() => {}); // `all` tells
      return [new URL(file.path, base).href, bytes];
    }),
  );
  const all = Promise.all(arriving.values()).then(() => onProgress({ loaded: total, total }));
  return { get: (url) => arriving.get(new URL(url, base).href), all, forget: () => arriving.clear() };
}
