// Wheels into Python.
export const SITE = "/lib/python3.14/site-packages";

/**
 * Puts wheels where loadPackage would put them, and says so to Pyodide. Their compiled modules are loaded when they are imported:
 * loadPackage would load all 13 of NumPy now, of which a lab needs 5. packages: [[name, unzip's files]].
 */
export function place(pyodide, packages) {
  const { FS, loadedPackages } = pyodide;
  const folders = new Set();
  const write = (path, bytes) => {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) FS.mkdirTree(folder);
    folders.add(folder);
    FS.writeFile(path, bytes, { canOwn: true });
  };
  for (const [name, files] of packages) {
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
  pyodide.runPython("import importlib; importlib.invalidate_caches()");
}
