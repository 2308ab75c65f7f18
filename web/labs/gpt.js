// The GPT lab's pictures. Every number comes from the result of seeformer.labs.gpt.run(); nothing is computed here.
import { isRandom } from "../core/checkpoint/is-random.js";
import { h, say } from "../core/dom.js";
import { number } from "../core/format.js";
import { comfortable } from "../core/heatmap/fit.js";
import { candidates } from "../core/lab/candidates.js";
import { lensTable } from "../core/lab/lens-table.js";
import { allHeads, headPictures, headRelated, headSteps, headTitle, isOfHead } from "../core/lab/one-head.js";
import { createStage, modeSwitch } from "../core/lab/stage.js";
import { at } from "../core/lab/slice.js";
import { tokenStrip } from "../core/lab/token-strip.js";
import { tokenText } from "../core/lab/token-text.js";
import { t } from "../core/text.js";
import { createWriting } from "./gpt-writing.js";

const W = "labs.gpt";
const LONGEST = 96;

const controls = [
  { name: "prompt", kind: "text", max: LONGEST },
  { name: "spread", kind: "range", min: 0.02, max: 0.6, step: 0.01, when: isRandom },
  { name: "num_layers", kind: "range", min: 1, max: 6, when: isRandom },
  { name: "num_heads", kind: "range", min: 1, max: 8, when: isRandom },
  { name: "d_model", kind: "range", min: 8, max: 128, step: 8, when: isRandom },
  { name: "seed", kind: "range", min: 0, max: 99, when: isRandom },
  { name: "temperature", kind: "range", min: 0, max: 2, step: 0.1 },
  { name: "top_k", kind: "range", min: 0, max: 50 },
  { name: "top_p", kind: "range", min: 0, max: 1, step: 0.05 },
  { name: "draw", kind: "range", min: 0, max: 99 },
  { name: "steps", kind: "range", min: 1, max: 64 },
];

const actions = [
  { id: "greedy", when: ({ temperature }) => temperature > 0, apply: () => ({ temperature: 0 }) },
  { id: "reseed", when: isRandom, apply: ({ seed }) => ({ seed: (seed + 1) % 100 }) },
  { id: "wake", when: ({ ablated }) => ablated.length > 0, apply: () => ({ ablated: [] }) },
  { id: "unhide", when: ({ hidden }) => hidden.length > 0, apply: () => ({ hidden: [] }) },
];

const formula = ({ num_layers, num_heads, n, d_model, d_k, vocab_size, parameters }, { temperature }) => [
  "x^{(0)} = W_E[\\text{ids}] + W_P,\\quad x^{(l)} = \\text{Layer}_l\\big(x^{(l-1)}\\big),\\quad \\text{logits} = \\operatorname{LN}\\big(x^{(L)}\\big)\\,W_E^\\top",
  temperature ? `p = \\operatorname{softmax}(\\text{logits} / ${number(temperature)})` : "p = \\operatorname{argmax}(\\text{logits})",
  `L = ${num_layers},\\ h = ${num_heads},\\ n = ${n},\\ d = ${d_model},\\ d_k = ${d_k},\\ V = ${vocab_size},\\ |\\theta| = ${parameters}`,
];

const isPlain = ({ temperature, top_k, top_p }) => temperature === 1 && top_k === 0 && top_p === 1;
const headName = ({ layer, head }) => `decoder.${layer}.self.${head}`;
const toggled = (list, entry) => (list.includes(entry) ? list.filter((each) => each !== entry) : [...list, entry]);
const silencedOf = ({ silenced }) => Array.from({ length: silenced.shape[0] }, (_, row) => [...at(silenced, row).data]);

/** What a cell is made of and what it goes into. */
function related(cell, values) {
  const { name, row, col, layer, head } = cell;
  const { num_heads, place } = values;
  if (isOfHead(name)) {
    const of = name === "weights" ? layer * num_heads + head : values.layer * num_heads + values.head;
    return [...headRelated(cell), ...(row === place && ["weights", "attention"].includes(name) ? [{ name: "reads", row: of, cells: [[of, col]] }] : [])];
  }
  if (name === "reads") return [{ name, row, col, cells: [[row, col]] }, { name: "weights", row: place, col }, { name: "effects", cells: [[Math.floor(row / num_heads), row % num_heads]] }];
  if (name === "norms") return [{ name, row, col }, ...(col === place ? [{ name: "stream", row }] : [])];
  if (name === "stream") return [{ name, row, col }, { name: "norms", cells: [[row, place]] }];
  if (name === "effects") return [{ name, row, col }, { name: "reads", row: row * num_heads + col }];
  return [{ name, row, col }];
}

function title(cell, values) {
  const { name, row, col } = cell;
  const token = (place) => tokenText(values.tokens[place]);
  if (isOfHead(name)) return headTitle(cell, values);
  if (name === "reads") return `${t("multiples.at", { layer: Math.floor(row / values.num_heads) + 1, head: (row % values.num_heads) + 1 })} · ${t("model.looks", { query: token(values.place), key: token(col) })}`;
  if (name === "effects") return t(`${W}.reading.effect`, { head: t("multiples.at", { layer: row + 1, head: col + 1 }) });
  const where = row ? t("model.afterLayer", { layer: row }) : t("model.embedding");
  if (name === "norms") return t(`${W}.reading.norm`, { token: token(col), where });
  if (name === "stream") return t(`${W}.reading.stream`, { token: token(values.place), where, column: col + 1 });
  return t("model.entry", { name, token: values.cache_tokens?.[row] ?? row + 1, column: col + 1 });
}

function view(root, { change, hover, showCode }) {
  // What the lab shows under a short name, the trace has under that of its layer.
  const traced = (name) => {
    if (name === null || !shown) return name;
    const inner = { attention: "weights" }[name] ?? name;
    return isOfHead(name) && name !== "weights" ? `decoder.${shown[0].layer}.self.${inner}` : name;
  };
  const stage = createStage(root, {
    words: W, related,
    read: (cell, values) => ({ title: title(cell, values), steps: isOfHead(cell.name) ? headSteps(cell, values) : [number(cell.value)] }),
    hover: (name) => hover(traced(name)), showCode: (name) => showCode(traced(name)),
  });
  let shown = null; // [values, params]
  let built = null;
  let mode = "unit";

  const look = (place) => change({ position: place + 1 });
  const tokens = tokenStrip({ label: [`${W}.sections.tokens`], onChoose: look });
  const hide = h("button", { type: "button", class: "button", on: { click: () => change({ hidden: toggled(shown[1].hidden, String(shown[0].place)) }) } });
  const nextTitle = h("h4");
  const next = candidates({ label: [`${W}.next.list`], pair: [`${W}.next.said`, `${W}.next.drawn`], onChoose: (text) => change({ prompt: (shown[1].prompt + text), position: 0 }) });
  const left = h("p", { class: "help" });
  const moved = h("p", { class: "told" });
  const compared = candidates({ label: [`${W}.changed.list`] });
  const changed = h("div", {}, h("h4", { text: [`${W}.changed.title`] }), moved, compared.element);
  const headTitleText = h("h4");
  const silence = h("button", { type: "button", class: "button", on: { click: () => change({ ablated: toggled(shown[1].ablated, headName(shown[0])) }) } });
  const silenceAll = h("button", { type: "button", class: "button", text: [`${W}.head.silenceAll`], on: { click: () => change({ ablated: everyHead() }) } });
  const lens = lensTable({ label: [`${W}.sections.lens`], onChoose: look });
  const writing = createWriting({ goOn: (prompt) => change({ prompt, position: 0 }), longest: LONGEST });

  const everyHead = () => Array.from({ length: shown[0].num_layers }, (_, layer) => Array.from({ length: shown[0].num_heads }, (_, head) => headName({ layer, head }))).flat();

  function setMode(chosen) {
    mode = chosen;
    stage.setMode(mode);
  }

  function build(values) {
    const { section, lay } = stage;
    const cell = values.n <= 4 ? undefined : Math.min(16, comfortable(values.n));
    stage.clear();
    section("tokens", tokens.element, h("div", { class: "row-actions" }, hide));
    section("next", h("div", { class: "beside" }, h("div", {}, nextTitle, next.element, left), changed));
    const all = section("heads", modeSwitch(mode, setMode));
    lay(all, allHeads({ mode, silenced: silencedOf, onChoose: ({ layer, head }) => change({ layer: layer + 1, head: head + 1 }) }));
    const one = h("div", { class: "flow" });
    all.after(h("div", { class: "head-actions" }, headTitleText, silence, silenceAll), one);
    lay(one, ...headPictures({ cell, mode }));
    lay(section("token"),
      { name: "reads", kind: "weights", mode, modes: [], rows: "reads_names", cols: "tokens", rowAxis: `${W}.axes.heads`, colAxis: "heatmap.key", cell: 15, maxWidth: 460 },
      { name: "norms", kind: "weights", mode: "auto", modes: [], rows: "stream_names", cols: "tokens", rowAxis: `${W}.axes.layers`, cell: 22, maxWidth: 460 },
      { name: "stream", kind: "signed", rows: "stream_names", rowAxis: `${W}.axes.layers`, maxWidth: 460, cell: 16 });
    section("lens", lens.element);
    if (values.effects) lay(section("effects"), { name: "effects", kind: "weights", mode: "auto", modes: [], cell: 40, rowAxis: `${W}.axes.layers`, colAxis: "multiples.head" });
    writing.build(stage);
  }

  function tellNext({ tokens: names, place, texts, probabilities, drawn, left: count, vocab_size }, params) {
    say(nextTitle, "text", `${W}.next.after`, { token: tokenText(names[place]), place: place + 1 });
    next.update(isPlain(params) ? { texts, probabilities: probabilities.data } : { texts, before: probabilities.data, probabilities: drawn.data });
    say(left, "text", `${W}.next.left`, { count, vocab_size });
  }

  function tellChange({ moved: share, compared_texts: texts, compared_before, compared_after, compared_top_before, compared_top_after }) {
    changed.hidden = !texts;
    if (!texts) return;
    const same = compared_top_before === compared_top_after;
    say(moved, "text", `${W}.changed.${same ? "same" : "other"}`, { share: number(share * 100, 3), before: tokenText(compared_top_before), after: tokenText(compared_top_after) });
    compared.update({ texts, before: compared_before.data, probabilities: compared_after.data });
  }

  function draw(values, params) {
    shown = [values, params];
    const hiddenPlaces = [...values.hidden_tokens.data];
    const form = JSON.stringify([comfortable(values.n), values.n, Boolean(values.effects)]);
    if (form !== built) build(values);
    built = form;
    tokens.update({ tokens: values.tokens, ids: values.ids.data, chosen: values.place, hidden: hiddenPlaces });
    say(hide, "text", `${W}.${hiddenPlaces.includes(values.place) ? "show" : "hide"}`, { token: tokenText(values.tokens[values.place]) });
    tellNext(values, params);
    tellChange(values);
    const where = { layer: values.layer + 1, head: values.head + 1 };
    say(headTitleText, "text", "multiples.at", where);
    say(silence, "text", `${W}.head.${params.ablated.includes(headName(values)) ? "wake" : "silence"}`);
    lens.update({ tokens: values.tokens, texts: values.lens_texts, probabilities: values.lens_probabilities, chosen: values.place });
    writing.update(values, isPlain(params));
    stage.update(values);
    stage.claim(isRandom(params) ? ["random"] : null);
  }

  return { update: draw, pictures: stage.pictures, destroy: stage.clear };
}

const checkpoint = { families: ["gpt2"], encode: { ids: ({ prompt }) => prompt } };

export default { id: "gpt", order: 100, cover: "attention", pressed: { generate: true }, checkpoint, controls, actions, formula, view };
