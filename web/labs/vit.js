// The ViT lab's pictures. Every number comes from the result of seeformer.labs.vit.run(); nothing is computed here.
import { isRandom } from "../core/checkpoint/is-random.js";
import { h, say } from "../core/dom.js";
import { number } from "../core/format.js";
import { comfortable } from "../core/heatmap/fit.js";
import { candidates } from "../core/lab/candidates.js";
import { allHeads, headPictures, isOfHead } from "../core/lab/one-head.js";
import { signed, weighty } from "../core/lab/pictures.js";
import { at } from "../core/lab/slice.js";
import { arrow, createStage, sign } from "../core/lab/stage.js";
import { tokenStrip } from "../core/lab/token-strip.js";
import { arithmetic, related, title } from "./vit-reading.js";

const W = "labs.vit";

const controls = [
  { name: "patch_size", kind: "range", min: 2, max: 4, scale: "doubling", when: isRandom },
  { name: "num_layers", kind: "range", min: 1, max: 6, when: isRandom },
  { name: "num_heads", kind: "range", min: 1, max: 8, when: isRandom },
  { name: "d_model", kind: "range", min: 8, max: 64, step: 8, when: isRandom },
  { name: "spread", kind: "range", min: 0.02, max: 0.6, step: 0.01, when: isRandom },
  { name: "seed", kind: "range", min: 0, max: 99, when: isRandom },
  { name: "positional", kind: "check" },
  { name: "picture", kind: "picture", sizes: [8, 16] },
];

const actions = [
  { id: "reseed", when: isRandom, apply: ({ seed }) => ({ seed: (seed + 1) % 100 }) },
  { id: "shuffle", apply: ({ shuffle }) => ({ shuffle: shuffle + 1 }) },
  { id: "unshuffle", when: ({ shuffle }) => shuffle > 0, apply: () => ({ shuffle: 0 }) },
  { id: "wake", when: ({ ablated }) => ablated.length > 0, apply: () => ({ ablated: [] }) },
  { id: "unhide", when: ({ hidden }) => hidden.length > 0, apply: () => ({ hidden: [] }) },
];

const formula = ({ size, patch_size, side, n, d_model, num_layers, num_heads, d_k, parameters, W_patch, labels }, { positional }) => [
  `X = \\left[\\,\\text{CLS};\\ \\text{patches}\\cdot W_\\text{patch} + b\\,\\right]${positional ? " + \\text{position}" : ""},\\quad x^{(l)} = \\text{Layer}_l\\big(x^{(l-1)}\\big)${labels ? ",\\quad \\text{logits} = \\operatorname{LN}\\big(x^{(L)}_\\text{CLS}\\big)\\,W + b" : ""}`,
  `n = \\left(\\dfrac{${size}}{${patch_size}}\\right)^2 + 1 = ${side}^2 + 1 = ${n},\\quad W_\\text{patch} \\in \\mathbb{R}^{${W_patch.shape[0]}\\times ${d_model}}`,
  `L = ${num_layers},\\ h = ${num_heads},\\ d = ${d_model},\\ d_k = ${d_k},\\ ${parameters}\\ \\text{\\#}`,
];

const headName = ({ layer, head }) => `encoder.${layer}.self.${head}`;
const toggled = (list, entry) => (list.includes(entry) ? list.filter((each) => each !== entry) : [...list, entry]);
const silencedOf = ({ silenced }) => Array.from({ length: silenced.shape[0] }, (_, row) => [...at(silenced, row).data]);
const placeOf = (token, { side }) => (token ? { layer: Math.floor((token - 1) / side), head: (token - 1) % side } : null);

// What the lab shows under a name of its own, the trace has under one of the model's.
const TRACED = { patches: "embeddings.patches", cut: "embeddings.patches", projected: "embeddings.projected", position: "embeddings.position", X: "embeddings.output" };
function traced(name, values) {
  if (!isOfHead(name)) return TRACED[name] ?? name;
  return `encoder.${values.layer}.self.${name === "attention" ? "weights" : name}`;
}

function view(root, { change, hover, showCode }) {
  let shown = null; // [values, params]
  let built = null;
  const stage = createStage(root, {
    words: W, related, read: (cell, values) => ({ title: title(cell, values), steps: arithmetic(cell, values) }),
    hover: (name) => hover(name && shown ? traced(name, shown[0]) : name), showCode: (name) => showCode(traced(name, shown[0])),
  });
  const enlarge = ({ layer, head }) => change({ layer: layer + 1, head: head + 1 });
  const look = (query) => change({ query });
  const button = (press) => h("button", { type: "button", class: "button", on: { click: press } });
  const told = () => h("p", { class: "told" });

  const starts = h("div", { class: "picker", role: "group", label: [`${W}.sections.starts`] });
  const tokens = tokenStrip({ label: [`${W}.sections.tokens`], onChoose: look });
  const hide = button(() => change({ hidden: toggled(shown[1].hidden, String(shown[0].query)) }));
  const silence = button(() => change({ ablated: toggled(shown[1].ablated, headName(shown[0])) }));
  const [fitLine, orderLine, flatLine, lookLine, hideLine, answerLine, fewLine, moveLine] = Array.from({ length: 8 }, told);
  const headLine = h("h4");
  const bars = candidates({ label: [`${W}.sections.classes`] });

  /** Pictures to begin with: run() gives them as it takes them. */
  function offer({ drawing_names }) {
    starts.replaceChildren(...drawing_names.map((name, place) => h("button", {
      type: "button", class: "button", dataset: { drawing: name }, text: [`${W}.drawings.${name}`],
      on: { click: () => change({ picture: shown[0].drawings[place].split(","), shuffle: 0 }) },
    })));
  }

  function build(values) {
    const { clear, section, lay } = stage;
    const { n, side, size, num_channels, labels } = values;
    const cell = n <= 5 ? undefined : Math.min(16, comfortable(n));
    const grid = (name, options) => ({ name, kind: "picture", modes: [], cell: Math.min(26, 208 / size), ...options });
    const patches = { rows: "numbers", cols: "numbers", rowAxis: `${W}.axes.row`, colAxis: `${W}.axes.column`, cell: Math.min(52, 208 / side) };
    const rows = (name, options) => signed(name, { cell, maxWidth: 290, ...options });
    const depth = { rows: "stream_names", rowAxis: `${W}.axes.depth` };
    clear();
    offer(values);

    lay(section("picture", starts, fitLine, orderLine), grid("picture"), arrow(h("span", { text: [`${W}.steps.cut`] })),
      { kind: "multiples", of: "picture", name: "cut", modes: [], words: `${W}.cut`, chosen: (values) => placeOf(values.query, values),
        silenced: ({ hidden_tokens, ...rest }) => [...hidden_tokens.data].filter(Boolean).map((token) => Object.values(placeOf(token, rest))),
        onChoose: ({ layer, head }) => look(1 + layer * shown[0].side + head) });
    section("tokens", tokens.element, h("div", { class: "picker" }, hide));
    if (labels) section("answer", answerLine, fewLine, bars.element, moveLine);

    const embedding = section("embedding");
    const inks = num_channels === 1 ? { kind: "picture", modes: [] } : {}; // other numbers are no ink
    lay(embedding, { ...rows("patches", { rows: "patch_names", maxWidth: 150 }), ...inks }, sign("·"), signed("W_patch", { rows: undefined, cell, maxWidth: 290 }), sign("="), rows("projected", { rows: "patch_names" }));
    const sum = h("div", { class: "flow" });
    embedding.after(sum);
    lay(sum, ...["embedding", "+", "position", "=", "X"].map((name) => (/\w/.test(name) ? rows(name, { maxWidth: 250 }) : sign(name))));

    const all = section("heads", flatLine);
    lay(all, allHeads({ silenced: silencedOf, onChoose: enlarge, modes: undefined, tallest: 560 }),
      { kind: "multiples", name: "looks", mode: "auto", modes: [], chosen: ({ layer, head }) => ({ layer, head }), silenced: silencedOf, onChoose: enlarge });

    const one = section("look", headLine, lookLine, h("div", { class: "picker" }, silence));
    lay(one, weighty("look", undefined, { ...patches, mode: "auto" }), sign("×"), grid("picture", { copy: true }), sign("="), grid("overlay"));
    lay(section("head"), ...headPictures({ cell }));
    if (values.unhidden) {
      const pair = (name, options) => weighty(name, undefined, { cell: cell && Math.min(11, cell), ...options });
      lay(section("hiding", hideLine), pair("unhidden"), arrow(h("span", { text: [`${W}.steps.renormalise`] })), pair("renormalised"), sign("↔"), pair("attention", { copy: true }));
    }

    const lens = { ...depth, cols: "labels", colAxis: `${W}.axes.label`, cell: 30 };
    if (labels) lay(section("lens"), signed("lens_logits", lens), arrow("softmax"), weighty("lens", undefined, { ...lens, mode: "auto" }));
    lay(section("stream"), weighty("norms", undefined, { ...depth, cols: "tokens", colAxis: `${W}.axes.token`, mode: "auto", cell, maxWidth: 440 }),
      signed("stream", { ...depth, cell: 16, maxWidth: 440 }), weighty("rollout", undefined, { ...patches, mode: "auto", cell: Math.min(32, 128 / side) }));
  }

  /** A line that is there only where it is true. */
  function line(element, key, vars = {}) {
    element.hidden = !key;
    if (key) say(element, "text", `${W}.told.${key}`, vars);
  }

  function tell(values, params) {
    const { layer, head, query, top, top_before, hidden_tokens, n, labels, num_labels, num_channels: channels, drawn, size } = values;
    const { shuffle, positional, ablated, spread } = params;
    const token = values.tokens[query];
    const where = { layer: layer + 1, head: head + 1 };
    const unseen = [...hidden_tokens.data];
    const few = (value) => number(value, 3);
    const still = Boolean(values.unmoved);
    const change = values.moved === undefined ? null : few(values.logit_change);
    say(hide, "text", `${W}.${unseen.includes(query) ? "show" : "hide"}`, { token });
    say(headLine, "text", "multiples.at", where);
    say(silence, "text", `${W}.${ablated.includes(headName(values)) ? "wakeHead" : "silence"}`);
    line(fitLine, isRandom(params) ? null : channels === 1 ? "fittedOne" : "fittedMany", { drawn, size, channels });
    line(orderLine, change && shuffle && !unseen.length && !ablated.length ? (still ? (positional ? "orderStill" : "orderSame") : "orderOther") : null, { change });
    line(flatLine, isRandom(params) && spread <= 0.02 ? "flat" : null, { n });
    line(lookLine, "look", { token, peak: few(values.look_peak), self: few(at(values.to_class, layer).data[head]) });
    line(answerLine, labels && (isRandom(params) ? "answer" : "answerBrought"), { top, share: few(values.top_share ?? 0) });
    line(fewLine, labels && num_labels > labels.length ? "few" : null, { count: num_labels, shown: labels?.length });
    line(moveLine, values.moved === undefined ? null : still ? "still" : top === top_before ? "moved" : "turned", { before: top_before, top, share: few(values.moved_percent) });
    if (!values.gaps) return;
    const blind = unseen.length === n - 1 && !unseen.includes(0);
    line(hideLine, blind ? "blind" : "hiding", { first: number(values.gaps.data[0], 2), last: number(values.gaps.data.at(-1), 2), layers: values.num_layers });
  }

  function draw(values, params) {
    shown = [values, params];
    const form = JSON.stringify([values.n, values.size, values.d_model, values.num_channels, values.labels?.length, "unhidden" in values]);
    if (form !== built) build(values);
    built = form;
    tokens.update({ tokens: values.tokens, chosen: values.query, hidden: [...values.hidden_tokens.data] });
    if (values.labels) bars.update({ texts: values.labels, probabilities: values.probabilities.data, before: values.before?.data, chosen: values.top });
    tell(values, params);
    stage.update(values);
    stage.claim(isRandom(params) ? ["claims.random"] : values.labels ? null : ["claims.noHead"]);
  }

  return { update: draw, pictures: stage.pictures, destroy: stage.clear };
}

export default { id: "vit", order: 120, cover: "attention", checkpoint: { families: ["vit"] }, controls, actions, formula, view };
