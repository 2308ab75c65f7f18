// The value of the current cell: shown to the eye at once, said to a screen reader only after keys, and only where they stop.
import { h, mark, write } from "../dom.js";
import { number } from "../format.js";
import { spoken } from "./table-twin.js";
import { t } from "../text.js";

const PAUSE = 150; // ms: holding an arrow key announces the cell it stops at

export function readout() {
  const place = h("span");
  const value = h("b");
  const live = h("span", { class: "sr-only", role: "status", "aria-live": "polite" });
  const element = h("div", { class: "heatmap-readout" }, h("p", { "aria-hidden": "true" }, place, " ", value), live);
  let timer = 0;

  const labelOf = (labels, index) => labels?.[index] ?? String(index);

  return {
    element,
    show(grid, cell) {
      mark(element, "data-empty", !cell);
      const both = cell && (grid.rows || grid.cols);
      write(place, !cell ? "" : both ? `${labelOf(grid.rows, cell.row)} → ${labelOf(grid.cols, cell.col)}` : `[${cell.row}, ${cell.col}]`);
      write(value, cell ? number(grid.data[cell.row * grid.shape[1] + cell.col]) : "");
    },
    announce(grid, cell) {
      clearTimeout(timer);
      if (!cell) return void (live.textContent = "");
      timer = setTimeout(() => {
        const { row, col } = cell;
        const words = { row: labelOf(grid.rows, row), col: labelOf(grid.cols, col), value: spoken(grid.data[row * grid.shape[1] + col]) };
        live.textContent = t("heatmap.announce", words);
      }, PAUSE);
    },
    stop: () => clearTimeout(timer),
  };
}
