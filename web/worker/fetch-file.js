// Fetches one file whole, or says which file failed and why.
import { sha256 } from "./sha256.js";

// The boot replaces the worker's fetch by one that waits for what is fetched here.
const fetch = globalThis.fetch.bind(globalThis);

const PATIENCE = {
  attempts: 3,
  backOff: 400, // ms, doubled at each retry
  silence: 30_000, // ms without a byte
};

/** `reason`: "http" | "network" | "timeout" | "hash"; the page words it in the reader's language. */
export class FileError extends Error {
  constructor(file, reason, message, status) {
    super(`${file}: ${message}`);
    Object.assign(this, { name: "FileError", file, reason, status });
  }
}

/** file: {path, bytes, sha256}. onBytes(loaded) counts from 0 again at each attempt; onResponse(response) comes before. */
export async function fetchFile(file, base, onBytes, { onResponse = () => {}, ...patience } = {}) {
  const { attempts, backOff, silence } = { ...PATIENCE, ...patience };
  for (let attempt = 1; ; attempt += 1) {
    try {
      // A retry goes past the HTTP cache: that may be where the damaged copy is.
      const bytes = await read(file, new URL(file.path, base), attempt === 1 ? "default" : "reload", onBytes, onResponse, silence);
      await verify(file, bytes);
      return bytes;
    } catch (error) {
      if (attempt === attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, backOff * 2 ** (attempt - 1)));
    }
  }
}

async function read(file, url, cache, onBytes, onResponse, silence) {
  const watch = new AbortController();
  let timer;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => watch.abort(), silence);
  };
  heard();
  try {
    const response = await fetch(url, { cache, signal: watch.signal });
    if (!response.ok) throw new FileError(file.path, "http", `the server answered ${response.status}`, response.status);
    onResponse(response);
    return await collect(response.body, file.bytes, (loaded) => {
      heard();
      onBytes(loaded);
    });
  } catch (error) {
    if (error instanceof FileError) throw error;
    if (watch.signal.aborted) throw new FileError(file.path, "timeout", `no byte came for ${silence / 1000} seconds`);
    throw new FileError(file.path, "network", `the connection failed (${error.message})`);
  } finally {
    clearTimeout(timer);
  }
}

async function collect(stream, expected, onBytes) {
  let bytes = new Uint8Array(expected);
  let loaded = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, loaded);
    if (loaded + value.length > bytes.length) {
      const larger = new Uint8Array(2 * (loaded + value.length));
      larger.set(bytes.subarray(0, loaded));
      bytes = larger;
    }
    bytes.set(value, loaded);
    loaded += value.length;
    onBytes(loaded);
  }
}

async function verify(file, bytes) {
  const found = await sha256(bytes);
  if (found === file.sha256) return;
  const short = (hash) => `${hash.slice(0, 12)}…`;
  throw new FileError(
    file.path,
    "hash",
    `its SHA-256 is ${short(found)} and not ${short(file.sha256)}: it is damaged or from another build; build the page again and reload`,
  );
}
