// Code cells, as in Obsidian's Code Emitter: Python in shared variables, each cell with its output below it.
import { createCell } from "./cell.js";
import { createCellList } from "./cell-list.js";
import { createCellsHead } from "./cells-head.js";
import { loadCells, saveCells } from "./cells-store.js";
import { h, say } from "../dom.js";
import { createKernelStatus } from "./kernel-status.js";
import { createNotes } from "./notes.js";
import { loadOpening, openingNames, openingSource } from "./opening.js";
import { createRunQueue } from "./run-queue.js";
import { onLanguage } from "../text.js";

/** mountCells(root, {engine}) -> {ready: when the cells are there, tryCode, destroy}; of the engine: ready, on, runCell, stop, reset */
export function mountCells(root, { engine }) {
  root.classList.add("cells");
  const queue = createRunQueue(() => engine.ready);
  const head = createCellsHead(root, { runAll, clearAll, reset, bringBack });
  const list = createCellList(root, { onChange: saveSoon });
  const announcer = h("p", { class: "sr-only", role: "status" });
  const kernel = createKernelStatus(head.tools, {
    engine,
    onStop: () => (queue.busy ? queue.stopAll() : engine.stop()),
    onChange(state) {
      for (const { view } of list.items) view.waitReason();
      if (state === "ready") queue.resume();
    },
  });
  const notes = createNotes({ list, create, cancel: ({ view }) => queue.cancel(view), filled: () => ready });
  const add = h("button", {
    type: "button", class: "button cells-add", dataset: { action: "add" }, on: { click: () => addAt(list.items.length) }, text: ["cells.add"],
  });
  root.append(h("div", { class: "cells-foot" }, add, notes.buttons), notes.told, announcer);
  let runs = 0;

  /** An item of the list: {id, view, opening: its name or null, asWritten: the text that an opening cell came with, note, block: where it came from} */
  function create({ id, opening = null, source, note, block }) {
    const asWritten = opening && openingSource(opening);
    const item = { id, opening, asWritten, note, block };
    const place = () => list.items.indexOf(item);
    const does = {
      above: () => addAt(place()),
      below: () => addAt(place() + 1),
      up: () => list.move(item, -1),
      down: () => list.move(item, 1),
      clear: () => item.view.clear(),
      delete() {
        queue.cancel(item.view);
        list.remove(item, () => followLanguage(item));
      },
    };
    item.view = createCell({
      id, engine, source: source ?? asWritten,
      onChange: saveSoon,
      onRun(next) {
        queue.run(item.view);
        if (next) goTo(place() + 1);
      },
      onCancel: () => queue.cancel(item.view),
      onAction: (name) => does[name](),
      whyWaiting: () => `cells.waiting.${{ loading: "loading", failed: "failed" }[kernel.state] ?? "turn"}`,
      nextCount: () => ++runs,
      onEnd: (outcome) => say(announcer, "text", `cells.ended.${outcome}`, { n: place() + 1 }),
    });
    return item;
  }

  function addAt(at) {
    const item = create({ id: list.freshId(), source: "" });
    list.insert(item, at);
    item.view.editor.focus();
  }
  const goTo = (at) => (at < list.items.length ? list.items[at].view.editor.focus() : addAt(at));

  function runAll() { queue.runAll(list.items.map(({ view }) => view)); }
  function clearAll() { for (const { view } of list.items) view.clear(); }
  function reset() {
    queue.stopAll();
    engine.reset().catch(() => {}); // Python did not start, and says so itself
  }
  function forgetVariables(why) {
    runs = 0;
    for (const { view } of list.items) view.forgetCount();
    head.tell(why);
  }

  const untouched = ({ asWritten, view }) => asWritten !== null && view.editor.get() === asWritten;

  /** What the reader wrote stays; an opening cell that was edited counts as the reader's. */
  function bringBack() {
    const missing = openingNames().filter((name) => !list.items.some((item) => item.opening === name && untouched(item)));
    missing.forEach((opening, at) => list.insert(create({ id: list.has(opening) ? list.freshId() : opening, opening }), at));
    if (!missing.length) head.tell("all_there");
  }

  function followLanguage(item) {
    if (!item.opening) return;
    const follows = untouched(item);
    item.asWritten = openingSource(item.opening);
    if (follows) item.view.editor.set(item.asWritten);
  }

  let saving = null;
  let keeps = true;
  function save() {
    clearTimeout(saving);
    saving = null;
    const kept = saveCells(list.items.map((item) => {
      const { id, opening, note, block, view } = item;
      return { id, ...(untouched(item) ? { opening } : { source: view.editor.get(), note, block }) };
    }), notes.kept());
    if (keeps && !kept) head.tell("not_kept");
    keeps = kept;
  }
  function saveSoon() {
    clearTimeout(saving);
    saving = setTimeout(save, 300);
  }
  const saveNow = () => saving && save();

  async function fill() {
    await loadOpening().catch(() => head.tell("no_opening"));
    const kept = loadCells();
    notes.bringBack(kept.notes);
    const cells = kept.cells ?? openingNames().map((name) => ({ id: name, opening: name }));
    for (const cell of cells) if (!cell.opening || openingNames().includes(cell.opening)) list.insert(create(cell));
  }

  const offs = [
    onLanguage(() => list.items.forEach(followLanguage)),
    engine.on("restart", () => forgetVariables("restart")),
    engine.on("busy", (job) => job?.kind === "reset" && forgetVariables("reset")), // asked for here or through window.seeformer
  ];
  addEventListener("pagehide", saveNow);
  const ready = fill();

  return {
    ready,
    /** A cell of its own for this code, below all others: the reader is taken there, and it runs. */
    async tryCode(source) {
      await ready;
      const item = create({ id: list.freshId(), source });
      list.insert(item);
      item.view.element.scrollIntoView();
      item.view.editor.focus();
      return queue.run(item.view);
    },
    destroy() {
      for (const off of offs) off();
      removeEventListener("pagehide", saveNow);
      saveNow();
      notes.destroy();
      kernel.destroy();
      for (const { view } of list.items) view.destroy();
      root.replaceChildren();
    },
  };
}
