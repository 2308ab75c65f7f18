// The pictures of the block on show: what it read, what it made of it, its parameters, and the residual stream so far.
import { h } from "../core/dom.js";
import { number } from "../core/format.js";
import { pairwise, signed, weighty } from "../core/lab/pictures.js";
import { arrow, sign } from "../core/lab/stage.js";
import { t } from "../core/text.js";

const W = "labs.architecture";
const CELL = 16;
const ROOMY = 140; // for the weights of one head
const wide = (name, options) => signed(name, { cell: CELL, maxWidth: 300, ...options });
const words = (name, options) => wide(name, { cols: "vocabulary", rowAxis: `${W}.axes.position`, colAxis: `${W}.axes.word`, ...options });
const size = { kind: "weights", mode: "auto", modes: [] };

const PICTURES = {
  token: () => [wide("token")],
  position: () => [wide("token"), sign("+"), wide("position"), sign("="), wide("placed")],
  add: () => [wide("x"), sign("+"), wide("change"), sign("="), wide("sum")],
  norm: () => [wide("x"), signed("mean", { cell: CELL }), signed("variance", { cell: CELL, ...size }), arrow("(x − μ) / √(σ² + ε)"), wide("output")],
  ffn: () => [wide("x"), arrow("· W₁ + b₁"), wide("pre_activation", { maxWidth: 460 }), arrow("ReLU"), wide("hidden", { maxWidth: 460 }), arrow("· W₂ + b₂"), wide("output")],
  logits: () => [wide("x"), arrow("· Eᵀ"), words("logits", { kind: "signed" })],
  prediction: () => [words("logits"), arrow("softmax"), words("probabilities", { kind: "weights", modes: [] })],
};

/** Attention: all heads, then the chosen one step by step, then what they make together. */
function attention(stage, values, head, chooser) {
  const crossing = "memory" in values;
  const across = crossing ? { cols: "encoder_tokens" } : {};
  const pair = (make, name, options) => make(name, head, { cell: CELL, ...across, ...options });
  const one = (name, options) => signed(name, { index: head, cell: CELL, maxWidth: 150, ...options });
  const keys = crossing ? { rows: "encoder_tokens" } : {};
  const heads = [...Array(values.num_heads).keys()];
  const caption = (index) => chooser(index, t(`${W}.head`, { number: index + 1 }));
  const all = stage.section("heads");
  all.classList.add("heads");
  all.style.setProperty("--roomy", `${ROOMY}px`);
  stage.lay(all, ...heads.map((index) => weighty("weights", index, { cell: CELL, maxWidth: ROOMY, ...across, caption: caption(index), copy: index === head })));
  const row = stage.section("steps");
  stage.lay(row, wide("x"), crossing && wide("memory", keys), arrow("· W_Q, W_K"), one("Q"), one("K", keys), arrow("Q Kᵀ / √d_k"), pair(pairwise, "scores"));
  if (values.hidden) stage.lay(row, arrow("+ mask"), pair(pairwise, "masked"));
  stage.lay(row, arrow("softmax"), pair(weighty, "weights"), sign("·"), one("V", keys), sign("="), one("heads"));
  stage.lay(stage.section("joined"), wide("concat"), arrow("· W_O"), wide("output"));
}

/** The words it would say: the best guess at each place, and what stands there in the target. */
function guesses({ best, best_probability, expected, tokens }) {
  const head = ["position", "guess", "probability", ...(expected.length ? ["expected"] : [])];
  const cell = (word) => h("td", { translate: "no" }, word);
  return h("table", { class: "figures" },
    h("thead", {}, h("tr", {}, head.map((key) => h("th", { scope: "col", text: [`${W}.table.${key}`] })))),
    h("tbody", {}, tokens.map((token, at) => h("tr", {}, h("th", { scope: "row", translate: "no" }, token), cell(best[at]),
      h("td", { class: "amount" }, number(best_probability.data[at], 3)), expected.length > 0 && cell(expected[at])))));
}

/** Lays everything of the block. state: {head, weight}; chooser(head, words) and picker(parameter) make buttons. */
export function lay(onStage, values, { head, weight }, { chooser, picker }) {
  const there = (part) => part && (part instanceof Node || part.name in values); // an edit may have lost a see()
  const stage = { section: onStage.section, lay: (row, ...parts) => onStage.lay(row, ...parts.filter(there)) };
  const { kind, parameters } = values;
  if (["self", "cross"].includes(kind)) attention(stage, values, head, chooser);
  else stage.lay(stage.section(kind, ...(kind === "prediction" ? [guesses(values)] : [])), ...PICTURES[kind]());
  if (parameters.length) {
    const pictures = stage.section("parameters", h("div", { class: "picker" }, parameters.map(picker)));
    const shape = weight && values[weight].shape;
    if (shape) stage.lay(pictures, { name: weight, kind: "signed", maxWidth: 460, cell: shape.length === 1 || shape[1] > 64 ? undefined : 12, ...(weight === "embedding" && { rows: "vocabulary" }) });
  }
  const row = stage.section("stream");
  row.style.alignItems = "flex-start"; // the one keeps its height, the other grows
  stage.lay(row, wide("stream", { colAxis: `${W}.axes.feature` }),
    { name: "sizes", rows: "stations", cols: "tokens", cell: CELL, ...size });
}
