// A beam search as a tree: a column is a step, a box a text that went on, with its last token and the sum of its log-probabilities; a
// line leads from the text that it went on from. What is finished has a thick frame. Scores, parents and texts are those of run().
import { h, s } from "../core/dom.js";
import { number } from "../core/format.js";
import { entry } from "../core/lab/slice.js";
import { tokenText } from "../core/lab/token-text.js";
import { t } from "../core/text.js";

const W = "labs.seq2seq.beams";
const [WIDTH, HEIGHT, ACROSS, DOWN, TOP, LEFT] = [60, 38, 86, 50, 22, 38];

function box(x, y, token, score, { finished = false, chosen = false, text }) {
  const kind = ["beam-box", finished && "finished", chosen && "chosen"].filter(Boolean).join(" ");
  return s("g", {}, s("title", {}, text), s("rect", { class: kind, x, y, width: WIDTH, height: HEIGHT, rx: 7 }),
    s("text", { class: "beam-token", x: x + WIDTH / 2, y: y + 16 }, tokenText(token)), s("text", { class: "beam-score", x: x + WIDTH / 2, y: y + 31 }, score));
}

function link(fromX, fromY, toX, toY, chosen) {
  const bend = (toX - fromX) / 2;
  return s("path", { class: chosen ? "beam-line chosen" : "beam-line", d: `M${fromX} ${fromY}c${bend} 0 ${bend} ${toY - fromY} ${toX - fromX} ${toY - fromY}` });
}

/** Which boxes the best finished text went through: [step, place]. */
function pathOfBest({ beam_parents: parents, finished_lengths: lengths, finished_parents: from }) {
  const path = new Set();
  if (!lengths.data.length) return path;
  let place = from.data[0];
  for (let step = lengths.data[0] - 2; step >= 0; step--) {
    path.add(`${step} ${place}`);
    place = entry(parents, step, place);
  }
  return path;
}

function drawing(values) {
  const { beam_scores: scores, beam_parents: parents, beam_tokens: tokens, beam_texts: texts } = values;
  const [count, beams] = scores.shape;
  const lengths = [...values.finished_lengths.data];
  const path = pathOfBest(values);
  const x = (step) => LEFT + step * ACROSS;
  const y = (place) => TOP + place * DOWN;
  const [lines, boxes] = [[], []];
  boxes.push(s("circle", { class: "beam-root", cx: 6, cy: y(0) + HEIGHT / 2, r: 5 }));
  const fromOf = (step, place) => (step === 0 ? [11, y(0) + HEIGHT / 2] : [x(step - 1) + WIDTH, y(place) + HEIGHT / 2]);
  const boxesIn = Array(count).fill(0); // a step's finished texts stand below those that went on
  for (let step = 0; step < count; step++) {
    boxes.push(s("text", { class: "beam-step", x: x(step) + WIDTH / 2, y: 12 }, step + 1));
    for (let place = 0; place < beams; place++) {
      if (Number.isNaN(entry(scores, step, place))) continue;
      const chosen = path.has(`${step} ${place}`);
      lines.push(link(...fromOf(step, entry(parents, step, place)), x(step), y(place) + HEIGHT / 2, chosen));
      boxesIn[step]++;
      boxes.push(box(x(step), y(place), tokens[step * beams + place], number(entry(scores, step, place), 3), { chosen, text: texts[step * beams + place] }));
    }
  }
  lengths.forEach((length, at) => {
    const place = boxesIn[length - 1]++;
    lines.push(link(...fromOf(length - 1, values.finished_parents.data[at]), x(length - 1), y(place) + HEIGHT / 2, at === 0));
    boxes.push(box(x(length - 1), y(place), values.finished_tokens[at], number(values.finished_sums.data[at], 3), { finished: true, chosen: at === 0, text: values.finished_texts[at] }));
  });
  const [width, height] = [x(count - 1) + WIDTH + 2, y(Math.max(...boxesIn)) - DOWN + HEIGHT + 4];
  return s("svg", { class: "beams", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": t(`${W}.label`, { steps: count, beams }), translate: "no" }, ...lines, ...boxes);
}

const head = (...keys) => h("thead", {}, h("tr", {}, keys.map((key) => h("th", { scope: "col", text: [`${W}.${key}`] }))));
const row = (...cells) => h("tr", {}, cells.map((cell) => h("td", {}, cell)));

/** Every step in words, for those who cannot see the tree or want its numbers. */
function everyStep({ beam_scores: scores, beam_parents: parents, beam_texts: texts }) {
  const [count, beams] = scores.shape;
  const places = Array.from({ length: count * beams }, (_, at) => [Math.floor(at / beams), at % beams]).filter(([step, place]) => !Number.isNaN(entry(scores, step, place)));
  return places.map(([step, place]) => row(step + 1, place + 1, step ? entry(parents, step, place) + 1 : "–", texts[step * beams + place], number(entry(scores, step, place), 5)));
}

/** -> { element, update(values) } */
export function createBeams() {
  const room = h("div", { class: "lens-room", tabindex: "0", role: "region", label: [`${W}.room`] });
  const finished = h("tbody", { translate: "no" });
  const steps = h("tbody", { translate: "no" });
  return {
    element: h("div", { class: "lens-part" }, room, h("h4", { text: [`${W}.finished`] }),
      h("table", { class: "figures" }, head("text", "length", "sum", "score"), finished),
      h("details", {}, h("summary", { text: [`${W}.every`] }), h("div", { class: "lens-room", tabindex: "0", role: "region", label: [`${W}.every`] }, h("table", { class: "figures" }, head("step", "place", "from", "text", "sum"), steps)))),
    update(values) {
      room.replaceChildren(drawing(values));
      const { finished_texts: texts, finished_lengths: lengths, finished_sums: sums, finished_scores: scores } = values;
      finished.replaceChildren(...texts.map((text, at) => row(text, lengths.data[at], number(sums.data[at], 5), number(scores.data[at], 5))));
      steps.replaceChildren(...everyStep(values));
    },
  };
}
