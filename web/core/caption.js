import { h } from "./dom.js";
import { shapeText } from "./format.js";

/** A name as mathematics writes it: W_Q with index 1 is W with the subscript Q,1; row_sums stays row_sums. */
export function nameParts(name, index) {
  const [, letter, sub] = /^([A-Za-z])_(\w+)$/.exec(name) ?? [null, name];
  return { base: letter, sub: [sub, index].filter((part) => part !== undefined && part !== null).join(",") };
}

/** The line above a picture: its name, its shape, and what the lab adds (a head's name, say). */
export function caption({ name, index, caption: extra }) {
  const { base, sub } = nameParts(name, index);
  const shape = h("code");
  return {
    element: h("figcaption", {}, h("b", {}, base, sub && h("sub", {}, sub)), shape, extra),
    update: (dimensions) => (shape.textContent = shapeText(dimensions)),
  };
}
