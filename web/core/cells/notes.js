// Markdown notes among the cells: opened or dropped, their Python blocks become cells; exported, cells become a note again.
import { h } from "../dom.js";
import { save } from "../save-file.js";
import { joinCells, joinNote } from "./markdown-join.js";
import { watchDrops } from "./note-drop.js";
import { readNote, Refused } from "./note-file.js";

const PAGE_FILE = "seeformer-cells.md";

/**
 * createNotes({list, create, cancel, filled}) -> {buttons, told, kept, bringBack, destroy}
 *
 * create({id, source, note, block})   makes an item of the list
 * cancel(item)                        takes it out of the run queue
 * filled()                            a promise: the cells of before are in the list
 */
export function createNotes({ list, create, cancel, filled }) {
  const notes = new Map(); // id -> {name, prose, blocks, eol}
  const told = h("div", { class: "cells-told", role: "status" });
  const button = (key, run, extra) => h("button", { type: "button", class: "button", text: [key], ...extra, on: { click: run } });
  // No `accept`: a phone that does not know .md would let nobody choose one.
  const input = h("input", { type: "file", multiple: true, hidden: true, on: { change: chosen } });
  const opener = button("cells.note.open", () => input.click(), { dataset: { action: "open-note" } });
  const exporter = button("cells.note.export", exportCells, { dataset: { action: "export" } });
  const stopWatching = watchDrops(openAll);

  const line = (...children) => told.appendChild(h("div", { class: "cells-note" }, ...children));
  const tell = (key, vars) => line(h("span", { text: [key, vars] }), button("cells.dismiss", (event) => {
    event.target.parentElement.remove();
    opener.focus();
  }, { class: "button bare" }));

  function chosen() {
    const files = [...input.files];
    input.value = ""; // the same file can be chosen again
    openAll(files);
  }

  async function openAll(files) {
    told.replaceChildren();
    await filled();
    let first = null;
    for (const file of files) {
      try {
        const arrival = arrive(await readNote(file));
        first ??= arrival;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        tell(`cells.note.refused.${error.why}`, error.vars).dataset.refused = error.why;
      }
    }
    (first ?? told).scrollIntoView({ block: first ? "start" : "nearest" });
    first?.querySelector("button").focus({ preventScroll: true });
  }

  /** The note's cells, below all others, and above them the offer to take them away again. */
  function arrive(note) {
    let id = 1;
    while (notes.has(`note-${id}`)) id += 1;
    id = `note-${id}`;
    notes.set(id, note);
    const items = note.blocks.map(({ source }, block) => {
      const item = create({ id: list.freshId(), source, note: id, block });
      list.insert(item);
      return item;
    });
    const words = ["cells.note.arrived", { file: note.name, n: items.length }];
    const offer = h("div", { class: "cell-gone note-arrived", role: "group", label: words }, h("span", { text: words }),
      button("cells.undo", undo), button("cells.dismiss", dismiss, { class: "button bare" }));
    items[0].view.element.before(offer);

    function dismiss() {
      const next = offer.nextElementSibling;
      offer.remove();
      next?.querySelector("button").focus();
    }
    /** What the reader made of a cell meanwhile stays. */
    function undo() {
      const there = items.filter((item) => list.items.includes(item));
      const untouched = there.filter(({ view, block }) => view.editor.get() === note.blocks[block].source);
      untouched.forEach(cancel);
      list.drop(untouched);
      offer.remove();
      told.replaceChildren();
      const stay = there.length - untouched.length;
      if (stay) tell("cells.note.edited_stay", { n: stay });
      opener.focus();
    }
    return offer;
  }

  /** [{name, n, text()}]: one file a note, and one of the cells that are of no note and stand below none. */
  function files() {
    const groups = new Map();
    let above = null;
    for (const item of list.items) {
      if (notes.has(item.note)) above = item.note;
      const group = item.opening ? null : above;
      groups.set(group, [...(groups.get(group) ?? []), item]);
    }
    return [...groups].map(([id, items]) => ({
      name: id ? notes.get(id).name : PAGE_FILE,
      n: items.length,
      text() {
        const cells = items.map(({ view, note, block }) => ({ source: view.editor.get(), ...(note === id && { block }) }));
        return id ? joinNote(notes.get(id), cells) : joinCells(cells);
      },
    }));
  }

  function exportCells() {
    told.replaceChildren();
    const all = files();
    if (!all.length) return tell("cells.note.nothing");
    if (all.length === 1) return write(all[0]);
    const close = () => { question.remove(); exporter.focus(); };
    const choices = all.map((file) => button(null, () => { close(); write(file); }, { text: ["cells.note.file", { file: file.name, n: file.n }] }));
    const question = line(h("span", { text: ["cells.note.which"] }), choices, button("cells.note.never_mind", close, { class: "button bare" }));
    question.addEventListener("keydown", ({ key }) => { if (key === "Escape") close(); });
    choices[0].focus();
  }

  function write({ name, text }) {
    save(new Blob([text()], { type: "text/markdown" }), name);
    tell("note.saved", { file: name });
  }

  return {
    buttons: [opener, exporter, input],
    told,
    /** The notes that cells came from, for the store. */
    kept: () => Object.fromEntries([...notes].filter(([id]) => list.items.some(({ note }) => note === id))),
    bringBack(kept) {
      for (const [id, note] of Object.entries(kept)) notes.set(id, note);
    },
    destroy: stopWatching,
  };
}
