// All heads of all layers as small pictures on one canvas: multiples(container, options) -> { element, update, highlight, setMode,
// picture, destroy }, the shape of heatmap(), so that a board holds both. The canvas is as large as the window that it is seen
// through, and only what shows there is painted: hundreds of heads cost no more than those that show.
import { onAppearance } from "./appearance.js";
import { at } from "../lab/slice.js";
import { caption } from "./caption.js";
import { stepFrom } from "./cursor.js";
import { h, say } from "../dom.js";
import { modeControl } from "./mode-control.js";
import { drawing } from "./multiples-export.js";
import { corner, inSight, place, placeAt } from "./multiples-layout.js";
import { drawMarks, drawNumbers } from "./multiples-marks.js";
import { paintTile } from "./multiples-tile.js";
import { palette } from "./palette.js";
import { watchRoom } from "./room.js";
import { modesOf } from "./scale.js";
import { onLanguage, t } from "../text.js";
import { turn } from "../turn.js";

const BUDGET = 10; // ms of painting a frame; what is left comes in the next
const KEPT = 1500; // painted pictures
const TALLEST = 460; // CSS px of the window

/**
 * options: name; kind and mode as of heatmap(); modes (offered; [] for none); onChoose({layer, head}); onHover(cell | null), where a
 * cell is {name, layer, head, source}, and below a pointer also {row, col, value}; tallest (CSS px); words (text key), for small
 * pictures whose rows and columns are no layers and heads.
 */
export function multiples(container, options) {
  const { name, kind = "weights", onHover = () => {}, onChoose = () => {}, tallest = TALLEST, words: said = "multiples" } = options;
  let mode = options.mode ?? modesOf(kind)[0];
  let [stack, placed, colours, lit, current] = [null, null, null, null, null];
  let dirty = true; // places and colours
  let painted = new Map();

  const canvas = h("canvas", { dataset: { multiples: name }, tabindex: 0, role: "application" });
  const space = h("div", { class: "multiples-space" }, canvas);
  const view = h("div", { class: "multiples-view", style: `max-height: ${tallest}px` }, space);
  const head = caption(options);
  const modes = modeControl(options.modes ?? modesOf(kind).filter((each) => each !== "auto"), mode, setMode);
  const told = h("span", { "aria-hidden": "true" });
  const live = h("span", { class: "sr-only", role: "status", "aria-live": "polite" });
  const twin = h("p", { class: "sr-only" });
  const element = h("figure", { class: "heatmap multiples", hidden: true, dataset: { kind } }, head.element,
    h("p", { class: "multiples-axes", "aria-hidden": "true" }, h("span", { text: [`${said}.layer`] }), h("span", { text: [`${said}.head`] })),
    view, h("div", { class: "multiples-foot" }, told, modes?.element), live, twin);
  container.append(element);
  const context = canvas.getContext("2d");

  const room = watchRoom(element, () => later(true));
  const painting = turn(element, canvas, draw);
  const ending = new AbortController();
  const on = (target, event, listener) => target.addEventListener(event, listener, { signal: ending.signal });
  const endings = [room.stop, onAppearance(() => later(true)), onLanguage(() => stack && describe()), painting.end, () => ending.abort()];

  function later(all = false) {
    dirty ||= all;
    if (stack) painting.ask();
  }

  function layOut() {
    dirty = false;
    painted = new Map();
    placed = place({ shape: stack.shape, width: room.width, dpr: devicePixelRatio });
    colours = palette(element);
    const { width, height, dpr } = placed;
    space.style.width = `${width / dpr}px`;
    space.style.height = `${height / dpr}px`;
    view.style.width = `${Math.min(room.width, Math.ceil(width / dpr) + (height / dpr > tallest ? 16 : 0))}px`;
    canvas.width = Math.min(width, Math.round(view.clientWidth * dpr));
    canvas.height = Math.min(height, Math.round(view.clientHeight * dpr));
    canvas.style.width = `${canvas.width / dpr}px`;
    canvas.style.height = `${canvas.height / dpr}px`;
  }

  function tile(layer, head) {
    const key = layer * placed.heads + head;
    if (!painted.has(key)) {
      if (painted.size > KEPT) painted.clear();
      painted.set(key, paintTile(at(stack, layer, head), placed, { kind, mode, colours }));
    }
    return painted.get(key);
  }

  const is = (place, layer, head) => place?.layer === layer && place?.head === head;
  const isSilenced = (layer, head) => stack.silenced?.some(([l, k]) => l === layer && k === head) ?? false;
  const seen = () => ({ x: Math.round(view.scrollLeft * placed.dpr), y: Math.round(view.scrollTop * placed.dpr), width: canvas.width, height: canvas.height });

  function draw() {
    if (!element.isConnected) return;
    if (dirty) layOut();
    const began = performance.now();
    const window = seen();
    const range = inSight(placed, window);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.save();
    context.translate(-window.x, -window.y);
    for (let layer = range[0]; layer < range[1]; layer++) {
      for (let head = range[2]; head < range[3]; head++) {
        const ready = painted.has(layer * placed.heads + head);
        if (!ready && performance.now() - began > BUDGET) {
          later();
          continue;
        }
        context.drawImage(tile(layer, head), ...corner(placed, layer, head));
        drawMarks(context, placed, layer, head, { current: is(current, layer, head), chosen: is(stack.chosen, layer, head), silenced: isSilenced(layer, head), lit, colours });
      }
    }
    context.restore();
    const font = `${12 * placed.dpr}px ${getComputedStyle(element).fontFamily}`;
    drawNumbers(context, placed, range, window, { colours, font, current });
  }

  const words = ({ layer, head }) => t(`${said}.at`, { layer: layer + 1, head: head + 1 });

  function describe() {
    const [layers, heads, rows, cols] = stack.shape;
    head.update(stack.shape);
    say(canvas, "label", `${said}.label`, { name, layers, heads });
    say(twin, "text", `${said}.summary`, { name, layers, heads, rows, cols });
    told.textContent = current ? words(current) : "";
  }

  function moveTo(next, source, cell = null) {
    if (!next && !current) return;
    const moved = !is(current, next?.layer, next?.head);
    current = next && { layer: next.layer, head: next.head };
    told.textContent = current ? words(current) : "";
    live.textContent = current && source === "keyboard"
      ? words(current) + (isSilenced(current.layer, current.head) ? t(`${said}.silenced`) : "") + (is(stack.chosen, current.layer, current.head) ? t(`${said}.chosen`) : "")
      : "";
    if (moved) later();
    const value = cell && at(stack, current.layer, current.head).data[cell.row * placed.cols + cell.col];
    onHover(current && { name, ...current, source, ...(cell && { ...cell, value }) });
  }

  function locate(event) {
    const box = canvas.getBoundingClientRect();
    const { x, y } = seen();
    return placeAt(placed, (event.clientX - box.left) * placed.dpr + x, (event.clientY - box.top) * placed.dpr + y);
  }

  function reveal({ layer, head }) {
    if (!placed) return; // a key may come before the first frame
    const { dpr, left, top, across, down } = placed;
    const [x, y] = [left + head * across, top + layer * down];
    const bring = (from, size, edge, length, scrolled) => Math.min(from - edge, Math.max(scrolled, from + size - length));
    view.scrollLeft = bring(x, across, left, canvas.width, view.scrollLeft * dpr) / dpr;
    view.scrollTop = bring(y, down, top, canvas.height, view.scrollTop * dpr) / dpr;
  }

  for (const event of ["pointerdown", "pointermove"]) {
    on(canvas, event, (move) => {
      const found = placed && locate(move);
      moveTo(found, "pointer", found?.cell ?? null);
    });
  }
  on(canvas, "pointerleave", (leave) => leave.pointerType !== "touch" && moveTo(null));
  on(canvas, "blur", () => moveTo(null));
  on(canvas, "click", (click) => {
    const found = placed && locate(click);
    if (found) onChoose({ layer: found.layer, head: found.head });
  });
  on(canvas, "keydown", (press) => {
    if (press.altKey || press.metaKey) return;
    if (press.key === "Escape") return moveTo(null);
    if (["Enter", " "].includes(press.key) && current) {
      press.preventDefault();
      return onChoose(current);
    }
    const from = current && { row: current.layer, col: current.head };
    const next = stepFrom(from, press.key, press.ctrlKey, stack.shape);
    if (!next) return;
    press.preventDefault();
    const found = from || !stack.chosen ? { layer: next.row, head: next.col } : stack.chosen;
    reveal(found);
    moveTo(found, "keyboard");
  });
  on(view, "scroll", () => later());

  /** { data, shape: [layers, heads, rows, cols], rows?, cols?: labels (for the files), chosen?: {layer, head}, silenced?: [[layer, head]] } */
  function update(next) {
    if (next.shape.length !== 4) throw new RangeError(`${name}: shape=${next.shape} is not [layers, heads, rows, cols]`);
    const same = stack && String(stack.shape) === String(next.shape);
    if (!same) current = null;
    stack = next;
    painted = new Map();
    element.hidden = false;
    describe();
    later(!same);
  }

  function setMode(next) {
    mode = next;
    modes?.set(next);
    painted = new Map();
    later();
  }

  return {
    element, update, setMode,
    highlight(next) {
      const before = lit;
      lit = next && (next.row !== undefined || next.col !== undefined) ? next : null;
      if (before !== lit) later();
    },
    picture: () => drawing({ name, kind, mode, stack, colours: palette(element) }),
    destroy() {
      for (const end of endings) end();
      element.remove();
    },
  };
}
