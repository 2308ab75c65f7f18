// The address holds the state: #<lab>?name=value&…&v=1, with only the values that differ from run()'s defaults.
// A parameter's form follows from its default: number, boolean (1/0), string, list of numbers
// (0,1) or of strings (a,b), matrix (1,0;0,1).

const VERSION = 1;
const isMatrix = (value) => Array.isArray(value) && Array.isArray(value[0]);

export function encode(value) {
  if (typeof value === "boolean") return value ? "1" : "0";
  if (isMatrix(value)) return value.map((row) => row.join(",")).join(";");
  if (Array.isArray(value)) return value.map(encodeURIComponent).join(",");
  return encodeURIComponent(String(value));
}

/** A text that is no number stays a string: run() then names the argument and the value in its error. */
const toNumber = (text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text);

function plain(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function decode(text, like) {
  if (typeof like === "boolean") return text === "1" ? true : text === "0" ? false : plain(text);
  if (typeof like === "number") return toNumber(plain(text));
  if (isMatrix(like)) return plain(text).split(";").map((row) => row.split(",").map(toNumber));
  const part = typeof like?.[0] === "number" ? (text) => toNumber(plain(text)) : plain;
  if (Array.isArray(like)) return text === "" ? [] : text.split(",").map(part);
  return plain(text);
}

export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export function toHash(lab, params, defaults) {
  const changed = Object.keys(defaults).filter((name) => name in params && !same(params[name], defaults[name]));
  if (!changed.length) return `#${lab}`;
  return `#${lab}?${changed.map((name) => `${name}=${encode(params[name])}`).join("&")}&v=${VERSION}`;
}

/** Which lab a hash names, and the raw values it carries ({} for a plain anchor). */
export function parseHash(hash) {
  const [lab, query] = hash.replace(/^#/, "").split("?", 2);
  const raw = Object.create(null); // a name such as __proto__ is a name like others
  for (const pair of (query ?? "").split("&").filter(Boolean)) {
    const [name, ...rest] = pair.split("=");
    if (name !== "v") raw[name] = rest.join("=");
  }
  return { lab, raw };
}

/** The lab's parameters for the raw values; names that run() does not have are returned apart. */
export function fromRaw(raw, defaults) {
  const params = { ...defaults };
  const unknown = [];
  for (const [name, text] of Object.entries(raw)) {
    if (Object.hasOwn(defaults, name)) params[name] = decode(text, defaults[name]);
    else unknown.push(name);
  }
  return { params, unknown };
}
