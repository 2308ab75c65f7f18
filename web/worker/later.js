// Packages that the first picture does not wait for: fetched after it, and there before a lab that needs them, or may (edited), and
// before any cell. Of NumPy it is what the memory image has not: sources, and modules that nobody has imported.
import { fetchFile } from "./fetch-file.js";
import { place } from "./packages.mjs";
import { unzip } from "./unzip.mjs";

export const fetchPackages = (packages, base) => Promise.all(packages.map(async (file) => [file.name, unzip(await fetchFile(file, base, () => {}))]));

/** -> {begin(), forLab(lab, edits), forCell()}; the last two give a promise to wait for, or nothing. */
export function later(pyodide, bridge, { later: { packages, labs }, network }, base) {
  let loading;
  let there = false;

  async function load() {
    place(pyodide, await fetchPackages(packages, base));
    if (!network) bridge.keep_to_the_shelf();
    there = true;
  }
  /** One that failed is tried again when it is asked for again. */
  const loaded = () => there ? undefined : (loading ??= load().finally(() => { loading = undefined; }));

  return {
    begin: () => loaded()?.catch(() => {}), // whoever needs them hears why they did not come
    forLab: (lab, edits) => (labs.includes(lab) || edits !== "{}" ? loaded() : undefined),
    forCell: loaded,
  };
}
