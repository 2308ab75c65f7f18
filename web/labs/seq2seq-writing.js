// What the model writes itself: token by token with the candidates of each step and what it read of the source, or as a beam search.
import { h, say } from "../core/dom.js";
import { number } from "../core/format.js";
import { candidates } from "../core/lab/candidates.js";
import { at } from "../core/lab/slice.js";
import { tokenStrip } from "../core/lab/token-strip.js";
import { tokenText } from "../core/lab/token-text.js";
import { createBeams } from "./seq2seq-beams.js";

const W = "labs.seq2seq.writing";

/** -> { build(stage, values), update(values, params) } */
export function createWriting() {
  let step = null; // null: the newest
  let shown = null;
  const state = h("p", { class: "told" });
  const strip = tokenStrip({ label: [`${W}.tokens`], word: `${W}.token`, onChoose: (chosen) => ((step = chosen), tell()) });
  const bars = candidates({ label: [`${W}.candidates`] });
  const taken = h("p", { class: "help" });
  const reads = h("div", { class: "flow" });
  const one = h("div", {}, strip.element, h("div", { class: "beside" }, h("div", {}, taken, bars.element), reads));
  const beams = createBeams();

  function tell() {
    const { written, written_probabilities: shares, step_texts: texts, step_probabilities: said } = shown;
    const place = Math.min(step ?? Infinity, written.length - 1);
    const k = said.shape[1];
    strip.update({ tokens: written, ids: Array.from(shares.data, (share) => number(share, 2)), chosen: place, fresh: 0 });
    bars.update({ texts: texts.slice(place * k, (place + 1) * k), probabilities: at(said, place).data, chosen: written[place] });
    say(taken, "text", `${W}.taken`, { place: place + 1, token: tokenText(written[place]), share: number(shares.data[place], 3) });
  }

  function told(values, { method, steps }) {
    if (values.written) return [values.done ? "done" : "cut", { count: values.written.length, sum: number(values.written_sum, 4) }];
    if (!values.beam_scores) return [`press.${method}`, { steps }];
    if (!values.finished_texts.length) return ["searching", { count: values.beam_scores.shape[0] }];
    return [values.finished_sums.data[0] > values.greedy_sum + 1e-4 ? "better" : values.finished_texts[0] === values.greedy_text ? "same" : "longer", {
      best: values.finished_texts[0], sum: number(values.finished_sums.data[0], 4), score: number(values.finished_scores.data[0], 4), greedy: values.greedy_text, greedy_sum: number(values.greedy_sum, 4),
    }];
  }

  return {
    /** The picture is on the board only when there is something to show. */
    build(stage, { written, beam_scores }) {
      stage.section("writing", state, one, beams.element).hidden = true;
      if (written) stage.lay(reads, { name: "written_reads", kind: "weights", mode: "auto", modes: [], rows: "written", cols: "source_tokens", rowAxis: `${W}.written`, colAxis: "heatmap.key", maxWidth: 420, cell: 20 });
      [one.hidden, beams.element.hidden] = [!written, !beam_scores];
    },
    update(values, params) {
      shown = values;
      const [key, vars] = told(values, params);
      say(state, "text", `${W}.${key}`, vars);
      if (values.written) tell();
      else step = null;
      if (values.beam_scores) beams.update(values);
    },
  };
}
