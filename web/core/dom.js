// h("button", {class: "main", on: {click: run}, text: ["lab.run"]}) makes an element. `text`, `label` (aria-label), `title`
// and `placeholder` take [key, vars] and follow the language; every other property is an attribute (booleans toggle it). s() does the same for drawings.
import { onLanguage, t } from "./text.js";

const bindings = new WeakMap();
const TRANSLATED = { text: null, label: "aria-label", title: "title", placeholder: "placeholder" };

/** Words that are there already are left alone: to write the same again makes the browser lay out the page again. */
export function write(element, words) {
  if (element.textContent !== String(words)) element.textContent = words;
}

/** The same for an attribute; null takes it away. */
export function mark(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

function put(element, property, [key, vars]) {
  const words = t(key, vars);
  if (property === "text") write(element, words);
  else mark(element, TRANSLATED[property], words);
}

/** Binds a translated property of an element; calling it again replaces the binding. */
export function say(element, property, key, vars) {
  const bound = bindings.get(element) ?? {};
  bound[property] = [key, vars];
  bindings.set(element, bound);
  element.dataset.t = "";
  put(element, property, bound[property]);
  return element;
}

/** Empties an element that said something. */
export function hush(element) {
  bindings.delete(element);
  write(element, "");
}

export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);

const SVG = "http://www.w3.org/2000/svg";
export const s = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

function fill(element, properties = {}, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name in TRANSLATED && Array.isArray(value)) say(element, name, ...value);
    else if (name === "on") for (const [event, run] of Object.entries(value)) element.addEventListener(event, run);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function retranslate(root = document) {
  for (const element of root.querySelectorAll("[data-t]")) {
    for (const [property, binding] of Object.entries(bindings.get(element) ?? {})) put(element, property, binding);
  }
}

onLanguage(() => retranslate());
