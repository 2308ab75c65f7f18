// The table: four models side by side, a row for each question one asks of them.
import { h, say } from "../core/dom.js";
import { candidates } from "../core/lab/candidates.js";
import { pairwise, weighty } from "../core/lab/pictures.js";
import { sideBySide } from "../core/lab/side-by-side.js";
import { tokenText } from "../core/lab/token-text.js";
import { hasText } from "../core/text.js";
import { chips } from "./family-chips.js";
import { flow } from "./family-flow.js";
import { MODELS, nameOf, OF, openedKey, sides, STACKS } from "./family-names.js";

const W = "labs.family";
const ROWS = ["task", "input", "flow", "mask", "weights", "predict"];
// Three attentions stand as the blocks of one matrix, queries down and keys across; labels that a neighbour has are not repeated.
const QUADRANTS = { encoder: "1 / 1", cross: "2 / 1", decoder: "2 / 2" };
const BARE = { cross: "columns", decoder: "both" };
const [ROOM, ROOMY] = [186, 142]; // CSS px: of a picture in its cell, and of one that has another beside it

const box = (kind, ...children) => h("div", { class: kind }, children);
const isText = (model) => model !== "vit";
const help = (row) => hasText(`${W}.rows.${row}Help`) && [`${W}.rows.${row}Help`];

/** One element as it is; several in their quadrants. */
function inBlocks(all, elements, ...more) {
  if (all.length === 1) return elements[0];
  elements.forEach((element, at) => (element.style.gridArea = QUADRANTS[all[at]]));
  return box("compare-blocks", ...elements, ...more);
}

/** Builds one model's column; returns what update() and lay() fill. */
function column(table, model) {
  const all = OF[model];
  const rooms = (row) => Object.fromEntries(all.map((which) => [`${row}.${which}`, h("div", { class: "compare-pictures", dataset: { bare: BARE[which] ?? "" } })]));
  const told = () => h("p", { class: "compare-told" });
  const [mask, weights] = [rooms("mask"), rooms("weights")];
  const made = {
    task: told(), given: box("chips"), drawing: box("compare-flow"), asked: told(), arriving: box("chips"),
    bars: candidates({ label: [`${W}.table.candidates`] }), rooms: { ...mask, ...weights, input: box("compare-pictures"), predict: box("compare-pictures") },
  };
  table.plain("task", model, made.task);
  table.part("input", model, `input.${model}`, made.given, made.rooms.input);
  table.part("flow", model, `flow.${model}`, made.drawing);
  table.part("mask", model, `mask.${model}`, inBlocks(all, Object.values(mask), h("small", { text: [`${W}.table.never`] })));
  const parts = all.map((which) => table.part("weights", model, `weights.${which}`, weights[`weights.${which}`]));
  table.plain("weights", model, inBlocks(all, parts));
  table.part("predict", model, `predict.${model}`, made.asked, made.arriving, made.rooms.predict, made.bars.element);
  return made;
}

/** stage; onOpen(cell). -> { element, lay(values), update(values) } */
export function createTable(stage, onOpen) {
  const names = Object.fromEntries(MODELS.map((model) => [model, h("b")]));
  const table = sideBySide({
    label: [`${W}.table.label`], corner: [`${W}.table.corner`], name: (model) => [`${W}.models.${model}.short`],
    columns: Object.fromEntries(MODELS.map((model) => [model, [names[model], h("span", { text: [`${W}.models.${model}.kind`] })]])),
    rows: Object.fromEntries(ROWS.map((row) => [row, [[`${W}.rows.${row}`], help(row)]])),
    onOpen,
  });
  const columns = Object.fromEntries(MODELS.map((model) => [model, column(table, model)]));

  /** Puts the pictures in. */
  function lay(values) {
    for (const model of MODELS) {
      const { rooms } = columns[model];
      const several = OF[model].length > 1;
      for (const which of OF[model]) {
        const [rows, cols] = Object.values(sides(which));
        const cell = Math.min(several ? 10 : 18, (several ? 0.4 * ROOMY : 0.8 * ROOM) / Math.max(values[rows].length, values[cols].length));
        const options = { rows, cols, rowAxis: undefined, colAxis: undefined, maxWidth: several ? ROOMY : ROOM, cell };
        stage.lay(rooms[`mask.${which}`], pairwise(`mask_${which}`, undefined, { ...options, caption: several && h("span", { text: [`${W}.attentions.${which}`] }) }));
        stage.lay(rooms[`weights.${which}`], weighty(`weights_${which}`, undefined, options));
      }
    }
    const { input, predict } = columns.vit.rooms;
    stage.lay(input, { name: "picture", kind: "picture", modes: [], maxWidth: 120, cell: 96 / values.picture.shape[0] });
    stage.lay(predict, { name: "told_vit", kind: "weights", mode: "auto", modes: [], maxWidth: 120, cell: 24 });
  }

  function tellButtons(model, values) {
    const about = { name: nameOf(model, values), layer: values.layer + 1, head: values.head + 1 };
    const shape = (lists) => lists.map((name) => values[name].shape.join("×")).join(" + ");
    const stacks = STACKS[model].map((stack) => values[`${stack}_shape_${model}`]).join(" + ");
    const tell = (row, which, said, key = "open") => table.told(`${row}.${which}`, `${W}.table.${key}`, { shape: said }, [`${W}.opened.${openedKey(row, which)}`, about]);
    tell("input", model, stacks);
    tell("flow", model, stacks);
    tell("mask", model, shape(OF[model].map((which) => `mask_${which}`)));
    for (const which of OF[model]) tell("weights", which, shape([`weights_${which}`]), which in QUADRANTS ? which : "open");
    tell("predict", model, shape([`moved_${model}`]));
  }

  function update(values) {
    for (const model of MODELS) {
      const of = (name) => values[`${name}_${model}`];
      const { task, given, drawing, asked, arriving, bars } = columns[model];
      say(names[model], "text", `${W}.models.${model}.name`, { style: values.style.toUpperCase() });
      say(task, "text", `${W}.models.${model}.task`, { parameters: of("parameters").toLocaleString("en") });
      if (isText(model)) given.replaceChildren(...chips(model, values));
      if (isText(model)) arriving.replaceChildren(...chips(model, values, { dependent: true }));
      drawing.replaceChildren(flow(model, values));
      say(asked, "text", `${W}.predicts.${model}`, { answer: tokenText(of("answer")), arriving: of("arriving"), inputs: of("inputs").length });
      bars.update({ texts: of("texts"), probabilities: of("shares").data, chosen: of("answer") });
      tellButtons(model, values);
    }
    table.mark(values.cell);
  }

  return { element: table.element, lay, update };
}
