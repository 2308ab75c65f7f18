// The BERT lab's pictures. Every number comes from the result of seeformer.labs.bert.run(); nothing is computed here.
import { isRandom } from "../core/checkpoint/is-random.js";
import { h, say } from "../core/dom.js";
import { number } from "../core/format.js";
import { comfortable } from "../core/heatmap/fit.js";
import { candidates } from "../core/lab/candidates.js";
import { lensTable } from "../core/lab/lens-table.js";
import { allHeads, headPictures, isOfHead } from "../core/lab/one-head.js";
import { pairwise, signed, weighty } from "../core/lab/pictures.js";
import { at } from "../core/lab/slice.js";
import { arrow, createStage, modeSwitch, sign } from "../core/lab/stage.js";
import { tokenStrip } from "../core/lab/token-strip.js";
import { tokenText } from "../core/lab/token-text.js";
import { join } from "../core/lab/tokens.js";
import { related, steps, title } from "./bert-reading.js";

const W = "labs.bert";
const ROUNDING = 0.001; // of a difference of weights: a smaller one is pale

const controls = [
  { name: "tokens", kind: "tokens", max: 24 },
  { name: "second", kind: "tokens", max: 24 },
  { name: "vocabulary", kind: "tokens", max: 128, when: isRandom },
  { name: "spread", kind: "range", min: 0.02, max: 0.6, step: 0.01, when: isRandom },
  { name: "num_layers", kind: "range", min: 1, max: 6, when: isRandom },
  { name: "num_heads", kind: "range", min: 1, max: 8, when: isRandom },
  { name: "d_model", kind: "range", min: 8, max: 64, step: 8, when: isRandom },
  { name: "padding", kind: "range", min: 0, max: 8 },
  { name: "seed", kind: "range", min: 0, max: 99, when: isRandom },
];

const actions = [
  { id: "reseed", when: isRandom, apply: ({ seed }) => ({ seed: (seed + 1) % 100 }) },
  { id: "wake", when: ({ ablated }) => ablated.length > 0, apply: () => ({ ablated: [] }) },
  { id: "unhide", when: ({ hidden }) => hidden.length > 0, apply: () => ({ hidden: [] }) },
];

const formula = ({ num_layers, num_heads, n, d_model, d_k, vocab_size, parameters, texts }) => [
  "x = \\operatorname{LN}(E_{\\text{word}} + E_{\\text{segment}} + E_{\\text{position}}),\\quad h = \\operatorname{Encoder}(x)" + (texts ? ",\\quad p_i = \\operatorname{softmax}\\big(\\operatorname{head}(h_i)\\,E_{\\text{word}}^\\top + b\\big)" : ""),
  `L = ${num_layers},\\ h = ${num_heads},\\ n = ${n},\\ d = ${d_model},\\ d_k = ${d_k},\\ V = ${vocab_size},\\ |\\theta| = ${parameters}`,
];

const headName = ({ layer, head }) => `encoder.${layer}.self.${head}`;
const toggled = (list, item) => (list.includes(item) ? list.filter((each) => each !== item) : [...list, item]);
const silencedOf = ({ silenced }) => Array.from({ length: silenced.shape[0] }, (_, row) => [...at(silenced, row).data]);
const everyHead = ({ num_layers, num_heads }) =>
  Array.from({ length: num_layers * num_heads }, (_, place) => headName({ layer: Math.floor(place / num_heads), head: place % num_heads }));

function claimed({ texts, best, even, vocab_size }, params) {
  if (isRandom(params)) return ["random", { best: number(best, 2), even: number(even, 2), vocab_size }];
  return texts ? null : ["noHead"];
}

function view(root, { change, hover, showCode }) {
  let shown = null; // [values, params]
  let built = null;
  let mode = "unit";

  // What the lab shows under a short name, the trace has under that of its place in the model.
  function traced(name) {
    if (name === null || !shown) return name;
    return isOfHead(name) && name !== "weights" ? `encoder.${shown[0].layer}.self.${name === "attention" ? "weights" : name}` : name;
  }
  const stage = createStage(root, {
    words: W, related, read: (cell, values) => ({ title: title(cell, values), steps: steps(cell, values) }),
    hover: (name) => hover(traced(name)), showCode: (name) => showCode(traced(name)),
  });

  const button = (press, text) => h("button", { type: "button", class: "button", text, on: { click: () => change(press(...shown)) } });
  const toggle = (list) => ({ place }, params) => ({ [list]: toggled(params[list], String(place)), position: place + 1 });
  const look = (place) => change({ position: place + 1 });
  const tokens = tokenStrip({ label: [`${W}.sections.tokens`], onChoose: look });
  const [cover, hide] = ["blanks", "hidden"].map((list) => button(toggle(list)));
  const guess = h("p", { class: "told" });
  const guesses = candidates({ label: [`${W}.guess.list`] });
  const moved = h("p", { class: "told" });
  const compared = candidates({ label: [`${W}.changed.list`] });
  const changed = h("div", {}, h("h4", { text: [`${W}.changed.title`] }), moved, compared.element);
  const headTitle = h("h4");
  const silence = button((values, { ablated }) => ({ ablated: toggled(ablated, headName(values)) }));
  const silenceAll = button((values) => ({ ablated: everyHead(values) }), [`${W}.head.silenceAll`]);
  const lens = lensTable({ label: [`${W}.sections.lens`], onChoose: look });

  function setMode(chosen) {
    mode = chosen;
    stage.setMode(mode);
  }

  function build({ n, texts, attention_before, effects, reach, reach_gpt, unreached, pooled }) {
    const { section, lay } = stage;
    const cell = n <= 4 ? undefined : Math.min(16, comfortable(n));
    const wide = (name) => signed(name, { cell, maxWidth: 290 });
    const pair = (name, options) => weighty(name, undefined, { cell, mode, ...options });
    stage.clear();
    section("tokens", tokens.element, h("div", { class: "row-actions" }, cover, hide));
    if (texts) section("guess", h("div", { class: "beside" }, h("div", {}, guess, guesses.element), changed));

    const all = section("heads", modeSwitch(mode, setMode));
    lay(all, allHeads({ mode, silenced: silencedOf, onChoose: ({ layer, head }) => change({ layer: layer + 1, head: head + 1 }) }));
    const one = h("div", { class: "flow" });
    all.after(h("div", { class: "head-actions" }, headTitle, silence, silenceAll), one);
    lay(one, ...headPictures({ cell, mode }));
    if (attention_before) {
      lay(section("rescaled"), pair("attention_before"), arrow("/ Σ"), pair("renormalised"));
      lay(section("deeper"), pair("attention", { copy: true }), sign("−"), pair("renormalised", { copy: true }), sign("="), pairwise("difference", undefined, { cell, finest: ROUNDING }));
    }

    lay(section("token"),
      { name: "reads", kind: "weights", mode, modes: [], rows: "reads_names", cols: "tokens", rowAxis: `${W}.axes.heads`, colAxis: "heatmap.key", cell: 15, maxWidth: 460 },
      { name: "stream", kind: "signed", rows: "stream_names", rowAxis: `${W}.axes.layers`, cell: 16, maxWidth: 460 });
    if (texts) section("lens", lens.element);
    if (effects) lay(section("effects"), { name: "effects", kind: "weights", mode: "auto", modes: [], cell: 40, rows: "layer_names", cols: "head_names", rowAxis: `${W}.axes.layers`, colAxis: "multiples.head" });
    const reached = { kind: "weights", mode: "auto", modes: [], cell, rowAxis: `${W}.axes.moved`, colAxis: `${W}.axes.changed` };
    if (reach_gpt) lay(section("reach"), pairwise("reach", undefined, reached), pairwise("reach_gpt", undefined, reached));
    else if (reach) lay(section("reachAlone"), pairwise("reach", undefined, reached));
    else section("reachNone", h("p", { class: "told", text: [`${W}.unreached.${unreached}`] }));
    lay(section("input"), wide("word"), sign("+"), wide("segment"), sign("+"), wide("positions"), sign("="), wide("sum"), arrow("norm"), wide("embedding"));
    if (pooled) lay(section("pooled"), { name: "cls", kind: "signed", cell: 12, maxWidth: 460 }, arrow("tanh(· W + b)"), { name: "pooled", kind: "signed", cell: 12, maxWidth: 460 });
  }

  function tellGuess({ tokens: names, covered, place, original, texts, probabilities }) {
    const open = !covered.data.includes(place);
    say(guess, "text", `${W}.guess.${open ? "open" : "covered"}`, { token: tokenText(names[place]), place: place + 1, original: tokenText(original) });
    guesses.update({ texts, probabilities: probabilities.data, chosen: original });
  }

  function tellChange({ moved: share, original, compared_texts: texts, compared_before, compared_after, compared_top_before, compared_top_after }) {
    changed.hidden = !texts;
    if (!texts) return;
    const same = compared_top_before === compared_top_after;
    say(moved, "text", `${W}.changed.${same ? "same" : "other"}`, { share: number(share, 3), before: tokenText(compared_top_before), after: tokenText(compared_top_after) });
    compared.update({ texts, before: compared_before.data, probabilities: compared_after.data, chosen: original });
  }

  function tellButtons({ tokens: names, covered, hidden_tokens, place, original, layer, head, written, unreached }, { ablated }) {
    const isFilling = place >= written;
    say(cover, "text", `${W}.${covered.data.includes(place) ? "uncover" : "cover"}`, { token: tokenText(original) });
    say(hide, "text", `${W}.${hidden_tokens.data.includes(place) ? "show" : "hide"}`, { token: tokenText(names[place]) });
    hide.disabled = isFilling;
    cover.disabled = isFilling || unreached === "mask";
    say(headTitle, "text", "multiples.at", { layer: layer + 1, head: head + 1 });
    say(silence, "text", `${W}.head.${ablated.includes(headName({ layer, head })) ? "wake" : "silence"}`);
  }

  function draw(values, params) {
    shown = [values, params];
    const form = JSON.stringify([values.n, values.unreached, ...["texts", "attention_before", "effects", "reach_gpt", "pooled"].map((name) => name in values)]);
    if (form !== built) build(values);
    built = form;
    const unseen = [...values.mask.data.keys()].filter((place) => values.mask.data[place] === -Infinity);
    tokens.update({ tokens: values.tokens, ids: values.ids.data, chosen: values.place, hidden: unseen });
    if (values.texts) tellGuess(values);
    tellChange(values);
    tellButtons(values, params);
    if (values.texts) lens.update({ tokens: values.tokens, texts: values.lens_texts, probabilities: values.lens_probabilities, chosen: values.place });
    stage.update(values);
    stage.claim(claimed(values, params));
  }

  return { update: draw, pictures: stage.pictures, destroy: stage.clear };
}

// Both sentences, laid out by the tokenizer, and the first alone: where the second begins.
const encode = { ids: ({ tokens, second }) => (second.length ? [join(tokens), join(second)] : join(tokens)), first_ids: ({ tokens }) => join(tokens) };
const checkpoint = { families: ["bert"], encode };

export default { id: "bert", order: 90, cover: "attention", checkpoint, controls, actions, formula, view };
