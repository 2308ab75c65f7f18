// The tokenizer's view of a text: each token with its number in the vocabulary. One of them is chosen, by a click or with the arrow
// keys (a radio group: Tab reaches it once).
import { h, say } from "../dom.js";
import { isBlank, tokenText } from "./token-text.js";

const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * label: [text key, vars]; onChoose(position); word: what is said of a token with its number below (a text key with {token}, {id}, {place}).
 * -> { element, update({tokens, ids?, chosen?, hidden?, fresh?}) }
 */
export function tokenStrip({ label, onChoose, word = "strip.token" }) {
  const element = h("div", { class: "strip", role: "radiogroup", label, translate: "no" });
  let [shown, chosen] = ["", null];

  element.addEventListener("keydown", (press) => {
    const at = [...element.children].indexOf(document.activeElement);
    if (at < 0) return;
    const last = element.children.length - 1;
    const to = press.key === "Home" ? 0 : press.key === "End" ? last : at + (STEPS[press.key] ?? NaN);
    if (Number.isNaN(to)) return;
    press.preventDefault();
    choose((to + last + 1) % (last + 1));
  });

  function choose(position) {
    element.children[position].focus();
    if (position !== chosen) onChoose(position);
  }

  function build(tokens, ids) {
    element.replaceChildren(...tokens.map((token, at) => h("button", { type: "button", role: "radio", on: { click: () => choose(at) } },
      h("span", { class: isBlank(token) ? "blank" : null }, tokenText(token)), ids && h("small", {}, String(ids[at])))));
    [...element.children].forEach((button, at) => say(button, "label", ids ? word : "strip.plain", { token: tokenText(tokens[at]), id: ids?.[at], place: at + 1 }));
  }

  /** Many tokens scroll in their own room: never the page. */
  function reveal(button) {
    if (!button) return;
    const beyond = button.offsetTop + button.offsetHeight - element.clientHeight;
    if (beyond > element.scrollTop) element.scrollTop = beyond;
    if (button.offsetTop < element.scrollTop) element.scrollTop = button.offsetTop;
  }

  return {
    element,
    /** tokens: texts; ids: their numbers; chosen: a position; hidden: positions that nothing may look at; fresh: the first one that was generated. */
    update({ tokens, ids, chosen: next, hidden = [], fresh = tokens.length }) {
      const now = JSON.stringify([tokens, ids && [...ids]]);
      if (now !== shown) {
        const focused = element.contains(document.activeElement);
        build(tokens, ids);
        if (focused) element.children[Math.min(next ?? 0, tokens.length - 1)]?.focus();
      }
      if (next !== chosen) reveal(element.children[next]);
      [shown, chosen] = [now, next];
      [...element.children].forEach((button, at) => {
        button.setAttribute("aria-checked", String(at === next));
        button.tabIndex = at === (next ?? 0) ? 0 : -1;
        button.toggleAttribute("data-hidden", hidden.includes(at));
        button.toggleAttribute("data-new", at >= fresh);
      });
    },
  };
}
