// Packages of the shelf, into Python.

/** Loads what is not there yet; rejects if one cannot be. */
export async function loadPackages(pyodide, names, onStep = () => {}) {
  const wanted = names.filter((name) => !(name in pyodide.loadedPackages));
  if (!wanted.length) return;
  const problems = [];
  await pyodide.loadPackage(wanted, { messageCallback: onStep, errorCallback: (problem) => problems.push(problem) });
  const absent = wanted.filter((name) => !(name in pyodide.loadedPackages));
  if (absent.length) throw new Error(problems.join("; ") || `not loaded: ${absent.join(", ")}`);
}

/**
 * Puts a wheel of the boot where loadPackage would put it, and says so to Pyodide. Its compiled modules are loaded when they are
 * imported: loadPackage would load all 13 of NumPy now, of which a lab needs 5. files: unzip's.
 */
export function place({ FS, loadedPackages }, name, files) {
  const folders = new Set();
  const write = (path, bytes) => {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) FS.mkdirTree(folder);
    folders.add(folder);
    FS.writeFile(path, bytes, { canOwn: true });
  };
  for (const [file, bytes] of files) {
    if (file.endsWith("/")) continue;
    write(`${SITE}/${file}`, bytes);
    if (!file.endsWith(".dist-info/METADATA")) continue;
    const info = `${SITE}/${file.slice(0, file.lastIndexOf("/"))}`;
    write(`${info}/INSTALLER`, "pyodide.loadPackage"); // as Pyodide does, for micropip.list()
    write(`${info}/PYODIDE_SOURCE`, "pyodide");
  }
  loadedPackages[name] = "default channel";
}

const SITE = "/lib/python3.14/site-packages";
