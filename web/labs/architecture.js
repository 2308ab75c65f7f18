// The architecture lab: a drawing of what ran, and the arrays of the block that is chosen in it. Every number comes from
// seeformer.labs.architecture.run(); nothing is computed here.
import { h } from "../core/dom.js";
import { createStage } from "../core/lab/stage.js";
import { t } from "../core/text.js";
import { blockName, drawing, placeName } from "./architecture-drawing.js";
import { named, names } from "./architecture-names.js";
import { lay } from "./architecture-panel.js";
import { arithmetic, related, title } from "./architecture-reading.js";
import { createSteps } from "./architecture-steps.js";

const W = "labs.architecture";

const controls = [
  { name: "source", kind: "tokens", max: 24, when: ({ parts }) => parts !== "decoder" },
  { name: "target", kind: "tokens", max: 24, when: ({ parts }) => parts !== "encoder" },
  { name: "parts", kind: "choice", options: ["both", "encoder", "decoder"] },
  { name: "norm", kind: "choice", options: ["post", "pre"] },
  { name: "num_layers", kind: "range", min: 1, max: 6 },
  { name: "num_heads", kind: "range", min: 1, max: 4 },
  { name: "d_model", kind: "range", min: 4, max: 64, step: 4 },
  { name: "d_ff", kind: "range", min: 4, max: 256, step: 4 },
  { name: "seed", kind: "range", min: 0, max: 99 },
];

const actions = [{ id: "reseed", apply: ({ seed }) => ({ seed: (seed + 1) % 100 }) }];

const ORDERS = { post: "x \\leftarrow \\text{LayerNorm}(x + f(x))", pre: "x \\leftarrow x + f(\\text{LayerNorm}(x))" };

function formula({ norm, parts, m, n, num_layers, num_heads, d_model, d_ff }) {
  const lengths = { both: `m = ${m},\\ n = ${n}`, encoder: `m = ${m}`, decoder: `n = ${n}` }[parts];
  return [ORDERS[norm], `N = ${num_layers},\\ h = ${num_heads},\\ d_\\text{model} = ${d_model},\\ d_\\text{ff} = ${d_ff},\\ ${lengths}`];
}

function view(root, { change, hover, showCode }) {
  const [holder, panel] = [h("div", { class: "diagram-side" }), h("div", { class: "diagram-panel" })];
  root.append(h("div", { class: "diagram-room" }, h("div", { class: "diagram-beside" }, holder, panel)));
  let [values, short, built, state] = [null, null, null, { head: 0, weight: null }];
  const full = (name) => names(values).find(([each]) => each === name)?.[1] ?? name;
  const read = (cell, then) => ({ title: title(cell, then), steps: arithmetic(cell, then) });
  const steps = createSteps({ holder, blocks: () => values.blocks, draw: (room, actions) => drawing(values, room, actions), choose: (block) => change({ block }), where });
  panel.append(steps.bar);
  const stage = createStage(panel, { words: W, related, read, hover: (name) => hover(name && full(name)), showCode: (name) => showCode(full(name)) });

  function where(name) {
    const at = values.blocks.indexOf(name);
    return t(`${W}.where`, { place: placeName(name), name: blockName(values.kinds[at]), step: at + 1, count: values.blocks.length });
  }

  const chooser = (head, words) => h("button", {
    type: "button", class: "head", "aria-pressed": String(head === state.head), dataset: { head },
    on: { click: () => (Object.assign(state, { head }), show(), panel.querySelector(`[data-head="${head}"]`)?.focus()) },
  }, words);

  function picker(parameter) {
    const name = names(values).find(([, each]) => each === parameter)[0];
    const weight = name === state.weight ? null : name;
    const words = `${name} ${values[parameter].shape.join("×")}`;
    return h("button", {
      type: "button", class: "head", translate: "no", "aria-pressed": String(name === state.weight), dataset: { weight: name },
      on: { click: () => (Object.assign(state, { weight }), show(), panel.querySelector(`[data-weight="${name}"]`)?.focus()) },
    }, words);
  }

  function show() {
    short = named(values);
    const { block, tokens, encoder_tokens, vocabulary, parameters, num_heads, d_model, d_ff, hidden } = values;
    if (state.head >= num_heads) state.head = 0;
    if (!parameters.some((name) => name.endsWith(state.weight))) state.weight = null;
    const form = JSON.stringify([block, tokens, encoder_tokens, vocabulary, num_heads, d_model, d_ff, hidden, state, document.documentElement.lang]);
    if (form !== built) {
      stage.clear();
      lay(stage, short, state, { chooser, picker });
    }
    built = form;
    stage.update(short);
    stage.claim(["random", { count: values.total.toLocaleString("en") }]);
  }

  return {
    update(result, params) {
      values = result;
      steps.update(values.block, params.block);
      show();
    },
    pictures: stage.pictures,
    destroy: () => (steps.destroy(), stage.clear()),
  };
}

export default { id: "architecture", order: 70, cover: "stream", controls, actions, formula, view };
