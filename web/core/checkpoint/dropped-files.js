// The files of a drop; of a folder, those that lie in it.
/** A DataTransfer -> a promise of [File]. Its items are gone after the event: they are taken at once. */
export async function droppedFiles({ items, files }) {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return [...files];
  return (await Promise.all(entries.map((entry) => (entry.isDirectory ? inFolder(entry) : [fileOf(entry)])))).flat();
}

const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

async function inFolder(folder) {
  const reader = folder.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)); // a hundred at a time
    if (!some.length) break;
    found.push(...some.filter((entry) => entry.isFile));
  }
  return Promise.all(found.map(fileOf));
}
