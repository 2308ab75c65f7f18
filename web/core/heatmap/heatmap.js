// A grid of numbers as a picture: heatmap(container, options) -> { element, update, highlight, setMode, picture, destroy }.
// This file only joins the parts; each of them is a file that knows nothing of the others.
import { onAppearance } from "./appearance.js";
import { axisLabels } from "./axis-labels.js";
import { caption, spokenName } from "./caption.js";
import { cellTexts } from "./cell-text.js";
import { colorbar } from "./colorbar.js";
import { MAPS } from "./colormaps.js";
import { trackCursor } from "./cursor.js";
import { h, say } from "../dom.js";
import { drawEmphasis } from "./emphasis.js";
import { extent } from "./extent.js";
import { cellAt, length, start } from "./fit.js";
import { layout } from "./layout.js";
import { modeControl } from "./mode-control.js";
import { paint } from "./paint.js";
import { palette } from "./palette.js";
import { imageData, raster } from "./raster.js";
import { readout } from "./readout.js";
import { watchRoom } from "./room.js";
import { modesOf, scaleFor } from "./scale.js";
import { strongest } from "./strongest.js";
import { tableTwin } from "./table-twin.js";
import { onLanguage, t } from "../text.js";
import { turn } from "../turn.js";

const FONT = 12; // CSS px, of labels and of numbers in cells

/**
 * options: name, index?, kind "weights" | "signed" | "picture", mode? (weights: "unit" | "row" | "log" | "auto"), modes? (those offered in
 * a control; [] for none), onMode?(mode), finest? (scale.js), rowAxis? and colAxis? (text keys), caption? (a node), cell? (CSS px), maxWidth?, onHover?.
 */
export function heatmap(container, options) {
  const { name, index, kind = "signed", rowAxis, colAxis, onHover = () => {} } = options;
  const title = spokenName(name, index);
  let mode = options.mode ?? modesOf(kind)[0];
  let [grid, geometry, highlighted, reduction] = [null, null, null, null];
  const dirty = new Set();

  const canvas = h("canvas", { dataset: { heatmap: name, ...(index !== undefined && { index }) }, tabindex: 0, role: "application" });
  const layer = h("canvas", { class: "heatmap-emphasis", "aria-hidden": "true" });
  const image = new OffscreenCanvas(1, 1);
  let pixels = new ImageData(1, 1);
  const axis = (side, key) => key && h("span", { class: `heatmap-axis ${side}`, text: [key], "aria-hidden": "true" });
  const [rows, columns] = [axisLabels("rows"), axisLabels("columns")];
  const parts = { caption: caption(options), bar: colorbar(), readout: readout(), twin: tableTwin() };
  const modes = modeControl(options.modes ?? modesOf(kind).filter((each) => each !== "auto"), mode, (chosen) => {
    setMode(chosen);
    options.onMode?.(chosen);
  });
  const note = h("p", { class: "heatmap-note", hidden: true });
  const plot = h("div", { class: "heatmap-plot" },
    axis("key", colAxis), axis("query", rowAxis), columns.element, rows.element, h("div", { class: "heatmap-cells" }, canvas, layer));
  const element = h("figure", { class: "heatmap", hidden: true, dataset: { kind } }, // until there is something to point at
    parts.caption.element, plot, parts.readout.element, h("div", { class: "heatmap-foot" }, parts.bar.element, modes?.element), note, parts.twin.element);
  container.append(element);

  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  const font = (scale) => `${FONT * scale}px ${getComputedStyle(element).fontFamily}`;
  const measure = (text) => pen.measureText(text).width;

  const room = watchRoom(element, () => invalidate("layout"));
  const painting = turn(element, canvas, draw);
  const cursor = trackCursor(canvas, {
    shape: () => grid.shape,
    locate(event) {
      const box = canvas.getBoundingClientRect();
      return {
        row: cellAt(geometry.down, (event.clientY - box.top) / box.height, grid.shape[0]),
        col: cellAt(geometry.across, (event.clientX - box.left) / box.width, grid.shape[1]),
      };
    },
    moved(cell, source) {
      invalidate("emphasis");
      parts.readout.announce(grid, source === "keyboard" ? cell : null);
      onHover(cell && { name, index, ...cell, value: grid.data[cell.row * grid.shape[1] + cell.col], source });
    },
  });
  const endings = [room.stop, painting.end, cursor.stop, parts.readout.stop, onAppearance(() => invalidate("layout")), onLanguage(() => invalidate("data"))];

  function invalidate(what) {
    dirty.add(what);
    if (grid) painting.ask(dirty.has("layout")); // a change of size moves what is in sight
  }

  function layOut() {
    const width = Math.min(options.maxWidth ?? Infinity, room.width);
    pen.font = font(1);
    const laid = layout(grid, { width, dpr: devicePixelRatio, cell: options.cell, rowTitle: rowAxis, measure });
    geometry = laid.geometry;
    reduction = null;
    const middle = (side) => (at) => (start(side, at) + side.pitch / 2) / geometry.dpr;
    rows.update(laid.rows, grid.rows, middle(geometry.down));
    columns.update(laid.columns, grid.cols, middle(geometry.across));
    for (const each of [canvas, layer]) {
      each.width = length(geometry.across);
      each.height = length(geometry.down);
      each.style.width = `${each.width / geometry.dpr}px`;
      each.style.height = `${each.height / geometry.dpr}px`;
    }
    const blocks = [geometry.down.block, geometry.across.block];
    note.hidden = Math.max(...blocks) === 1;
    if (!note.hidden) say(note, "text", "heatmap.blocks", { rows: blocks[0], cols: blocks[1] });
  }

  /** A grid with more cells than pixels is reduced a step a frame, each to its end, so that a slider cannot starve the picture. */
  function advance() {
    const blocks = [geometry.down.block, geometry.across.block];
    if (Math.max(...blocks) === 1) return drawData(grid);
    reduction ??= { of: grid, steps: strongest(grid, blocks) };
    const { done, value } = reduction.steps.next();
    if (!done) return invalidate("data");
    if (reduction.of !== grid) invalidate("data");
    reduction = null;
    drawData(value);
  }

  function drawData(shown) {
    const stats = extent(shown);
    const scale = scaleFor(kind, mode, stats, options.finest);
    const colours = palette(element);
    const [height, width] = shown.shape;
    if (pixels.width !== width || pixels.height !== height) {
      pixels = imageData(new Uint32Array(width * height), width, height);
      Object.assign(image, { width, height });
    }
    const words = raster(shown, scale, MAPS[kind], colours.marks, new Uint32Array(pixels.data.buffer));
    image.getContext("2d").putImageData(pixels, 0, 0);
    paint(canvas.getContext("2d"), {
      grid: shown, image, pixels: words, geometry, palette: colours, extent: stats,
      texts: cellTexts(shown, geometry, measure), font: font(geometry.dpr),
    });
    parts.bar.update(scale, MAPS[kind], colours.marks, stats);
    parts.twin.update(title, grid);
    parts.caption.update(grid.shape);
    say(canvas, "label", "heatmap.label", { name: title, rows: grid.shape[0], cols: grid.shape[1] });
    element.dataset.mode = mode;
  }

  function showEmphasis() {
    const marked = (side) => [...new Set([cursor.cell?.[side], highlighted?.[side]].filter((at) => at !== undefined))];
    drawEmphasis(layer.getContext("2d"), geometry, cursor.cell, highlighted);
    rows.mark(marked("row"));
    columns.mark(marked("col"));
  }

  function draw() {
    if (!element.isConnected) return; // no colours and no room yet; watchRoom tells when there are
    const asked = new Set(dirty);
    dirty.clear();
    if (asked.has("layout")) layOut();
    if (asked.has("layout") || asked.has("data")) advance();
    if (asked.has("layout") || asked.has("emphasis")) showEmphasis();
    const { row, col } = cursor.cell ?? highlighted ?? {};
    parts.readout.show(grid, row === undefined || col === undefined ? null : { row, col });
  }

  const alike = (a, b) => a === b || (a?.length === b?.length && a?.every((each, at) => each === b[at]));

  /** { data: Float32Array, shape: [rows, cols], rows?: labels, cols?: labels }. The first call draws at once, others in the next frame. */
  function update(next) {
    const [down, across] = next.shape;
    if (next.shape.length !== 2 || next.data.length !== down * across) {
      throw new RangeError(`${title}: shape=${next.shape} does not hold the ${next.data.length} values of data`);
    }
    const before = grid;
    grid = next;
    const same = before && alike(before.shape, next.shape) && alike(before.rows, next.rows) && alike(before.cols, next.cols);
    invalidate(same ? "data" : "layout");
    if (cursor.cell && (cursor.cell.row >= down || cursor.cell.col >= across)) cursor.moveTo(null);
    if (!before) {
      element.hidden = false;
      painting.now();
    }
  }

  function highlight(next) {
    highlighted = next;
    invalidate("emphasis");
  }

  function setMode(next) {
    mode = next;
    modes?.set(next);
    invalidate("data");
  }

  /** What an exported picture needs (export-image.js). */
  const picture = () => ({ name, index, kind, mode, finest: options.finest, grid, cell: options.cell, axes: { row: rowAxis && t(rowAxis), col: colAxis && t(colAxis) }, colours: palette(element) });

  function destroy() {
    for (const end of endings) end();
    element.remove();
  }

  return { element, update, highlight, setMode, picture, destroy };
}
