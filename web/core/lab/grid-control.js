// A grid to paint on: a control kind as in control-kinds.js, {name, kind: "grid", rows, cols?}. rows and cols are how many, or a
// list of labels, or a function of the parameters that gives either; cols = rows if left out. Its value is a drawing (grid-drawing.js).
// Pointer or finger: a press turns a cell over, a drag gives its new state to all on the way. Keys: arrows walk, Space or Enter
// turns over, Shift + arrows give the state of this cell to the next.
import { h, say } from "../dom.js";
import { standsTurned } from "../heatmap/axis-labels.js";
import { stepFrom } from "../heatmap/cursor.js";
import { between, invert, isVisible, paint } from "./grid-drawing.js";
import { hasText } from "../text.js";

const labelsOf = (side, params) => {
  const given = typeof side === "function" ? side(params) : side;
  return Array.isArray(given) ? given : Array.from({ length: given }, (_, at) => String(at + 1));
};

const head = (role, text) => h("span", { role, title: text, dataset: { stands: standsTurned(text) ? "turned" : "stacked" } }, text);

export function grid({ rows, cols = rows, rowAxis = "heatmap.query", colAxis = "heatmap.key" }, { id, words, change }) {
  const board = h("div", { id, role: "grid", "aria-labelledby": `${id}-label`, "aria-describedby": `${id}-keys` });
  const told = h("span", { class: "sr-only", role: "status" });
  const button = (what, value) => h("button", { type: "button", class: "button", dataset: { grid: what }, text: [`controls.grid.${what}`], on: { click: () => put(value()) } });
  let [drawing, labels, cells, here, stroke] = [[], [[], []], [], null, null];
  const shape = () => labels.map((side) => side.length);

  function build() {
    const [down, across] = labels;
    cells = down.map((_, row) => across.map((_, col) => h("span", { role: "gridcell", tabindex: -1, dataset: { row, col } })));
    board.style.gridTemplateColumns = `fit-content(72px) repeat(${across.length}, minmax(0, 1fr))`;
    board.replaceChildren(
      h("div", { role: "row" }, across.map((text) => head("columnheader", text))),
      ...down.map((text, row) => h("div", { role: "row" }, head("rowheader", text), cells[row])));
    stand({ row: Math.min(here?.row ?? 0, down.length - 1), col: Math.min(here?.col ?? 0, across.length - 1) });
  }

  function show(row, col) {
    const state = isVisible(drawing, row, col) ? "visible" : "hidden";
    const cell = cells[row][col];
    if (cell.dataset.state === state) return;
    cell.dataset.state = state;
    say(cell, "label", `controls.grid.${state}`, { row: `${row + 1} ${labels[0][row]}`, col: `${col + 1} ${labels[1][col]}` });
  }

  const refresh = () => cells.forEach((line, row) => line.forEach((_, col) => show(row, col)));

  /** One cell at a time can be reached by Tab. */
  function stand(next, { focus = false } = {}) {
    if (here) cells[here.row]?.[here.col]?.setAttribute("tabindex", -1);
    here = next;
    const cell = cells[here.row]?.[here.col];
    cell?.setAttribute("tabindex", 0);
    if (focus) cell?.focus();
  }

  function put(next) {
    drawing = next;
    refresh();
    change(drawing);
  }

  const fill = (which, visible) => which.some(({ row, col }) => isVisible(drawing, row, col) !== visible) && put(paint(drawing, shape(), which, visible));

  function locate({ clientX, clientY }) {
    const cell = document.elementFromPoint(clientX, clientY)?.closest("[role=gridcell]");
    return cell && board.contains(cell) ? { row: Number(cell.dataset.row), col: Number(cell.dataset.col) } : null;
  }

  function press(event) {
    const at = locate(event);
    if (!at || event.button) return;
    event.preventDefault();
    board.setPointerCapture(event.pointerId);
    stand(at, { focus: true });
    stroke = { at, visible: !isVisible(drawing, at.row, at.col) };
    fill([at], stroke.visible);
  }

  function drag(event) {
    const at = stroke && locate(event);
    if (!at) return;
    fill(between(stroke.at, at), stroke.visible);
    stroke.at = at;
  }

  function key(event) {
    if (event.altKey || event.metaKey || !event.target.matches("[role=gridcell]")) return;
    const next = stepFrom(here, event.key, event.ctrlKey, shape());
    const turns = event.key === " " || event.key === "Enter";
    if (!next && !turns) return;
    event.preventDefault();
    const visible = isVisible(drawing, here.row, here.col);
    if (next) stand(next, { focus: true });
    if (turns) fill([here], !visible);
    else if (event.shiftKey) fill([here], visible);
    if (turns || event.shiftKey) told.textContent = cells[here.row][here.col].getAttribute("aria-label");
  }

  const end = () => (stroke = null);
  for (const [name, listener] of Object.entries({ pointerdown: press, pointermove: drag, pointerup: end, pointercancel: end, keydown: key })) {
    board.addEventListener(name, listener);
  }

  return {
    element: h("div", { class: "control grid" },
      h("span", { id: `${id}-label`, text: [`${words}.label`] }),
      hasText(`${words}.help`) && h("p", { class: "help", text: [`${words}.help`] }),
      h("div", { class: "board" },
        h("span", { class: "axis", text: [colAxis], "aria-hidden": "true" }), h("span", { class: "axis query", text: [rowAxis], "aria-hidden": "true" }), board),
      h("div", { class: "grid-actions" }, button("clear", () => []), button("invert", () => invert(drawing, shape()))),
      h("p", { class: "help", id: `${id}-keys`, text: ["controls.grid.keys"] }), told),
    field: board,
    set(value, params) {
      drawing = value;
      const next = [labelsOf(rows, params), labelsOf(cols, params)];
      if (JSON.stringify(next) !== JSON.stringify(labels)) {
        labels = next;
        build();
      }
      refresh();
    },
  };
}
