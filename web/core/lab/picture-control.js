// A picture to draw: a control kind as in control-kinds.js, {name, kind: "picture", sizes: [8, 16]}. Its value is a drawing in
// sixteen shades (picture-shades.js). Pointer or finger: a press gives a pixel the shade of the brush, or takes it away again, and a
// drag does so with all on the way. Keys: arrows walk, Space or Enter press, Shift + arrows carry this pixel's shade on. An image can
// be dropped on it, pasted, or chosen as a file.
import { h, hush, say } from "../dom.js";
import { number } from "../format.js";
import { stepFrom } from "../heatmap/cursor.js";
import { between } from "./grid-drawing.js";
import { drawingOf, imageOf } from "./picture-file.js";
import { INK, invert, paint, resize, shadeAt, square } from "./picture-shades.js";
import { hasText } from "../text.js";

const WIDEST = 272; // CSS px of the whole
const CELL = 30;

export function picture({ sizes }, { id, words, change }) {
  const board = h("div", { id, role: "grid", "aria-labelledby": `${id}-label`, "aria-describedby": `${id}-keys` });
  const told = h("span", { class: "sr-only", role: "status" });
  const problem = h("p", { class: "control-error", role: "alert", hidden: true });
  const brush = h("input", { id: `${id}-brush`, type: "range", min: 0, max: INK, value: INK });
  const file = h("input", { type: "file", accept: "image/*", hidden: true, on: { change: () => (open(file.files), (file.value = "")) } });
  const button = (what, press) => h("button", { type: "button", class: "button", dataset: { picture: what }, text: [`controls.picture.${what}`], on: { click: press } });
  const grains = sizes.map((size) => h("button", { type: "button", class: "button", dataset: { size }, on: { click: () => size !== drawing.length && put(resize(drawing, size)) } }, `${size} × ${size}`));
  let [drawing, cells, here, stroke] = [[], [], { row: 0, col: 0 }, null];

  function build() {
    const size = drawing.length;
    cells = drawing.map((_, row) => drawing.map((_, col) => h("span", { role: "gridcell", tabindex: -1, dataset: { row, col } })));
    board.style.gridTemplateColumns = `repeat(${size}, minmax(0, ${Math.min(CELL, Math.floor(WIDEST / size))}px))`; // whole pixels
    board.replaceChildren(...cells.map((line) => h("div", { role: "row" }, line)));
    grains.forEach((each) => each.setAttribute("aria-pressed", String(Number(each.dataset.size) === size)));
    stand({ row: Math.min(here.row, size - 1), col: Math.min(here.col, size - 1) });
  }

  const refresh = () => cells.forEach((line, row) => line.forEach((cell, col) => {
    const shade = String(shadeAt(drawing, row, col));
    if (cell.dataset.shade === shade) return;
    cell.dataset.shade = shade;
    cell.style.setProperty("--ink", shade / INK);
    say(cell, "label", "controls.picture.pixel", { row: row + 1, col: col + 1, shade: number(shade / INK, 2) });
  }));

  /** One pixel at a time can be reached by Tab. */
  function stand(next, { focus = false } = {}) {
    cells[here.row]?.[here.col]?.setAttribute("tabindex", -1);
    here = next;
    const cell = cells[here.row]?.[here.col];
    cell?.setAttribute("tabindex", 0);
    if (focus) cell?.focus();
  }

  function put(next) {
    const other = next.length !== drawing.length;
    drawing = next;
    if (other) build();
    refresh();
    change(drawing);
  }

  const fill = (which, shade) => which.some(({ row, col }) => shadeAt(drawing, row, col) !== shade) && put(paint(drawing, which, shade));
  const pressed = ({ row, col }) => (shadeAt(drawing, row, col) === Number(brush.value) ? 0 : Number(brush.value));

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
    stroke = { at, shade: pressed(at) };
    fill([at], stroke.shade);
  }

  function drag(event) {
    const at = stroke && locate(event);
    if (!at) return;
    fill(between(stroke.at, at), stroke.shade);
    stroke.at = at;
  }

  function key(event) {
    if (event.altKey || event.metaKey || !event.target.matches("[role=gridcell]")) return;
    const next = stepFrom(here, event.key, event.ctrlKey, [drawing.length, drawing.length]);
    const presses = event.key === " " || event.key === "Enter";
    if (!next && !presses) return;
    event.preventDefault();
    const shade = shadeAt(drawing, here.row, here.col);
    if (next) stand(next, { focus: true });
    if (presses) fill([here], pressed(here));
    else if (event.shiftKey) fill([here], shade);
    if (presses || event.shiftKey) told.textContent = cells[here.row][here.col].getAttribute("aria-label");
  }

  async function open(files) {
    const image = imageOf(files);
    try {
      put(await drawingOf(image, drawing.length));
      hush(problem);
      problem.hidden = true;
    } catch {
      problem.hidden = false;
      say(problem, "text", "controls.picture.unreadable", { name: image?.name ?? files?.[0]?.name ?? "" });
    }
  }

  function take(event, files) {
    if (!files?.length) return;
    event.preventDefault();
    open(files);
  }

  const end = () => (stroke = null);
  const listeners = { pointerdown: press, pointermove: drag, pointerup: end, pointercancel: end, keydown: key };
  for (const [name, listener] of Object.entries(listeners)) board.addEventListener(name, listener);
  const element = h("div", { class: "control grid picture" },
    h("span", { id: `${id}-label`, text: [`${words}.label`] }),
    hasText(`${words}.help`) && h("p", { class: "help", text: [`${words}.help`] }),
    board,
    h("div", { class: "brush" }, h("label", { for: `${id}-brush`, text: ["controls.picture.brush"] }), brush),
    h("div", { class: "grid-actions" }, grains, button("clear", () => put(square(drawing.length, () => 0))), button("invert", () => put(invert(drawing))), button("open", () => file.click()), file),
    h("p", { class: "help", id: `${id}-keys`, text: ["controls.picture.keys"] }), problem, told);
  element.addEventListener("dragover", (event) => event.preventDefault());
  element.addEventListener("drop", (event) => take(event, event.dataTransfer.files));
  element.addEventListener("paste", (event) => take(event, event.clipboardData.files));

  return {
    element,
    field: board,
    set(value) {
      if (!Array.isArray(value)) return;
      const other = value.length !== drawing.length;
      drawing = value;
      if (other) build();
      refresh();
    },
  };
}
