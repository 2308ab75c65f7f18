// The speed lab's bars: medians, with a dot for each timing; empty until something was measured.
import { number } from "../core/format.js";
import { t } from "../core/text.js";

const W = "labs.speed.charts";

/** [{who, gflops}] of what there is. */
const measured = ({ who, gflops, highest }) => who.map((name, at) => ({ who: name, gflops: gflops.data[at], highest: highest.data[at] })).filter(({ gflops }) => Number.isFinite(gflops));

function timings({ who, samples: { data, shape } }) {
  return Array.from(data, (gflops, at) => ({ who: who[Math.floor(at / shape[1])], gflops })).filter(({ gflops }) => Number.isFinite(gflops));
}

export const speeds = {
  kind: "chart", name: "speeds", array: "gflops", height: 190,
  label: (values) => measured(values).map(({ who, gflops }) => t(`${W}.bar`, { who: t(`${W}.${who}`), gflops: number(gflops, 3) })).join(", ") || t(`${W}.empty`),
  plot(values, Plot, ink) {
    const bars = measured(values);
    const colours = { stock: ink.series[1], fast: ink.series[0], limit: ink.soft };
    const label = { dx: 8, textAnchor: "start", fill: ink.ink, fontSize: 13 };
    return {
      marginLeft: 104, marginRight: 52, marginBottom: 40,
      x: { label: t(`${W}.axis`), labelOffset: 34, grid: true, ticks: 5, domain: bars.length ? undefined : [0, 50] },
      y: { label: null, domain: values.who, tickFormat: (who) => t(`${W}.${who}`), tickSize: 0 },
      marks: [
        Plot.barX(bars, { x: "gflops", y: "who", fill: ({ who }) => colours[who], insetTop: 4, insetBottom: 4 }),
        Plot.dot(timings(values), { x: "gflops", y: "who", r: 2, fill: ink.ink, fillOpacity: 0.45 }),
        Plot.text(bars, { x: "highest", y: "who", text: ({ gflops }) => number(gflops, 3), ...label }),
        Plot.text(bars.length ? [] : [t(`${W}.empty`)], { frameAnchor: "middle", text: (words) => words, fill: ink.soft, fontSize: 14 }),
        Plot.ruleX([0], { stroke: ink.edge }),
      ],
    };
  },
};
