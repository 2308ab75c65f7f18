// Parameters as JSON text for Python; whatever JSON would silently drop or change is refused by name.
import { EngineError } from "./engine-error.js";

export function encode(params) {
  if (params !== undefined && params !== null && Object.prototype.toString.call(params) !== "[object Object]") {
    throw new EngineError({ type: "TypeError", message: `params=${JSON.stringify(params)} is no object: use one such as {seed: 1}` });
  }
  try {
    return JSON.stringify(params ?? {}, plain);
  } catch (error) {
    throw new EngineError({ type: "TypeError", message: error.message });
  }
}

function plain(name, value) {
  if (ArrayBuffer.isView(value)) return Array.from(value);
  const kind = typeof value;
  if (kind === "function" || kind === "symbol" || kind === "bigint") {
    throw new TypeError(`${name}=${kind} cannot be passed: use numbers, strings, booleans and lists of them`);
  }
  if (kind === "number" && !Number.isFinite(value)) throw new TypeError(`${name}=${value} cannot be passed: use a finite number`);
  return value;
}
