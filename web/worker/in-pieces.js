// A file that the page handed over, for Python to read a piece at a time: nobody copies the whole of it.
/** File or Blob -> {name, size, read(begin, end) -> Uint8Array}; it throws if the file has changed or is gone. */
export function inPieces(file) {
  const reader = new FileReaderSync();
  return {
    name: file.name ?? "file",
    size: file.size,
    read: (begin, end) => new Uint8Array(reader.readAsArrayBuffer(file.slice(begin, end))),
  };
}
