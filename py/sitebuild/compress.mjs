// Run by Node, which has both: brotli and gzip beside each file of a list, where that makes it smaller.
//
//     node compress.mjs LIST KEEP        LIST: a path a line; KEEP: folder of results, by what they are made of
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [list, keep] = process.argv.slice(2);
const LARGE = 1e6; // there the last level takes a minute for a few per cent
const WORTH = 0.95;

const brotli = (data) => brotliCompressSync(data, { params: {
  [constants.BROTLI_PARAM_QUALITY]: data.length > LARGE ? 9 : 11,
  [constants.BROTLI_PARAM_LGWIN]: 24,
  [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
} });
const gzip = (data) => gzipSync(data, { level: 9 });

mkdirSync(keep, { recursive: true });
for (const path of readFileSync(list, "utf-8").split("\n").filter(Boolean)) {
  const data = readFileSync(path);
  const name = createHash("sha256").update(data).digest("hex");
  for (const [suffix, compress] of [[".br", brotli], [".gz", gzip]]) {
    const kept = join(keep, name + suffix);
    if (!existsSync(kept)) {
      writeFileSync(`${kept}.part`, compress(data));
      renameSync(`${kept}.part`, kept);
    }
    const compressed = readFileSync(kept);
    if (compressed.length < WORTH * data.length) writeFileSync(path + suffix, compressed);
  }
}
