// What a model holds to be likely: a bar for each candidate with its probability, alone or before and after a change.
import { h } from "../dom.js";
import { number } from "../format.js";
import { tokenText } from "./token-text.js";

const DIGITS = 3;

const bar = (share, name) => h("i", { class: name, style: `--share: ${share}` });

function amount(share, before) {
  const now = h("b", {}, number(share, DIGITS));
  return h("span", { class: "amount" }, before !== undefined && [`${number(before, DIGITS)} → `], now);
}

/**
 * label: [text key, vars] of the list; onChoose(text, place): makes the names buttons; pair: text keys of what two bars are.
 * -> { element, update({texts, probabilities, before?, chosen?}) }: arrays of numbers as run() gave them; chosen: the text that was taken.
 */
export function candidates({ label, onChoose, pair = ["candidates.before", "candidates.after"] }) {
  const list = h("ol", { class: "candidates", label, translate: "no" });
  const key = h("p", { class: "candidates-key", hidden: true },
    h("span", {}, h("i", { class: "before", "aria-hidden": "true" }), h("span", { text: [pair[0]] })),
    h("span", {}, h("i", { "aria-hidden": "true" }), h("span", { text: [pair[1]] })));

  const named = (text, place) => (onChoose
    ? h("button", { type: "button", class: "name", title: ["candidates.take", { token: tokenText(text) }], on: { click: () => onChoose(text, place) } }, tokenText(text))
    : h("span", { class: "name", title: tokenText(text) }, tokenText(text)));

  return {
    element: h("div", {}, list, key),
    update({ texts, probabilities, before, chosen }) {
      const focused = [...list.querySelectorAll("button")].indexOf(document.activeElement);
      list.classList.toggle("pairs", Boolean(before));
      key.hidden = !before;
      const longest = Math.max(...probabilities, ...(before ?? [])) || 1; // bars are compared with each other; their numbers stand beside them
      list.replaceChildren(...texts.map((text, at) => h("li", { dataset: text === chosen ? { chosen: "" } : {} },
        named(text, at),
        h("span", { class: "bars", "aria-hidden": "true" }, before && bar(before[at] / longest, "before"), bar(probabilities[at] / longest)),
        amount(probabilities[at], before?.[at]))));
      list.querySelectorAll("button")[focused]?.focus();
    },
  };
}
