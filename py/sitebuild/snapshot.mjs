// Run by Node: a memory image of Pyodide, started and with what every boot imports, so that a browser need only copy it.
//
//     node snapshot.mjs PYODIDE-FOLDER OUT
//
// The same files give the same bytes on every machine: clock, randomness and environment are fixed below. Only Python's own
// library is in it: micropip would bring the lock that it found here, and compiled modules (NumPy's) Pyodide refuses.
import crypto from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { pack } from "../../web/worker/sparse.mjs";

const [folder, out] = process.argv.slice(2);
const EPOCH = 1577836800000; // 2020-01-01
process.env.TZ = "UTC";
Date.now = () => EPOCH;
performance.now = () => 0;
Object.defineProperty(performance, "timeOrigin", { value: EPOCH });
crypto.randomFillSync = (view) => view.fill(42); // what is seeded with it is seeded anew in the page (restore.js)

delete WebAssembly.Suspending; // a newer Node has it: the image is to say that it was not there (start-python.js)

// What NumPy, micropip and the page's own Python import.
const IMPORTS = `
import ast, asyncio, base64, bisect, codeop, collections.abc, contextlib, copy, csv, ctypes, dataclasses, datetime, difflib
import email.message, email.parser, enum, fnmatch, functools, glob, hashlib, hmac, html, importlib.metadata, importlib.resources
import inspect, io, itertools, json, keyword, linecache, locale, logging, math, numbers, operator, os, pathlib, pickle, pkgutil
import platform, posixpath, random, re, secrets, shutil, signal, string, struct, sys, sysconfig, tempfile, textwrap, threading
import time, token, tokenize, traceback, types, typing, urllib.parse, urllib.request, uuid, warnings, weakref, zipfile
import pyodide.code, pyodide.ffi, pyodide.http
`;

const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const pyodide = await loadPyodide({
  indexURL: folder + sep,
  _makeSnapshot: true,
  _sysExecutable: "./this.program", // as in a browser; else it would be this file's path
  env: { LANG: "C.UTF-8", PYTHONHASHSEED: "0" },
});
pyodide.runPython(IMPORTS);
pyodide.runPython(`
import gc, os, sys
del os.environ["PYTHONHASHSEED"]  # what is started from the page is not to inherit it
sys.path.remove("")  # loadPyodide puts it there, after a restore too
gc.collect()
`);
await writeFile(out, pack(pyodide.makeMemorySnapshot()));
process.exit(0);
