// The family lab: four models in one table, and the arrays of the cell that is open. Every number comes from the result of
// seeformer.labs.family.run(); nothing is computed here.
import { h, say } from "../core/dom.js";
import { isOfHead } from "../core/lab/one-head.js";
import { createStage } from "../core/lab/stage.js";
import { tokenStrip } from "../core/lab/token-strip.js";
import { attentionOf, MODEL_OF, MODELS, nameOf, openAttention, openedKey, sides } from "./family-names.js";
import { opened } from "./family-open.js";
import { related, steps, title } from "./family-reading.js";
import { createTable } from "./family-table.js";

const W = "labs.family";

const controls = [
  { name: "tokens", kind: "tokens", max: 12 },
  { name: "vocabulary", kind: "tokens", max: 64 },
  { name: "style", kind: "choice", options: ["bart", "t5"] },
  { name: "layer", kind: "range", min: 1, max: ({ num_layers }) => num_layers },
  { name: "head", kind: "range", min: 1, max: ({ num_heads }) => num_heads },
  { name: "num_layers", kind: "range", min: 1, max: 4 },
  { name: "num_heads", kind: "range", min: 1, max: 8 },
  { name: "d_model", kind: "range", min: 8, max: 64, step: 8 },
  { name: "spread", kind: "range", min: 0.02, max: 0.6, step: 0.01 },
  { name: "seed", kind: "range", min: 0, max: 99 },
  { name: "picture", kind: "picture", sizes: [8, 16] },
];

const actions = [{ id: "reseed", apply: ({ seed }) => ({ seed: (seed + 1) % 100 }) }];

function formula({ num_layers, num_heads, d_model, d_k }) {
  return [
    "\\text{weights} = \\operatorname{softmax}\\big(QK^\\top \\cdot \\text{scale} + \\text{mask}\\big),\\quad R_{l} = R_{l-1} \\lor \\big(\\text{mask}_{l} \\ne -\\infty\\big)\\,R_{l-1}",
    `L = ${num_layers},\\ h = ${num_heads},\\ d = ${d_model},\\ d_k = ${d_k}`,
  ];
}

/** The name that the trace has for an array of the lab. */
function traced(name, values) {
  const found = attentionOf(name) ?? (isOfHead(name) && [name === "attention" ? "weights" : name, openAttention(values)]);
  if (!found) return name;
  const [what, which] = found;
  const stack = sides(which).rows.split("_")[0];
  return `${MODEL_OF[which]}.${stack}.${values.layer}.${which === "cross" ? "cross" : "self"}.${what === "mask" ? "masked" : what}`;
}

function view(root, { change, hover, showCode }) {
  let [values, built, shown] = [null, null, null];
  let maps = []; // of the cell that is open
  let asked = false; // a reader has just opened it
  const stage = createStage(root, {
    words: W, related, read: (cell, then) => ({ title: title(cell, then), steps: steps(cell, then) }),
    hover: (name) => hover(name && traced(name, values)), showCode: (name) => showCode(traced(name, values)),
  });
  const question = tokenStrip({ label: [`${W}.sections.question`], onChoose: (place) => change({ position: place + 1 }) });
  const heading = h("h4");
  const panel = h("div", { class: "compare-panel", role: "region", "aria-labelledby": "family-open" });
  heading.id = "family-open";
  let table = null;

  function open(cell) {
    asked = true;
    change({ cell });
  }

  function build() {
    stage.clear();
    table = createTable(stage, open);
    stage.section("question", question.element);
    stage.section("table", table.element);
    stage.section("open", heading, panel);
    table.lay(values);
    [maps, shown] = [[], null];
  }

  /** The pictures of the open cell alone: those of the table stay. */
  function fill() {
    for (const map of maps) stage.remove(map);
    maps = [];
    panel.replaceChildren();
    for (const [row, parts] of opened(values, change)) {
      panel.append(row);
      for (const part of parts.filter(Boolean)) part instanceof Node ? row.append(part) : maps.push(stage.add(row, part));
    }
  }

  function tellOpen() {
    const [row, which] = values.cell.split(".");
    say(heading, "text", `${W}.opened.${openedKey(row, which)}`, { name: nameOf(MODEL_OF[which] ?? which, values), layer: values.layer + 1, head: values.head + 1 });
  }

  return {
    update(result) {
      values = result;
      const lengths = MODELS.flatMap((model) => [values[`inputs_${model}`].length, values[`outputs_${model}`].length]);
      const form = JSON.stringify([lengths, values.picture.shape, values.style]);
      if (form !== built) build();
      built = form;
      const open = JSON.stringify([form, values.cell, values.num_layers, values.terms]);
      if (open !== shown) fill();
      shown = open;
      question.update({ tokens: values.words, chosen: values.at });
      table.update(values);
      tellOpen();
      stage.update(values);
      stage.claim(["random"]);
      if (asked) heading.scrollIntoView({ block: "nearest" });
      asked = false;
    },
    pictures: stage.pictures,
    destroy: stage.clear,
  };
}

export default { id: "family", order: 80, cover: "attention", controls, actions, formula, view };
