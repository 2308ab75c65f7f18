// The arrays of the cell that is open, large: what stands below the table.
import { h } from "../core/dom.js";
import { allHeads, headPictures } from "../core/lab/one-head.js";
import { pairwise, signed, weighty } from "../core/lab/pictures.js";
import { arrow, sign } from "../core/lab/stage.js";
import { OF, sides, STACKS } from "./family-names.js";

const W = "labs.family";
const CELL = 16;
const wide = (name, options) => signed(name, { cell: CELL, maxWidth: 250, ...options });
const flowOf = (...parts) => [h("div", { class: "flow" }), parts];

function attention(_, which, change) {
  const pictures = headPictures({ rows: "queries", cols: "keys", cell: CELL });
  const masked = pictures.findIndex(({ name }) => name === "masked"); // with the arrow before it
  pictures.splice(masked - 1, 1, sign("+"), pairwise("added", undefined, { rows: "queries", cols: "keys", cell: CELL }), sign("="));
  const heads = allHeads({ rows: "queries", cols: "keys", onChoose: ({ layer, head }) => change({ layer: layer + 1, head: head + 1 }) });
  return [flowOf(...pictures), flowOf(heads)];
}

function mask({ num_layers }, model) {
  const masks = OF[model].map((which) => pairwise(`mask_${which}`, undefined, { ...sides(which), copy: true, cell: CELL }));
  const rows = model === "seq2seq" ? "decoder_tokens_seq2seq" : "columns";
  const through = Array.from({ length: num_layers }, (_, index) => weighty("through", index, {
    rows, cols: "columns", rowAxis: `${W}.axes.vector`, colAxis: `${W}.axes.input`, cell: model === "vit" ? 9 : 13, maxWidth: 300,
    caption: h("span", { text: ["model.afterLayer", { layer: index + 1 }] }) }));
  return [flowOf(...masks), flowOf(...through)];
}

/** token + position = output, for each stack; signs stand where the run has added. */
function input({ terms, cell }, model) {
  const rows = STACKS[model].map((stack) => {
    const own = terms.filter((name) => name.startsWith(`${stack}_`));
    const added = own.filter((name) => !/_(sum|output)$/.test(name));
    const tokens = { rows: `${stack}_tokens_${model}` };
    const parts = added.flatMap((name, at) => [at && sign("+"), wide(name, tokens)]);
    if (own.includes(`${stack}_sum`)) parts.push(sign("="), wide(`${stack}_sum`, tokens), arrow("LayerNorm"));
    else if (added.length) parts.push(sign("="));
    return flowOf(...parts, wide(`${stack}_output`, tokens));
  });
  const patches = { rows: "inputs_vit", maxWidth: 160 };
  return model === "vit" ? [flowOf({ ...wide("patches", patches), kind: "picture", modes: [] }, arrow("· W + b"), wide("projected", { rows: "inputs_vit" })), ...rows] : rows;
}

function stream(_, model) {
  const depth = { rows: "depths", rowAxis: `${W}.axes.depth`, cell: 22, maxWidth: 440 };
  const norms = STACKS[model].map((stack) => ({ name: `${stack}_norms`, kind: "weights", mode: "auto", modes: [], cols: `${stack}_tokens_${model}`, colAxis: `${W}.axes.token`, ...depth }));
  return [flowOf(...norms), flowOf(signed("stream", depth))];
}

function predict(_, model) {
  const pair = { rows: `outputs_${model}`, cols: `inputs_${model}`, rowAxis: `${W}.axes.output`, colAxis: `${W}.axes.input`, cell: CELL, maxWidth: 400 };
  const words = { rows: undefined, cols: "names", cell: CELL + 4, maxWidth: 460 };
  return [flowOf(weighty(`reach_${model}`, undefined, pair), weighty(`moved_${model}`, undefined, { ...pair, mode: "auto" })),
    flowOf(signed("logits", words), arrow("softmax"), { ...signed("probabilities", words), kind: "weights", mode: "auto", modes: [] })];
}

const KINDS = { weights: attention, mask, input, flow: stream, predict };

/** Rows of what stage.lay takes: [[element, parts]], for the cell that is open. */
export function opened(values, change) {
  const [row, which] = values.cell.split(".");
  return KINDS[row](values, which, change);
}
