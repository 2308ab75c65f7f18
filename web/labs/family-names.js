// What the lab's cells and attentions are: whose, of which tokens, in which order.
import { t } from "../core/text.js";

export const MODELS = ["bert", "gpt", "seq2seq", "vit"];
export const OF = { bert: ["bert"], gpt: ["gpt"], seq2seq: ["encoder", "cross", "decoder"], vit: ["vit"] }; // a model's attentions
export const MODEL_OF = Object.fromEntries(Object.entries(OF).flatMap(([model, all]) => all.map((which) => [which, model])));
export const STACKS = { bert: ["encoder"], gpt: ["decoder"], seq2seq: ["encoder", "decoder"], vit: ["encoder"] };
const SIDES = { bert: ["encoder", "encoder"], gpt: ["decoder", "decoder"], encoder: ["encoder", "encoder"], cross: ["decoder", "encoder"], decoder: ["decoder", "decoder"], vit: ["encoder", "encoder"] };

/** The result's lists of an attention's queries and keys. */
export function sides(which) {
  const [rows, cols] = SIDES[which].map((stack) => `${stack}_tokens_${MODEL_OF[which]}`);
  return { rows, cols };
}

/** The attention that is open, or null. */
export function openAttention({ cell }) {
  const [row, which] = cell.split(".");
  return row === "weights" ? which : null;
}

/** "weights_cross" -> ["weights", "cross"]; null for names that are none of these. */
export function attentionOf(name) {
  const [, what, which] = /^(mask|weights)_(\w+)$/.exec(name) ?? [];
  return which ? [what, which] : null;
}

/** What a model is called: of the encoder-decoders, the one that runs. */
export const nameOf = (model, { style }) => t(`labs.family.models.${model}.name`, { style: style.toUpperCase() });

/** The text key under which an open cell is announced: of the three attentions of an encoder-decoder each has its own. */
export const openedKey = (row, which) => (row === "weights" && MODEL_OF[which] === "seq2seq" ? `weights_${which}` : row);
