// What the model writes: the text, each token with its probability, the candidates of one step, and the cache of the chosen head.
import { h, say } from "../core/dom.js";
import { number } from "../core/format.js";
import { candidates } from "../core/lab/candidates.js";
import { signed } from "../core/lab/pictures.js";
import { at } from "../core/lab/slice.js";
import { tokenText } from "../core/lab/token-text.js";
import { tokenStrip } from "../core/lab/token-strip.js";
import { cost } from "./gpt-cost.js";

const W = "labs.gpt.writing";

/** goOn(text) makes a text the prompt; longest: of a prompt. -> {build(stage), update(values)} */
export function createWriting({ goOn, longest }) {
  let step = null; // null: the newest
  let shown = null;
  let plain = true; // drawn from what the model says, as it says it
  const state = h("p", { class: "told" });
  const text = h("p", { class: "written", translate: "no" });
  const strip = tokenStrip({ label: [`${W}.tokens`], word: `${W}.token`, onChoose: (chosen) => ((step = chosen), tell()) });
  const bars = candidates({ label: [`${W}.candidates`], pair: [`${W}.said`, `${W}.drawn`] });
  const taken = h("p", { class: "help" });
  const kept = h("p", { class: "help" });
  const on = h("button", { type: "button", class: "button", text: [`${W}.goOn`], on: { click: () => goOn(whole()) } });
  const result = h("div", { hidden: true }, text, strip.element, h("div", { class: "row-actions" }, on), h("div", { class: "beside" }, h("div", {}, taken, bars.element)));
  const cache = h("div", { class: "flow" });
  const memory = h("div", {}, h("h4", { text: [`${W}.cache`] }), kept, cache);
  const whole = () => shown.tokens.join("") + shown.written.join("");

  function tell() {
    const { written, written_probabilities: shares, step_texts: texts, step_probabilities: said, step_drawn: drawn } = shown;
    const at_ = Math.min(step ?? Infinity, written.length - 1);
    const k = said.shape[1];
    strip.update({ tokens: written, ids: Array.from(shares.data, (share) => number(share, 2)), chosen: at_, fresh: 0 });
    const one = { texts: texts.slice(at_ * k, (at_ + 1) * k), chosen: written[at_] };
    bars.update(plain ? { ...one, probabilities: at(said, at_).data } : { ...one, before: at(said, at_).data, probabilities: at(drawn, at_).data });
    say(taken, "text", `${W}.taken`, { place: at_ + 1, token: tokenText(written[at_]), share: number(shares.data[at_], 3) });
  }

  return {
    build(stage) {
      stage.section("writing", state, result, memory).hidden = true;
      const rows = { rows: "cache_tokens", maxWidth: 200, cell: 14 };
      stage.lay(cache, signed("cache_K", rows), signed("cache_V", rows), cost);
    },
    update(values, isPlain) {
      [shown, plain] = [values, isPlain];
      const has = Boolean(values.written);
      result.hidden = !has;
      say(kept, "text", `${W}.kept`, { layers: values.num_layers, heads: values.num_heads, length: values.cache_K.shape[0], d_k: values.d_k, numbers: number(values.cache_numbers) });
      if (!has) {
        step = null;
        return say(state, "text", `${W}.press`, { steps: values.pairs_anew.data.length });
      }
      say(state, "text", `${W}.rate`, { count: values.written.length, rate: number(values.rate, 3) });
      text.replaceChildren(values.tokens.join(""), h("mark", {}, values.written.join("")));
      on.disabled = [...whole()].length > longest;
      tell();
    },
  };
}
