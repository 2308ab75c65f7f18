// Storage that survives refusal: in a foreign iframe or a private window every access may throw. `where` is localStorage, or
// sessionStorage for what a tab forgets when it is closed.
const PREFIX = "seeformer:";

export function read(key, where = "localStorage") {
  try {
    return JSON.parse(globalThis[where].getItem(PREFIX + key));
  } catch {
    return null;
  }
}

/** Returns whether the value was kept. */
export function write(key, value, where = "localStorage") {
  try {
    if (value === null || value === undefined) globalThis[where].removeItem(PREFIX + key);
    else globalThis[where].setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
