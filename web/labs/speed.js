// The speed lab's pictures. Every number comes from the result of seeformer.labs.speed.run(); nothing is computed here.
import { h, say } from "../core/dom.js";
import { number } from "../core/format.js";
import { createListing } from "../core/lab/listing.js";
import { product, sum } from "../core/lab/reading.js";
import { entry } from "../core/lab/slice.js";
import { arrow, createStage, sign } from "../core/lab/stage.js";
import { t } from "../core/text.js";
import { speeds } from "./speed-chart.js";

const W = "labs.speed";

const controls = [
  { name: "N", kind: "range", min: 16, max: 1024, scale: "doubling" },
  { name: "dtype", kind: "choice", options: ["float32", "float64"] },
  { name: "tile", kind: "range", min: 1, max: 12 },
  { name: "step", kind: "range", min: 1, max: 24 },
];

const formula = ({ N, flops, rows, columns }) => [
  "C = A B,\\quad C_{ij} = \\textstyle\\sum_k A_{ik} B_{kj}",
  `N = ${N}:\\ 2 N^3 = ${number(flops, 4)}`,
  `C_{${rows} \\times ${columns}} \\mathrel{+}= A_{${rows} \\times 1}\\, B_{1 \\times ${columns}}`,
];

const touched = (name, rows, columns) => ({ name: `${name}_touched`, kind: "weights", mode: "auto", modes: [], cell: 7, maxWidth: 240, rowAxis: `${W}.axes.${rows}`, colAxis: `${W}.axes.${columns}` });
const lines = (name) => ({ name, caption: h("span", { text: [`${W}.lies.${name}`] }), rows: `${name}_lines`, kind: "weights", mode: "auto", modes: [], cell: 12, maxWidth: 300, rowAxis: `${W}.axes.line`, colAxis: `${W}.axes.place` });

const LINES = ["before", "after"];

/** A cell of C, its row of A and its column of B; what A or B gives to C. */
function related({ name, row, col }) {
  const [matrix] = name.split("_");
  if (LINES.includes(name)) return [{ name, row }];
  if (matrix === "C") return [{ name: "A_touched", row }, { name: "B_touched", col }, { name: "C_touched", cells: [[row, col]] }, { name: "C", cells: [[row, col]] }];
  if (matrix === "A") return [{ name, row, col, cells: [[row, col]] }, { name: "B_touched", row: col }, { name: "C_touched", row }, { name: "C", row }];
  return [{ name, row, col, cells: [[row, col]] }, { name: "A_touched", col: row }, { name: "C_touched", col }, { name: "C", col }];
}

/** The arithmetic of a cell, as pieces for the reading line. */
function arithmetic({ name, row, col, value }, values) {
  const at = (array, ...where) => entry(values[array], ...where);
  const term = (m) => product(at("A", row, m), at("B", m, col));
  if (name === "C") {
    const count = at("C_steps", row, col);
    return [count ? sum(count, term) : t(`${W}.reading.notYet`), number(value)];
  }
  if (name === "C_touched" && value) return [t(`${W}.reading.adds`, { product: term(values.step - 1) })];
  const level = t(`${W}.reading.levels.${value}`);
  if (LINES.includes(name) || name === "C_touched") return [level];
  const [matrix] = name.split("_");
  return [number(at(matrix, row, col)), value === 2 ? t(`${W}.reading.used`, { count: matrix === "A" ? values.columns : values.rows }) : level];
}

function title({ name, row, col }, values) {
  if (LINES.includes(name)) return t(`${W}.reading.line`, { line: values[`${name}_lines`][row], place: col + 1 });
  return t(`${W}.reading.entry`, { name: name.split("_")[0], row: row + 1, column: col + 1 });
}

/** What a table of the work says: [key, amount]. */
const work = (values) => [
  ["flops", number(values.flops, 4)],
  ["bytes", t(`${W}.work.bytesOf`, { megabytes: number(values.megabytes, 3) })],
  ["tiles", `${values.tiles_down} × ${values.tiles_across}`],
  ["step", t(`${W}.work.stepOf`, { loads: values.step_loads, flops: values.step_flops })],
  ["reuse", t(`${W}.work.reuseOf`, { flops: number(values.flops_a_load, 3) })],
  ["registers", t(`${W}.work.registersOf`, { sums: values.sums, B: values.of_B, lanes: values.lanes })],
];

/** What the bars say, in a sentence or two. */
function told({ turn, reason, times, percent, stock_rows, N }) {
  if (!turn) return [["press"]];
  const partly = stock_rows < N ? [["partly", { rows: stock_rows, N }]] : [];
  if (reason) return [["refused", { reason }], ...partly];
  return [["result", { times: number(times, 3), percent: number(percent, 3) }], ...partly];
}

function view(root, { hover, showCode }) {
  const stage = createStage(root, { words: W, related, read: (cell, values) => ({ title: title(cell, values), steps: arithmetic(cell, values) }), hover, showCode });
  const said = h("div", { class: "measured", role: "status" });
  const table = h("tbody");
  const place = h("p", { class: "help" });
  const listing = createListing([`${W}.sections.source`]);
  build();

  function build() {
    const { section, lay } = stage;
    lay(section("measured", said), speeds);
    lay(section("tile", place), touched("A", "i", "k"), sign("·"), touched("B", "k", "j"), arrow("+="), touched("C", "i", "j"),
      { name: "C", kind: "signed", cell: 7, maxWidth: 240, rowAxis: `${W}.axes.i`, colAxis: `${W}.axes.j` });
    section("work", h("table", { class: "figures" }, table));
    lay(section("packing"), lines("before"), arrow("pack_strip"), lines("after"));
    section("source", listing.element);
  }

  return {
    update(values) {
      said.replaceChildren(...told(values).map(([key, vars]) => h("p", { class: "told", text: [`${W}.measured.${key}`, vars] })));
      say(place, "text", `${W}.place`, values);
      table.replaceChildren(...work(values).map(([key, amount]) => h("tr", { dataset: { work: key } }, h("th", { scope: "row", text: [`${W}.work.${key}`] }), h("td", {}, amount))));
      listing.update(Object.fromEntries(values.files.map((file, at) => [file, values.sources[at]])), { [values.files[0]]: values.innermost.map(Number) });
      stage.update(values);
      stage.claim(null);
    },
    pictures: stage.pictures,
    destroy: stage.clear,
  };
}

export default { id: "speed", order: 130, cover: "C", pressed: { measure: true }, controls, formula, view };
