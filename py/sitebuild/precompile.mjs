// Run by Node: wheels in, the same wheels with compiled modules (.pyc) in them out. Pyodide itself compiles: its Python must.
//
//     node precompile.mjs PYODIDE-FOLDER OUT-FOLDER WHEEL...
import { readFile, writeFile } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, out, ...wheels] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: folder + sep });
const program = await readFile(new URL("precompile_in_pyodide.py", import.meta.url), "utf-8");
const precompile = pyodide.runPython(`${program}\nprecompile`);
for (const wheel of wheels) {
  pyodide.FS.writeFile("in.whl", new Uint8Array(await readFile(wheel)));
  precompile("in.whl", "out.whl");
  await writeFile(join(out, basename(wheel)), pyodide.FS.readFile("out.whl"));
}
process.exit(0);
