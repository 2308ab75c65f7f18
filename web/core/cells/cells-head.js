// What stands above the cells: title, Python's state, what acts on all cells, and notes for the reader.
import { h } from "../dom.js";

const button = (key, run, extra = {}) => h("button", { type: "button", class: "button", ...extra, on: { click: run }, text: [key] });

/** actions: {runAll, add, clearAll, reset, bringBack} -> {tools, tell(key, vars), ask()} */
export function createCellsHead(parent, actions) {
  const tools = h("div", { class: "cells-tools" });
  const notes = h("div", { class: "cells-notes", role: "status" });
  const reset = button("cells.reset", ask, { dataset: { action: "reset" } });
  tools.append(
    button("cells.run_all", actions.runAll, { class: "button main", dataset: { action: "run-all" } }),
    button("cells.clear_all", actions.clearAll, { dataset: { action: "clear-all" } }),
    reset,
    button("cells.bring_back", actions.bringBack, { dataset: { action: "bring-back" } }));
  parent.append(
    h("h2", { text: ["cells.title"] }),
    h("p", { class: "cells-lead", text: ["cells.lead"] }),
    tools,
    h("p", { class: "cells-keys" }, ...["run", "next", "leave", "find"].map((name) => h("span", {},
      h("kbd", { text: [`cells.keys.${name}.key`] }), " ", h("span", { text: [`cells.keys.${name}.does`] })))),
    notes);

  function show(name, ...children) {
    notes.querySelector(`[data-note="${name}"]`)?.remove();
    const note = h("div", { class: "cells-note", dataset: { note: name } }, ...children);
    notes.append(note);
    return note;
  }

  /** Variables cannot be brought back, so this asks first, in place. */
  function ask() {
    const close = () => { question.remove(); reset.focus(); };
    const yes = button("cells.reset_yes", () => { close(); actions.reset(); });
    const question = show("reset", h("span", { text: ["cells.reset_ask"] }), yes, button("cells.reset_no", close));
    question.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
    yes.focus();
  }

  return {
    tools,
    /** A note that stays until the reader closes it. */
    tell(name) {
      const note = show(name, h("span", { text: [`cells.notes.${name}`] }),
        button("cells.dismiss", () => note.remove(), { class: "button bare" }));
    },
  };
}
