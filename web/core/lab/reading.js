// The reading line: spells out, with the real numbers, how the cell under the pointer came about.
import { h, say } from "../dom.js";
import { number } from "../format.js";
import { t } from "../text.js";

const SHOWN_TERMS = 4;

/** A number inside a sum: negative ones in brackets. */
export const bracket = (value) => (value < 0 ? `(${number(value)})` : number(value));

export const product = (a, b) => `${bracket(a)}·${bracket(b)}`;

/** The first terms of a sum, and how many more there are. `term(m)` gives the words of the m-th. */
export function sum(count, term) {
  const shown = Array.from({ length: Math.min(count, SHOWN_TERMS) }, (_, m) => term(m)).join(" + ");
  return count > SHOWN_TERMS ? `${shown} + ${t("reading.more", { count: count - SHOWN_TERMS })}` : shown;
}

export function createReading({ onSource }) {
  const title = h("b");
  const steps = h("code");
  const source = h("button", { type: "button", class: "button bare", hidden: true, text: ["reading.source"], on: { click: () => onSource(last) } });
  const element = h("p", { class: "reading" }, title, " ", steps, " ", source);
  let last = null;
  idle();

  function idle() {
    say(title, "text", "reading.idle");
    title.classList.add("idle");
    steps.replaceChildren();
    source.hidden = true;
  }

  return {
    element,
    /** {name, title, steps: [words…, result]} */
    show(cell) {
      last = cell.name;
      title.classList.remove("idle");
      delete title.dataset.t;
      title.textContent = cell.title;
      const result = h("span", { class: "result" }, cell.steps.at(-1));
      steps.replaceChildren(...cell.steps.slice(0, -1).flatMap((step) => [step, " = "]), result);
      source.hidden = false;
    },
  };
}
