// Pyodide, up: from the memory image that the build made if it can be, else from the beginning.
import { relink } from "./libraries.mjs";
import { SITE } from "./packages.mjs";
import { unpack } from "./sparse.mjs";

const PAGE = 65536; // of WebAssembly memory

/** downloads: of downloads.js. -> {pyodide, restored: whether from the image, which has NumPy in it} */
export async function startPython(manifest, base, downloads) {
  const indexURL = new URL(manifest.runtime, base).href;
  // Imported by their address (a policy without blob: scripts), each as soon as its bytes were verified.
  const modules = Promise.all(["pyodide.mjs", "pyodide.asm.mjs"].map(async (name) => {
    await downloads.get(indexURL + name);
    return import(indexURL + name);
  }));
  const [{ loadPyodide }, { default: createModule }] = await modules;
  const { snapshot } = manifest;
  const lock = manifest.network ? "pyodide-lock.full.json" : "pyodide-lock.json";
  const options = { indexURL, lockFileURL: indexURL + lock };
  const own = WebAssembly.instantiateStreaming; // how Pyodide compiles what it fetches
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await downloads.compiled(`${indexURL}pyodide.asm.wasm`);
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  try {
    if (!snapshot) return { pyodide: await loadPyodide(options), restored: false };
    const image = { size: snapshot.size, packed: downloads.get(base + snapshot.path), modules: compiledModules(manifest, base, downloads) };
    image.modules.catch(() => {}); // the download tells
    return { pyodide: await restore(loadPyodide, createModule, options, image), restored: true };
  } catch (error) {
    if (error.file || !snapshot) throw error; // a download: the plain start would need that file too
    console.warn(`The memory image cannot be used (${error.message}): Python starts without it, which takes longer.`);
    return { pyodide: await loadPyodide(options), restored: false };
  } finally {
    WebAssembly.instantiateStreaming = own;
  }
}

/** {name in Python's files: module} of those in the image. */
async function compiledModules({ modules }, base, downloads) {
  return new Map(await Promise.all(modules.map(async ({ path, file }) => [`${SITE}/${file}`, await downloads.compiled(base + path)])));
}

/** Both options that begin with _ are Pyodide's own, and pinned with its version. */
async function restore(loadPyodide, createModule, options, { size, packed, modules }) {
  const image = new Uint8Array(size);
  let filled; // the memory as WebAssembly fills it
  let facts;
  let keepTrampoline;
  const create = withMemory(createModule, (memory) => {
    filled = new Uint8Array(memory.buffer.slice());
    // Pyodide copies the image into the memory that it finds, 30 MiB: there must be enough.
    const missing = Math.ceil((size - memory.buffer.byteLength) / PAGE);
    if (missing > 0) memory.grow(missing);
  });
  // All of this goes on while the image, the largest of the files, still arrives.
  const createPyodideModule = async (settings) => {
    const module = await create(settings);
    keepTrampoline = trampoline(module);
    const unpacked = unpack(await packed);
    if (unpacked.size !== size) throw new Error("it is not as large as it should be");
    facts = unpacked.facts;
    image.set(filled.subarray(0, size - facts.start), facts.start);
    unpacked.writeTo(image);
    const compiled = await modules;
    relink(module, facts.libraries, (name) => compiled.get(name));
    return module;
  };
  const pyodide = await loadPyodide({ ...options, _loadSnapshot: image, createPyodideModule });
  keepTrampoline();
  if (pyodide._module.jspiSupported) letPythonWait(pyodide._module, facts);
  pyodide.runPython(THAW);
  return pyodide;
}

/** How Python calls C here: without JavaScript in between where the browser can, which Node could not. Returns what puts it back. */
function trampoline(module) {
  const at = () => (module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET / 4]) / 4;
  const pointer = module.HEAP32[at()];
  return () => { module.HEAP32[at()] = pointer; };
}

/** Node, where the image was made, cannot suspend WebAssembly: what it found about run_sync (snapshot.mjs), with what this browser can. */
function letPythonWait({ HEAPU32, getWasmTableEntry, _run_sync }, { place, refuses, waits }) {
  if (HEAPU32[place] !== refuses || getWasmTableEntry(waits) !== _run_sync) throw new Error("it is not of this Pyodide");
  HEAPU32[place] = waits;
}

/** createModule, which gives the memory to `work` as WebAssembly filled it. */
function withMemory(createModule, work) {
  return (settings) => {
    const { instantiateWasm } = settings;
    settings.instantiateWasm = (imports, done) =>
      instantiateWasm(imports, (instance, module) => {
        work(instance.exports.memory);
        done(instance, module);
      });
    return createModule(settings);
  };
}

// What the image holds of the machine that made it: a seed that everybody knows, and a place on the globe (time.tzset, which
// would look again, does not exist here).
const THAW = `
def thaw():
    import numpy, random, time
    random.seed()
    numpy.random.seed()
    january, july = (time.localtime(time.time() // 31557600 * 31557600 + part).tm_gmtoff for part in (0, 15778800))
    standard, summer = sorted([january, july])
    time.timezone, time.altzone, time.daylight = -standard, -summer, int(standard != summer)
    time.tzname = tuple(f"UTC{'-' if off <= 0 else '+'}{abs(off) // 3600:02}{abs(off) // 60 % 60:02}" for off in (standard, summer))

thaw()
del thaw
`;
