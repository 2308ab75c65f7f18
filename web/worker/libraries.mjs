// NumPy's compiled modules in a memory image. The image has all that they keep in memory, and numbers of functions in the one table
// of functions, which is no memory: Node notes where each function was (note), the worker puts it there again (relink).

/** -> what relink needs, as JSON can carry it; first: the table's length before any of them was loaded. */
export function note({ LDSO, GOT, HEAPU32, HEAP32, wasmTable }, first, moduleOf) {
  const handles = Object.entries(LDSO.loadedLibsByHandle).filter(([, { name }]) => name !== "__main__");
  const word = (handle, at) => HEAPU32[(Number(handle) + at) / 4]; // of Emscripten's struct dso
  const modules = handles.map(([handle, { name }]) => ({ name, handle: Number(handle), memory: word(handle, 12), table: word(handle, 20), functions: HEAP32[(Number(handle) + 24) / 4] }));
  modules.sort((one, other) => one.table - other.table);
  const own = (slot) => modules.some(({ table, functions }) => slot >= table && slot < table + functions); // filled by the module itself
  const place = new Map(modules.flatMap(({ name }, at) => Object.entries(LDSO.loadedLibsByName[name].exports).map(([key, value]) => [value, [at, key]])));
  const slots = [];
  for (let slot = first; slot < wasmTable.length; slot += 1) {
    const found = !own(slot) && wasmTable.get(slot);
    if (!found) continue;
    if (!place.has(found)) throw new Error(`function ${slot} is of none of the modules: this Pyodide is unknown here`);
    slots.push([slot, ...place.get(found)]);
  }
  const pointers = {};
  for (const { name } of modules) {
    for (const { module, name: symbol } of WebAssembly.Module.imports(moduleOf(name))) if (module.startsWith("GOT.")) pointers[symbol] = GOT[symbol].value;
  }
  return { first, length: wasmTable.length, modules, slots, pointers };
}

/** Into a Pyodide that has not started yet, before the image comes over its memory. moduleOf(name) -> WebAssembly.Module */
export function relink({ LDSO, GOT, newDSO, wasmTable }, { first, length, modules, slots, pointers }, moduleOf) {
  if (wasmTable.length > first) throw new Error("it is not of this Pyodide: its table of functions is another");
  wasmTable.grow(length - wasmTable.length);
  for (const [symbol, value] of Object.entries(pointers)) {
    const pointer = (GOT[symbol] ??= new WebAssembly.Global({ value: "i32", mutable: true }, -1));
    if (![-1, value].includes(pointer.value)) throw new Error(`it is not of this Pyodide: ${symbol} lies elsewhere`);
    pointer.value = value;
  }
  const main = LDSO.loadedLibsByName.__main__.exports;
  const known = (symbol) => symbol in main && !main[symbol].stub;
  const exports = modules.map(({ name, handle, memory, table }) => {
    const bases = { __memory_base: memory, __table_base: table };
    let own;
    const env = new Proxy({}, { get: (_, symbol) => bases[symbol] ?? (known(symbol) ? main[symbol] : (...values) => own[symbol](...values)) });
    const instance = new WebAssembly.Instance(moduleOf(name), { env, wasi_snapshot_preview1: env, "GOT.mem": GOT, "GOT.func": GOT });
    own = Object.fromEntries(Object.entries(instance.exports).map(([key, value]) => [key, moved(value, memory)]));
    Object.assign(newDSO(name, handle, own), { global: false });
    return own;
  });
  for (const [slot, at, key] of slots) wasmTable.set(slot, exports[at][key]);
}

/** An address that a module exports counts from where its memory begins. */
function moved(value, memory) {
  if (!(value instanceof WebAssembly.Global)) return value;
  try {
    value.value = value.value; // one that can change is no address
    return value;
  } catch {
    return new WebAssembly.Global({ value: "i32" }, value.value + memory);
  }
}
