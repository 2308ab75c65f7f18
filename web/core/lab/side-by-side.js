// Things side by side: a table whose columns are what is compared, and whose cells can be opened by a click or with Enter. Where it
// is narrow it goes sideways in a box of its own, and each cell says whose it is.
import { h, say } from "../dom.js";

/**
 * label, corner: [text key]; columns: {id: head (nodes)}; rows: {id: [title, help?] (each a [text key])}; name(column) -> [text key] of
 * what stands in a narrow cell; onOpen(id). -> { element, plain(row, column, …nodes), part(row, column, id, …nodes), told(id, key, vars, whose), mark(id) }
 */
export function sideBySide({ label, corner, columns, rows, name, onOpen }) {
  const parts = new Map(); // id -> {element, button}
  const cells = {};
  const ids = Object.keys(columns);
  const head = h("div", { class: "compare-row compare-head", role: "row" },
    h("div", { role: "columnheader" }, h("span", { class: "sr-only", text: corner })), ids.map((id) => h("div", { role: "columnheader", dataset: { column: id } }, columns[id])));
  const body = Object.entries(rows).map(([row, [title, help]]) => {
    cells[row] = Object.fromEntries(ids.map((id) => [id, h("div", { class: "compare-cell", role: "cell", dataset: { column: id } }, h("b", { class: "compare-name", "aria-hidden": "true", text: name(id) }))]));
    return h("div", { class: "compare-row", role: "row", dataset: { row } },
      h("div", { class: "compare-title", role: "rowheader" }, h("b", { text: title }), help && h("span", { class: "help", text: help })), Object.values(cells[row]));
  });
  const element = h("div", { class: "compare-room" }, h("div", { class: "compare", role: "table", label }, head, body));

  element.addEventListener("click", ({ target }) => open(target));
  element.addEventListener("keydown", (press) => {
    if (!["Enter", " "].includes(press.key) || press.target.tagName !== "CANVAS") return;
    press.preventDefault();
    open(press.target);
  });

  function open(target) {
    const part = target.closest("[data-part]");
    if (part) onOpen(part.dataset.part);
  }

  return {
    element,
    /** What stands in a cell and opens nothing. */
    plain: (row, column, ...nodes) => cells[row][column].append(...nodes),
    /** A part of a cell that opens on its own: its nodes, and below them a button. Returns its element. */
    part(row, column, id, ...nodes) {
      const [words, about] = [h("span"), h("span", { class: "sr-only" })];
      const button = h("button", { type: "button", class: "compare-open" }, words, " ", about);
      const inner = h("div", { class: "compare-part", dataset: { part: id } }, nodes.flat(), button);
      cells[row][column].append(inner);
      parts.set(id, { inner, button, words, about });
      return inner;
    },
    /** What the button of a part says, and to those who do not see where it stands, of what. */
    told(id, key, vars, whose) {
      say(parts.get(id).words, "text", key, vars);
      say(parts.get(id).about, "text", ...whose);
    },
    mark(id) {
      for (const [each, { inner, button }] of parts) {
        inner.toggleAttribute("data-open", each === id);
        button.setAttribute("aria-pressed", String(each === id));
      }
    },
  };
}
