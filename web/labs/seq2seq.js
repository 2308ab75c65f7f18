// The seq2seq lab's pictures. Every number comes from the result of seeformer.labs.seq2seq.run(); nothing is computed here.
import { isRandom } from "../core/checkpoint/is-random.js";
import { h, say } from "../core/dom.js";
import { number } from "../core/format.js";
import { comfortable } from "../core/heatmap/fit.js";
import { candidates } from "../core/lab/candidates.js";
import { lensTable } from "../core/lab/lens-table.js";
import { allHeads, headPictures, isOfHead } from "../core/lab/one-head.js";
import { pairwise, weighty } from "../core/lab/pictures.js";
import { at } from "../core/lab/slice.js";
import { arrow, createStage, modeSwitch, sign } from "../core/lab/stage.js";
import { tokenStrip } from "../core/lab/token-strip.js";
import { tokenText } from "../core/lab/token-text.js";
import { createForcing } from "./seq2seq-forcing.js";
import { ATTENTIONS, related, sides, steps, title } from "./seq2seq-reading.js";
import { createWriting } from "./seq2seq-writing.js";

const W = "labs.seq2seq";
const by = (method) => (params) => params.method === method;

const controls = [
  { name: "source", kind: "text", max: 64 },
  { name: "target", kind: "text", max: 64 },
  { name: "style", kind: "choice", options: ["bart", "t5"], when: isRandom },
  { name: "feed_forward", kind: "choice", options: ["relu", "gated-gelu"], when: (params) => isRandom(params) && params.style === "t5" },
  { name: "sharpness", kind: "range", min: 0, max: 4, step: 0.1, when: isRandom },
  { name: "num_layers", kind: "range", min: 1, max: 4, when: isRandom },
  { name: "num_heads", kind: "range", min: 1, max: 8, when: isRandom },
  { name: "d_model", kind: "range", min: 8, max: 96, step: 8, when: isRandom },
  { name: "seed", kind: "range", min: 0, max: 99, when: isRandom },
  { name: "method", kind: "choice", options: ["greedy", "sampled", "beam"] },
  { name: "num_beams", kind: "range", min: 1, max: 6, when: by("beam") },
  { name: "length_penalty", kind: "range", min: -1, max: 3, step: 0.5, when: by("beam") },
  { name: "temperature", kind: "range", min: 0, max: 2, step: 0.1, when: by("sampled") },
  { name: "top_k", kind: "range", min: 0, max: 20, when: by("sampled") },
  { name: "top_p", kind: "range", min: 0, max: 1, step: 0.05, when: by("sampled") },
  { name: "draw", kind: "range", min: 0, max: 99, when: by("sampled") },
  { name: "steps", kind: "range", min: 1, max: 32 },
];

const actions = [
  { id: "reseed", when: isRandom, apply: ({ seed }) => ({ seed: (seed + 1) % 100 }) },
  { id: "wake", when: ({ ablated }) => ablated.length > 0, apply: () => ({ ablated: [] }) },
  { id: "unhide", when: ({ hidden }) => hidden.length > 0, apply: () => ({ hidden: [] }) },
];

function formula({ family, encoder_layers, num_layers, num_heads, source_tokens, target_tokens, d_model, d_k, vocab_size, parameters }) {
  const self = family === "t5" ? "QK^\\top + B" : "\\tfrac{QK^\\top}{\\sqrt{d_k}}";
  return [
    "\\text{memory} = \\text{Encoder}(\\text{source}),\\quad p(y_t \\mid y_{<t}, \\text{source}) = \\operatorname{softmax}\\big(\\text{Decoder}(y_{<t}, \\text{memory})\\,W_E^\\top\\big)",
    `\\text{weights} = \\operatorname{softmax}\\big(${self} + \\text{mask}\\big),\\quad \\text{cross: } Q \\leftarrow \\text{decoder},\\ K, V \\leftarrow \\text{memory}`,
    `L = ${encoder_layers} + ${num_layers},\\ h = ${num_heads},\\ m = ${source_tokens.length},\\ n = ${target_tokens.length},\\ d = ${d_model},\\ d_k = ${d_k},\\ V = ${vocab_size},\\ ${parameters}\\ \\text{\\#}`,
  ];
}

const headName = ({ shown_attention: which, layer, head }) => (which === "cross" ? `decoder.${layer}.cross.${head}` : `${which}.${layer}.self.${head}`);
const toggled = (list, entry) => (list.includes(entry) ? list.filter((each) => each !== entry) : [...list, entry]);
const isSame = ({ renormalised_error: error }) => error < 1e-5; // float32 has no more than that to say
const rowsOf = (pairs) => Array.from({ length: pairs.shape[0] }, (_, row) => [...at(pairs, row).data]);

function view(root, { change, hover, showCode }) {
  let shown = null; // [values, params]
  let built = null;
  let mode = "unit";
  // What the lab shows under a short name, the trace has under that of its layer.
  const traced = (name) => (name !== null && shown && isOfHead(name) ? `${headName(shown[0]).replace(/\.\d+$/, "")}.${name === "attention" ? "weights" : name}` : name);
  const stage = createStage(root, {
    words: W, related, read: (cell, values) => ({ title: title(cell, values), steps: steps(cell, values) }),
    hover: (name) => hover(traced(name)), showCode: (name) => showCode(traced(name)),
  });

  const look = (place) => change({ position: place + 1 });
  const button = (on, text = null) => h("button", { type: "button", class: "button", text, on: { click: on } });
  const source = tokenStrip({ label: [`${W}.texts.source`], onChoose: (place) => change({ source_position: place + 1 }) });
  const target = tokenStrip({ label: [`${W}.texts.target`], onChoose: look });
  const hide = button(() => change({ hidden: toggled(shown[1].hidden, String(shown[0].source_place)) }));
  const forcing = createForcing({ onChoose: look });
  const loss = h("p", { class: "told" });
  const nextTitle = h("h4");
  const next = candidates({ label: [`${W}.next.list`] });
  const moved = h("p", { class: "told" });
  const compared = candidates({ label: [`${W}.changed.list`] });
  const changed = h("div", {}, h("h4", { text: [`${W}.changed.title`] }), moved, compared.element);
  const headTitle = h("h4");
  const silence = button(() => change({ ablated: toggled(shown[1].ablated, headName(shown[0])) }));
  const silenceCross = button(() => change({ ablated: everyCross() }), [`${W}.head.silenceCross`]);
  const reads = h("p", { class: "told" });
  const hiddenTold = h("p", { class: "told" });
  const lens = lensTable({ label: [`${W}.sections.lens`], onChoose: look });
  const writing = createWriting();

  const everyCross = () => Array.from({ length: shown[0].num_layers }, (_, layer) => Array.from({ length: shown[0].num_heads }, (_, head) => headName({ shown_attention: "cross", layer, head }))).flat();

  function setMode(chosen) {
    mode = chosen;
    stage.setMode(mode);
  }

  function build(values) {
    const { section, lay } = stage;
    const cell = Math.min(16, comfortable(Math.max(values.source_tokens.length, values.target_tokens.length)));
    const ofHead = { rows: "queries", cols: "keys" };
    stage.clear();
    section("texts", h("h4", { text: [`${W}.texts.source`] }), source.element, h("div", { class: "row-actions" }, hide), h("h4", { text: [`${W}.texts.target`] }), target.element);
    section("forcing", forcing.element, loss);
    section("next", h("div", { class: "beside" }, h("div", {}, nextTitle, next.element), changed));

    const all = section("heads", modeSwitch(mode, setMode));
    all.classList.add("kinds");
    for (const which of ATTENTIONS) {
      const one = h("div", { class: "kind" }, h("h4", { text: [`${W}.kinds.${which}`] }), h("p", { class: "help", text: [`${W}.kinds.${which}Help`] }));
      const chosen = ({ shown_attention, layer, head }) => (shown_attention === which ? { layer, head } : undefined);
      all.append(one);
      lay(one, allHeads({ ...sides(which), name: `${which}_weights`, mode, chosen, silenced: (now) => rowsOf(now[`${which}_silenced`]), onChoose: ({ layer, head }) => change({ attention: which, layer: layer + 1, head: head + 1 }) }));
    }
    const one = h("div", { class: "flow" });
    all.after(h("div", { class: "head-actions" }, headTitle, silence, silenceCross), one);
    const pictures = headPictures({ ...ofHead, cell, mode });
    const masked = pictures.findIndex(({ name }) => name === "masked"); // with the arrow before it
    if (values.adds) pictures.splice(masked - 1, 1, sign("+"), pairwise("added", undefined, { ...ofHead, cell }), sign("="));
    else pictures.splice(masked - 1, 2); // nothing is hidden and there is no bias: the scores go as they are
    lay(one, ...pictures);

    const weights = (name, options) => weighty(name, undefined, { mode: "auto", cell, ...options });
    if (values.renormalised) {
      lay(section("hidden", hiddenTold), weights("attention_before", ofHead), arrow(h("span", { text: [`${W}.renormalise`] })), weights("renormalised", ofHead),
        weighty("attention", undefined, { ...ofHead, mode: "auto", cell, copy: true }), !isSame(values) && pairwise("renormalised_difference", undefined, { ...ofHead, cell }));
    }
    lay(section("reads", reads), weights("cross_mean", { ...sides("cross"), cell: 20, maxWidth: 420 }),
      weights("reads", { rows: "reads_names", cols: "source_tokens", rowAxis: `${W}.axes.heads`, cell: 20, maxWidth: 420 }));

    const place = section(`${values.family}Positions`);
    for (const side of ["encoder", "decoder"]) {
      const tokens = side === "encoder" ? "source_tokens" : "target_tokens";
      if (values[`${side}_positions`]) lay(place, { name: `${side}_positions`, kind: "signed", rows: tokens, maxWidth: 420, cell: 14 });
      if (!values[`${side}_bias`]) continue;
      const heads = Array.from({ length: values.num_heads }, (_, index) => pairwise(`${side}_bias`, index, { rows: tokens, cols: tokens, cell: Math.min(11, cell), maxWidth: 205 }));
      const row = h("div", { class: "flow" });
      place.parentElement.append(h("h4", { text: [`${W}.sides.${side}`] }), row);
      lay(row, pairwise(`${side}_buckets`, undefined, { rows: tokens, cols: tokens, kind: "weights", mode: "auto", modes: [], cell }), arrow(h("span", { text: [`${W}.table`] })), ...heads);
    }
    section("lens", lens.element);
    lay(section("stream"), { name: "stream", kind: "signed", rows: "stream_names", rowAxis: `${W}.axes.layers`, maxWidth: 460, cell: 16 });
    writing.build(stage, values);
  }

  function tellChange({ moved: share, compared_texts: texts, compared_before, compared_after, compared_top_before: before, compared_top_after: after }) {
    changed.hidden = !texts;
    if (!texts) return;
    say(moved, "text", `${W}.changed.${share === 0 ? "none" : before === after ? "same" : "other"}`, { share: number(share * 100, 3), before: tokenText(before), after: tokenText(after) });
    compared.update({ texts, before: compared_before.data, probabilities: compared_after.data });
  }

  function draw(values, params) {
    shown = [values, params];
    const hidden = [...values.hidden_tokens.data];
    const { source_tokens, target_tokens, answers, place, source_place } = values;
    const form = JSON.stringify([source_tokens.length, target_tokens.length, values.num_heads, values.family, values.shown_attention, values.adds, Boolean(values.renormalised) && isSame(values), Boolean(values.renormalised), Boolean(values.written), Boolean(values.beam_scores)]);
    if (form !== built) build(values);
    built = form;
    source.update({ tokens: source_tokens, ids: values.source_ids.data, chosen: source_place, hidden });
    target.update({ tokens: target_tokens, ids: values.target_ids.data, chosen: place });
    say(hide, "text", `${W}.${hidden.includes(source_place) ? "show" : "hide"}`, { token: tokenText(source_tokens[source_place]) });
    forcing.update(values);
    say(loss, "text", `${W}.loss`, { loss: number(values.loss, 3), guessing: number(values.loss_of_guessing, 3), vocab_size: values.vocab_size, right: values.right, n: target_tokens.length });
    say(nextTitle, "text", `${W}.next.after`, { token: tokenText(target_tokens[place]), place: place + 1, answer: tokenText(answers[place]) });
    next.update({ texts: values.texts, probabilities: values.probabilities.data, chosen: answers[place] });
    tellChange(values);
    say(headTitle, "text", `${W}.head.titles.${values.shown_attention}`, { layer: values.layer + 1, head: values.head + 1 });
    say(silence, "text", `${W}.head.${params.ablated.includes(headName(values)) ? "wake" : "silence"}`);
    say(reads, "text", `${W}.readsMost`, { query: tokenText(target_tokens[place]), key: tokenText(source_tokens[values.reads_most]), share: number(values.reads_share, 3) });
    if (values.renormalised) say(hiddenTold, "text", `${W}.hiddenTold.${isSame(values) ? "same" : "different"}`, { error: number(values.renormalised_error, 2) });
    lens.update({ tokens: target_tokens, texts: values.lens_texts, probabilities: values.lens_probabilities, chosen: place });
    writing.update(values, params);
    stage.update(values);
    stage.claim(isRandom(params) ? ["random"] : null);
  }

  return { update: draw, pictures: stage.pictures, destroy: stage.clear };
}

const checkpoint = { families: ["bart", "t5"], encode: { source_ids: ({ source }) => source, target_ids: ({ target }) => target } };

export default { id: "seq2seq", order: 110, cover: "cross_mean", pressed: { generate: true }, checkpoint, controls, actions, formula, view };
