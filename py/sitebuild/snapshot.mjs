// Run by Node: a memory image of Pyodide, started and with what every boot imports, so that a browser need only copy it.
//
//     node snapshot.mjs PYODIDE-FOLDER NUMPY-WHEEL OUT-FOLDER
//
// Writes snapshot.bin, and beside it in modules/ those of NumPy's compiled modules that are in it. The same files give the same
// bytes on every machine: clock, randomness and environment are fixed below. Of packages NumPy alone is in it: micropip
// would bring the lock that it found here, and ours changes at every edit.
import crypto from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { note } from "../../web/worker/libraries.mjs";
import { place as install, SITE } from "../../web/worker/packages.mjs";
import { pack } from "../../web/worker/sparse.mjs";
import { unzip } from "../../web/worker/unzip.mjs";

const [folder, numpy, out] = process.argv.slice(2);
const EPOCH = 1577836800000; // 2020-01-01
process.env.TZ = "UTC";
Date.now = () => EPOCH;
performance.now = () => 0;
Object.defineProperty(performance, "timeOrigin", { value: EPOCH });
crypto.randomFillSync = (view) => view.fill(42); // what is seeded with it is seeded anew in the page (start-python.js)

delete WebAssembly.Suspending; // a newer Node has it: the image is to say that it was not there (start-python.js)

// What NumPy, micropip and the page's own Python import.
const IMPORTS = `
import ast, asyncio, base64, bisect, codeop, collections.abc, contextlib, copy, csv, ctypes, dataclasses, datetime, difflib
import email.message, email.parser, enum, fnmatch, functools, glob, hashlib, hmac, html, importlib.metadata, importlib.resources
import inspect, io, itertools, json, keyword, linecache, locale, logging, math, numbers, operator, os, pathlib, pickle, pkgutil
import platform, posixpath, random, re, secrets, shutil, signal, string, struct, sys, sysconfig, tempfile, textwrap, threading
import time, token, tokenize, traceback, types, typing, urllib.parse, urllib.request, uuid, warnings, weakref, zipfile
import pyodide.code, pyodide.ffi, pyodide.http
import numpy, numpy.ctypeslib, numpy.ma, numpy.random, numpy.lib.stride_tricks
`;

const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const { default: createModule } = await import(pathToFileURL(join(folder, "pyodide.asm.mjs")));
let filled; // the memory as WebAssembly fills it
const createPyodideModule = (settings) => {
  const { instantiateWasm } = settings;
  settings.instantiateWasm = (imports, done) =>
    instantiateWasm(imports, (instance, module) => {
      filled = new Uint8Array(instance.exports.memory.buffer.slice());
      done(instance, module);
    });
  return createModule(settings);
};
const pyodide = await loadPyodide({
  createPyodideModule,
  indexURL: folder + sep,
  _makeSnapshot: true,
  _sysExecutable: "./this.program", // as in a browser; else it would be this file's path
  env: { LANG: "C.UTF-8", PYTHONHASHSEED: "0" },
});
const SPARE = 64; // places in the table of functions for what a browser puts there before the image is restored, and Node does not
pyodide._module.wasmTable.grow(SPARE);
const first = pyodide._module.wasmTable.length;
install(pyodide, [["numpy", unzip(new Uint8Array(await readFile(numpy)))]]);
delete pyodide.loadedPackages.numpy; // who restores the image places the files, and says so
pyodide.runPython(IMPORTS);
pyodide.runPython(`
import gc, os, sys
del os.environ["PYTHONHASHSEED"]  # what is started from the page is not to inherit it
sys.path.remove("")  # loadPyodide puts it there, after a restore too
gc.collect()
`);
clean(pyodide._module);
const { place, refuses, waits } = runSync(pyodide._module);
const compiled = (name) => pyodide.FS.readFile(name);
const libraries = note(pyodide._module, first, (name) => new WebAssembly.Module(compiled(name)));
const image = pyodide.makeMemorySnapshot();
const start = image.length - pyodide._module.HEAPU8.length; // where the memory begins in it
const base = new Uint8Array(image.length);
base.set(filled, start);
await writeFile(join(out, "snapshot.bin"), pack(image, base, { place, refuses, waits, start, libraries }));
for (const { name } of libraries.modules) {
  const file = join(out, "modules", `${name.slice(SITE.length + 1)}.wasm`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, compiled(name));
}
process.exit(0);

/**
 * Pyodide decides at its start whether Python may wait for a promise (run_sync; asyncio.run and time.sleep go through it), and keeps
 * that as a function's number in one word, beside the name: a PyMethodDef. Node's answer is no; the page may have to mend it.
 */
function runSync({ HEAPU32, UTF8ToString, wasmTable, getWasmTableEntry, _run_sync, _run_sync_not_supported }) {
  const numberOf = (wanted) => {
    for (let at = 1; at < wasmTable.length; at += 1) if (getWasmTableEntry(at) === wanted) return at;
    throw new Error("the function table does not have both functions behind run_sync: this Pyodide is unknown here");
  };
  const [refuses, waits] = [_run_sync_not_supported, _run_sync].map(numberOf);
  const places = [];
  for (let at = HEAPU32.indexOf(refuses); at > 0; at = HEAPU32.indexOf(refuses, at + 1)) {
    if (UTF8ToString(HEAPU32[at - 1], 9) === "run_sync") places.push(at);
  }
  if (places.length !== 1) throw new Error(`run_sync is in ${places.length} places, not in one: this Pyodide is unknown here`);
  return { place: places[0], refuses, waits };
}

/** Freed memory still holds what was there: what can be had of it becomes zeros, which are no bytes of the image. */
function clean(module) {
  const end = module.HEAPU32[module._emscripten_get_sbrk_ptr() / 4];
  const taken = [];
  for (let size = 1 << 18; size >= 16; size /= 2) {
    for (let at = 0; at + size <= end; ) {
      at = module._malloc(size);
      taken.push(at);
      module.HEAPU8.fill(0, at, at + size);
    }
  }
  taken.forEach((at) => module._free(at));
}
