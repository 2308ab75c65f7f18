// What the address bar sets for a lab, and what a lab writes into it.
import { parseHash } from "../lab/address.js";

/** The raw values for this lab, or null: a plain #lab is only an anchor. */
export function fromAddress(id, hash = location.hash) {
  const { lab, raw } = parseHash(hash);
  return lab === id && Object.keys(raw).length ? raw : null;
}

let pending = 0;

export function remember(hash) {
  clearTimeout(pending); // browsers refuse more than about 100 changes in 30 seconds
  pending = setTimeout(() => {
    try {
      history.replaceState(null, "", hash);
    } catch {
      // a frame without an origin of its own may not: there the address stays as it was
    }
  }, 250);
}

/** Calls listener(hash) when somebody else changes the address. */
export function onAddress(listener) {
  addEventListener("hashchange", ({ newURL }) => {
    clearTimeout(pending); // the newer address wins
    listener(new URL(newURL).hash); // location.hash may already be what a timer has put in its place
  });
}
