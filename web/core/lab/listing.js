// Source files to read, one at a time, with line numbers that are not copied along.
import { h } from "../dom.js";

/** label: [text key] of the whole -> {element, update({file: text}, lit)}; `lit`: {file: line numbers} to mark. */
export function createListing(label) {
  const tabs = h("div", { class: "code-tabs", role: "group", label });
  const pane = h("pre", { class: "listing", tabindex: "0" });
  const element = h("div", { class: "listings" }, tabs, pane);
  let [files, marked, open] = [{}, {}, null];

  function show(name) {
    open = name;
    for (const tab of tabs.children) tab.setAttribute("aria-pressed", String(tab.dataset.file === name));
    const lit = new Set(marked[name]);
    pane.replaceChildren(...files[name].trimEnd().split("\n").map((line, at) => h("span", { class: lit.has(at + 1) ? "line lit" : "line" }, `${line}\n`)));
    pane.setAttribute("aria-label", name);
    pane.scrollTop = 0;
  }

  return {
    element,
    update(next, lit = {}) {
      if (JSON.stringify(next) === JSON.stringify(files)) return; // where the reader has scrolled to stays
      [files, marked] = [next, lit];
      tabs.replaceChildren(...Object.keys(files).map((name) => h("button", { type: "button", dataset: { file: name }, on: { click: () => show(name) } }, name)));
      show(open in files ? open : Object.keys(files)[0]);
    },
  };
}
