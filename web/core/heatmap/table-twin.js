// The picture for those who do not see it: the same numbers as a table, up to 32 × 32; beyond, a sentence about them.
import { h } from "../dom.js";
import { extent } from "./extent.js";
import { number } from "../format.js";
import { t } from "../text.js";

export const MOST = 32;
const DIGITS = 4;

/** Values that have no digits are said in words. */
export const spoken = (value, digits) =>
  Number.isFinite(value) ? number(value, digits)
  : t(value === -Infinity ? "heatmap.hidden" : Number.isNaN(value) ? "heatmap.nan" : "heatmap.infinite");

const header = (scope) => h("th", { scope });

function build(rows, cols) {
  const head = h("tr", {}, h("td"), Array.from({ length: cols }, () => header("col")));
  const body = Array.from({ length: rows }, () => h("tr", {}, header("row"), Array.from({ length: cols }, () => h("td"))));
  return h("table", {}, h("caption"), h("thead", {}, head), h("tbody", {}, body));
}

function fill(table, name, { data, shape: [, cols], rows: rowNames, cols: colNames }) {
  table.caption.textContent = name;
  [...table.tHead.rows[0].cells].slice(1).forEach((cell, col) => (cell.textContent = colNames?.[col] ?? col));
  [...table.tBodies[0].rows].forEach((line, row) => {
    line.cells[0].textContent = rowNames?.[row] ?? row;
    for (let col = 0; col < cols; col++) line.cells[col + 1].textContent = spoken(data[row * cols + col], DIGITS);
  });
}

export function summary(name, grid) {
  const [rows, cols] = grid.shape;
  const { min, max, hidden, nan, infinite } = extent(grid);
  const range = min <= max ? t("heatmap.summary.range", { min: number(min, DIGITS), max: number(max, DIGITS) }) : t("heatmap.summary.none");
  const special = Object.entries({ hidden, nan, infinite }).filter(([, count]) => count).map(([kind, count]) => t(`heatmap.summary.${kind}`, { count }));
  return [t("heatmap.summary.shape", { name, rows, cols }), range, ...special].join(" ");
}

/** Written when the browser is idle, so that a slider stays smooth; the newest grid always gets its turn. */
export function tableTwin() {
  const element = h("div", { class: "sr-only" });
  const later = window.requestIdleCallback ? (run) => requestIdleCallback(run, { timeout: 500 }) : (run) => setTimeout(run, 60);
  let [next, shown] = [null, ""];

  function write() {
    const { name, grid } = next;
    next = null;
    const [rows, cols] = grid.shape;
    if (Math.max(rows, cols) > MOST) {
      element.replaceChildren(h("p", {}, summary(name, grid)));
      shown = "";
      return;
    }
    if (shown !== `${rows} ${cols}`) element.replaceChildren(build(rows, cols));
    shown = `${rows} ${cols}`;
    fill(element.firstChild, name, grid);
  }

  return {
    element,
    update(name, grid) {
      if (!next) later(write);
      next = { name, grid };
    },
  };
}
