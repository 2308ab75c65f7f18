// The files of a zip that is not compressed, as the build makes the wheels of the boot (precompile_in_pyodide.py).
const END = 0x06054b50;
const words = new TextDecoder();

/** -> [[name, bytes]]; the bytes are copies, for those of the zip go on to the page. No ZIP64, no encryption, no comment. */
export function unzip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = bytes.length - 22;
  if (view.getUint32(end, true) !== END) throw new Error("not a zip, or one with a comment");
  const files = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left; left -= 1) {
    if (view.getUint16(at + 10, true)) throw new Error("a compressed zip");
    const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const size = view.getUint32(at + 24, true);
    files.push([words.decode(bytes.subarray(at + 46, at + 46 + name)), bytes.slice(start, start + size)]);
    at += 46 + name + extra + comment;
  }
  return files;
}
