// The picture for those who do not see it: the same numbers as a table, up to 32 × 32; beyond, a sentence about them.
import { h, write } from "../dom.js";
import { extent } from "./extent.js";
import { number } from "../format.js";
import { whenIdle } from "../idle.js";
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
  write(table.caption, name);
  [...table.tHead.rows[0].cells].slice(1).forEach((cell, col) => write(cell, colNames?.[col] ?? col));
  [...table.tBodies[0].rows].forEach((line, row) => {
    write(line.cells[0], rowNames?.[row] ?? row);
    for (let col = 0; col < cols; col++) write(line.cells[col + 1], spoken(data[row * cols + col], DIGITS));
  });
}

export function summary(name, grid) {
  const [rows, cols] = grid.shape;
  const { min, max, hidden, nan, infinite } = extent(grid);
  const range = min <= max ? t("heatmap.summary.range", { min: number(min, DIGITS), max: number(max, DIGITS) }) : t("heatmap.summary.none");
  const special = Object.entries({ hidden, nan, infinite }).filter(([, count]) => count).map(([kind, count]) => t(`heatmap.summary.${kind}`, { count }));
  return [t("heatmap.summary.shape", { name, rows, cols }), range, ...special].join(" ");
}

const PAUSE = 250; // ms without a new grid

/** Written when the values rest and the browser is idle, so that a slider stays smooth. */
export function tableTwin() {
  const element = h("div", { class: "sr-only" });
  let [next, shown, timer] = [null, "", 0];

  function fillIn() {
    if (!next) return; // asked for anew while it waited, and written then
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
      next = { name, grid };
      clearTimeout(timer);
      timer = setTimeout(() => whenIdle(fillIn), PAUSE);
    },
  };
}
