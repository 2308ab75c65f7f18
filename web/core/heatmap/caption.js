import { h, write } from "../dom.js";
import { shapeText } from "../format.js";

/** A name as mathematics writes it: W_Q is W with the subscript Q; row_sums stays row_sums. Readers count heads from 1. */
export function nameParts(name, index) {
  const [, letter, sub] = /^([A-Za-z])_(\w+)$/.exec(name) ?? [null, name];
  return { base: letter, sub: [sub, Number.isInteger(index) ? index + 1 : index].filter((part) => part !== undefined).join(",") };
}

/** The same name in a sentence. */
export const spokenName = (name, index) => (Number.isInteger(index) ? `${name} ${index + 1}` : name);

/** The line above a picture: its name, its shape, and what the lab adds (a head's name, say). */
export function caption({ name, index, caption: extra }) {
  const { base, sub } = nameParts(name, index);
  const shape = h("code");
  return {
    element: h("figcaption", {}, h("b", {}, base, sub && h("sub", {}, sub)), shape, extra),
    update: (dimensions) => write(shape, shapeText(dimensions)),
  };
}
