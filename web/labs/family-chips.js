// Tokens as chips, a line for each stack. Where a prediction depends on them: darker where a change moves it more, hatched where it
// cannot arrive, framed where the answer is given.
import { h } from "../core/dom.js";
import { number } from "../core/format.js";
import { tokenText } from "../core/lab/token-text.js";
import { STACKS } from "./family-names.js";

const chip = (token, properties) => h("span", { class: "chip", ...properties }, tokenText(token));

function depends(model, values, input, isAsked) {
  const [share, told, arrives] = ["heat", "told", "arrives"].map((name) => values[`${name}_${model}`].data[input]);
  return { style: `--share: ${share}`, title: number(told, 3), dataset: { ...(isAsked && { asked: "" }), ...(!arrives && { unreached: "" }) } };
}

/** The result's tokens of a model that reads text. */
export function chips(model, values, { dependent = false } = {}) {
  const stacks = STACKS[model];
  let input = 0;
  return stacks.map((stack) => h("div", {}, stacks.length > 1 && h("small", { text: [`labs.family.texts.${stack}`] }),
    values[`${stack}_tokens_${model}`].map((token, place) => {
      const isAsked = stack === stacks.at(-1) && place === values[`row_${model}`];
      return chip(token, dependent ? depends(model, values, input++, isAsked) : {});
    })));
}
