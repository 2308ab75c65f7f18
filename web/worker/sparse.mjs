// A memory image without its empty pages: almost half of one is zeros, which need not be fetched, hashed and copied.
// Node packs (py/sitebuild/snapshot.mjs), the worker unpacks. Words of 32 bits: size, number of runs, three facts
// about it, then a (first page, pages) for each run; then the runs' bytes.
const PAGE = 1024;
const FACTS = 3;
const HEAD = 2 + FACTS;

export function pack(image, facts) {
  const pages = Math.ceil(image.length / PAGE);
  const empty = (page) => image.subarray(page * PAGE, (page + 1) * PAGE).every((byte) => byte === 0);
  const runs = [];
  for (let page = 0; page < pages; page += 1) {
    if (empty(page)) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === page) last[1] += 1;
    else runs.push([page, 1]);
  }
  const head = new Uint32Array([image.length, runs.length, ...facts, ...runs.flat()]);
  return Buffer.concat([new Uint8Array(head.buffer), ...runs.map((run) => image.subarray(...bounds(run)))]);
}

/** -> {image, facts} */
export function unpack(bytes) {
  const [size, count, ...facts] = new Uint32Array(bytes.buffer, bytes.byteOffset, HEAD);
  const runs = new Uint32Array(bytes.buffer, bytes.byteOffset + 4 * HEAD, 2 * count);
  const image = new Uint8Array(size);
  let from = 4 * HEAD + 8 * count;
  for (let run = 0; run < count; run += 1) {
    const [start, end] = bounds(runs.subarray(2 * run, 2 * run + 2));
    const part = bytes.subarray(from, from + Math.min(end, size) - start);
    image.set(part, start);
    from += part.length;
  }
  return { image, facts };
}

const bounds = ([page, pages]) => [page * PAGE, (page + pages) * PAGE];
