// All files of the boot at once: each is there as soon as it has come and its hash was right. A worker that follows another one
// gets them from the page, which had them from the first before any code of the reader's ran.
import { createCompiler } from "./compiler.js";
import { fetchFile } from "./fetch-file.js";

const REPORT_EVERY = 50; // ms

/**
 * kept: {files: {sha256: bytes}, compiled: {sha256: WebAssembly.Module}}. Returns {get(url) -> Promise of bytes, or undefined for a file
 * that is none of ours; compiled(url) -> Promise of a .wasm among them as a module; all: Promise; hand() -> Promise of what the next
 * worker gets as `kept`; forget()}.
 */
export function download(files, base, kept, onProgress) {
  const modules = new Map();
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
      const url = new URL(file.path, base).href;
      const compiler = file.path.endsWith(".wasm") && createCompiler();
      const count = (bytes) => {
        loaded.set(file.path, bytes);
        report(file.path);
      };
      const have = kept.files[file.sha256];
      const bytes = have ? Promise.resolve(have) : fetchFile(file, base, count, compiler ? { onResponse: compiler.watch } : {});
      bytes.catch(() => {}); // `all` tells
      if (compiler) modules.set(url, Promise.resolve(kept.compiled[file.sha256] ?? compiler.module(bytes)));
      modules.get(url)?.catch(() => {});
      return [url, bytes];
    }),
  );
  const all = Promise.all(arriving.values()).then(() => onProgress({ loaded: total, total }));
  const get = (url) => arriving.get(new URL(url, base).href);
  const compiled = (url) => modules.get(new URL(url, base).href);
  const bySha = async (read) => Object.fromEntries(await Promise.all(files.map(async ({ path, sha256 }) => [sha256, await read(path)])));
  const hand = async () => ({ files: await bySha(get), compiled: await bySha(compiled) });
  return { get, compiled, all, hand, forget: () => arriving.clear() };
}
