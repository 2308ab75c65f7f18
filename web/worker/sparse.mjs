// A memory image without the pages that are there anyway: those that are empty, and those that WebAssembly fills at its start. That
// is more than half of it, which need not be fetched, hashed and copied.
// Node packs (py/sitebuild/snapshot.mjs), the worker unpacks. Words of 32 bits: size, number of runs, length of the facts; then a
// (first page, pages) for each run; the facts about it, as JSON; the runs' bytes.
const PAGE = 1024;
const HEAD = 3;

/** base: what is there when the image is unpacked, of the same size. */
export function pack(image, base, facts) {
  const runs = [];
  for (let page = 0; page < Math.ceil(image.length / PAGE); page += 1) {
    const bounds = [page * PAGE, (page + 1) * PAGE];
    if (Buffer.compare(image.subarray(...bounds), base.subarray(...bounds)) === 0) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === page) last[1] += 1;
    else runs.push([page, 1]);
  }
  const told = Buffer.from(JSON.stringify(facts));
  const head = new Uint32Array([image.length, runs.length, told.length, ...runs.flat()]);
  const parts = runs.map(([page, pages]) => image.subarray(page * PAGE, (page + pages) * PAGE));
  return Buffer.concat([new Uint8Array(head.buffer), told, ...parts]);
}

/** -> {size, facts, writeTo(image)}; image: of that size, with what pack had as base. */
export function unpack(bytes) {
  const [size, count, length] = new Uint32Array(bytes.buffer, bytes.byteOffset, HEAD);
  const runs = new Uint32Array(bytes.buffer, bytes.byteOffset + 4 * HEAD, 2 * count);
  const start = 4 * HEAD + 8 * count;
  const facts = JSON.parse(new TextDecoder().decode(bytes.subarray(start, start + length)));
  const writeTo = (image) => {
    let from = start + length;
    for (let run = 0; run < count; run += 1) {
      const [first, end] = [runs[2 * run] * PAGE, Math.min((runs[2 * run] + runs[2 * run + 1]) * PAGE, size)];
      image.set(bytes.subarray(from, (from += end - first)), first);
    }
  };
  return { size, facts, writeTo };
}
