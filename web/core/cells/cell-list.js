// The order of the cells: inserting, moving, and deleting in a way that can be undone.
import { h, retranslate } from "../dom.js";

/** items are {id, view}; view is a cell (cell.js). createCellList(parent, {onChange}) -> {element, items, freshId, has, insert, move, remove, drop} */
export function createCellList(parent, { onChange }) {
  const element = h("div", { class: "cells-list" });
  parent.append(element);
  let items = [];

  /** Deleted cells that can still come back keep their ids. */
  const has = (id) => items.some((item) => item.id === id) || [...element.children].some(({ dataset }) => dataset.gone === id);

  function changed() {
    items.forEach(({ view }, at) => {
      view.number(at + 1);
      view.actions.up.disabled = at === 0;
      view.actions.down.disabled = at === items.length - 1;
    });
    onChange();
  }

  function insert(item, at = items.length) {
    element.insertBefore(item.view.element, items[at]?.view.element ?? null);
    items.splice(at, 0, item);
    changed();
  }

  function move(item, by) {
    const at = items.indexOf(item) + by;
    const neighbour = items[at].view.element;
    items.splice(at - by, 1);
    items.splice(at, 0, item);
    if (by < 0) neighbour.before(item.view.element);
    else neighbour.after(item.view.element);
    changed();
    const used = item.view.actions[by < 0 ? "up" : "down"];
    (used.disabled ? item.view.actions[by < 0 ? "down" : "up"] : used).focus();
  }

  /** The cell leaves the page but lives on, text, history and output, until the reader closes the offer to undo. */
  function remove(item, onReturn) {
    const { view } = item;
    const button = (key, run, look) => h("button", { type: "button", class: `button ${look}`, on: { click: run }, text: [key] });
    const undo = button("cells.undo", () => {
      offer.replaceWith(view.element);
      retranslate(view.element);
      const order = [...element.children];
      items = [...items, item].sort((a, b) => order.indexOf(a.view.element) - order.indexOf(b.view.element));
      onReturn();
      changed();
      view.editor.focus();
    }, "");
    const close = button("cells.dismiss", () => {
      const next = offer.nextElementSibling ?? offer.previousElementSibling ?? element.nextElementSibling;
      offer.remove();
      view.destroy();
      (next?.matches("button") ? next : next?.querySelector("button"))?.focus();
    }, "bare");
    const offer = h("div", { class: "cell-gone", dataset: { gone: item.id } }, h("span", { text: ["cells.deleted"] }), undo, close);
    view.element.replaceWith(offer);
    items = items.filter((other) => other !== item);
    changed();
    undo.focus();
  }

  /** These leave for good. */
  function drop(some) {
    items = items.filter((item) => !some.includes(item));
    for (const { view } of some) view.destroy();
    changed();
  }

  return {
    element,
    get items() { return items; },
    has,
    freshId() {
      for (let n = 1; ; n++) if (!has(`cell-${n}`)) return `cell-${n}`;
    },
    insert, move, remove, drop,
  };
}
