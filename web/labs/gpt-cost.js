// What the KV cache saves: query–key pairs so far, with it and without.
import { number } from "../core/format.js";
import { t } from "../core/text.js";

const W = "labs.gpt.charts";
const LINES = [["pairs_cached", 0], ["pairs_anew", 1]];

export const cost = {
  kind: "chart", name: "cost", array: "pairs_anew", height: 220, maxWidth: 460,
  label: (values) => LINES.map(([name]) => t(`${W}.${name}`) + t(`${W}.upTo`, { pairs: number(values[name].data.at(-1)) })).join(t(`${W}.and`)),
  plot(values, Plot, ink) {
    const points = LINES.flatMap(([name, colour]) => Array.from(values[name].data, (pairs, at) => ({ name, colour: ink.series[colour], step: at + 1, pairs })));
    const last = LINES.map(([name]) => points.filter((point) => point.name === name).at(-1));
    return {
      marginLeft: 64, marginRight: 112, marginBottom: 38,
      x: { label: t(`${W}.steps`), ticks: Math.min(6, values.pairs_anew.data.length), tickFormat: "d", labelOffset: 34 },
      y: { label: t(`${W}.pairs`), grid: true, ticks: 5, tickFormat: (pairs) => number(pairs), zero: true },
      marks: [
        Plot.lineY(points, { x: "step", y: "pairs", z: "name", stroke: (point) => point.colour, strokeWidth: 2 }),
        Plot.dot(last, { x: "step", y: "pairs", fill: (point) => point.colour, r: 3 }),
        Plot.text(last, { x: "step", y: "pairs", text: ({ name }) => t(`${W}.${name}`), dx: 8, textAnchor: "start", fill: ink.ink, fontSize: 13, lineWidth: 8 }),
      ],
    };
  },
};
