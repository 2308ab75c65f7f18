// Teacher forcing as a table: what the decoder is given at each place, what it should write there, how probable it held that, and what
// it would have written instead. A column is a place; its button chooses it.
import { h } from "../core/dom.js";
import { number } from "../core/format.js";
import { tokenText } from "../core/lab/token-text.js";

const W = "labs.seq2seq.forcing";

/** onChoose(place). -> { element, update(values) } */
export function createForcing({ onChoose }) {
  const table = h("table", { class: "lens", translate: "no" });
  const element = h("div", { class: "lens-room", tabindex: "0", role: "region", label: [`${W}.label`] }, table);
  const named = (key, cells) => h("tr", { dataset: { row: key } }, h("th", { scope: "row", text: [`${W}.${key}`] }), ...cells);

  return {
    element,
    update({ target_tokens: given, answers, next_texts: next, answer_probabilities: shares, losses, place }) {
      const focused = [...table.querySelectorAll("button")].indexOf(document.activeElement);
      const mark = (at) => (at === place ? "chosen" : null);
      const cells = (tell) => given.map((_, at) => h("td", { class: mark(at) }, tell(at)));
      table.replaceChildren(
        h("thead", {}, h("tr", {}, h("th", { scope: "row", text: [`${W}.given`] }), given.map((token, at) => h("th", { scope: "col" },
          h("button", { type: "button", "aria-pressed": String(at === place), on: { click: () => onChoose(at) } }, tokenText(token)))))),
        h("tbody", {},
          named("answer", cells((at) => tokenText(answers[at]))),
          named("probability", given.map((_, at) => h("td", { class: mark(at), style: `--share: ${shares.data[at]}` }, number(shares.data[at], 2)))),
          named("loss", cells((at) => number(losses.data[at], 3))),
          named("next", cells((at) => (next[at] === answers[at] ? h("b", {}, tokenText(next[at])) : tokenText(next[at]))))));
      table.querySelectorAll("button")[focused]?.focus();
    },
  };
}
