// The recurrence lab's charts: how dependence fades with distance, and how long a sequence takes.
import { points } from "../core/chart/points.js";
import { number } from "../core/format.js";
import { t } from "../core/text.js";

const W = "labs.recurrence";
const COLOUR = { rnn: 1, lstm: 2, attention: 0 }; // of ink.series

export const colour = (network) => `var(--series-${COLOUR[network] + 1})`;
const word = (network) => t(`${W}.networks.${network}`);

/** One line a network; what is 0 or was not measured leaves a gap. */
function lines(rows, networks, x, Plot, ink, tell) {
  const shown = points(rows, { x, names: networks }).filter(({ y }) => y > 0);
  return [
    ...networks.flatMap((network) => {
      const own = { x: "x", y: "y", stroke: ink.series[COLOUR[network]] };
      const line = shown.filter(({ name }) => name === network);
      return [Plot.lineY(line, { ...own, strokeWidth: 2 }), Plot.dot(line, { ...own, r: 2.5, fill: ink.series[COLOUR[network]] })];
    }),
    Plot.tip(shown, Plot.pointer({ x: "x", y: "y", fill: ink.card, title: ({ x: at, y, name }) => tell(word(name), at, number(y, 3)) })),
  ];
}

const ends = ({ networks }, row, at) => Object.fromEntries(networks.map((network, nth) => [network, number(row.data[nth * row.shape[1] + at], 3)]));

/** Ticks at powers of ten, no more than seven or so; and how they are written. */
function decades({ data }) {
  const shown = data.filter((value) => value > 0);
  if (!shown.length) return { ticks: 4 };
  const [low, high] = [Math.floor(Math.log10(Math.min(...shown))), Math.ceil(Math.log10(Math.max(...shown)))];
  const step = Math.ceil((high - low + 1) / 7);
  return { domain: [10 ** low, 10 ** high], ticks: Array.from({ length: high - low + 1 }, (_, at) => low + at).filter((power) => power % step === 0).map((power) => 10 ** power), tickFormat: (value) => number(value, 1) };
}

export const fading = {
  kind: "chart", name: "fading", array: "last", height: 260,
  label: (values) => t(`${W}.charts.fadingLabel`, { far: values.n - 1, ...ends(values, values.last, values.n - 1) }),
  plot: ({ last, networks }, Plot, ink) => ({
    marginLeft: 56, marginRight: 16, marginBottom: 44,
    x: { label: t(`${W}.charts.distance`), labelOffset: 38, ticks: Math.min(8, last.shape[1] - 1), tickFormat: "d" },
    y: { type: "log", label: null, grid: true, ...decades(last) },
    marks: lines(last, networks, undefined, Plot, ink, (who, at, share) => `${who}\n${t(`${W}.charts.distance`)} ${at}: ${share}`),
  }),
};

export const times = {
  kind: "chart", name: "times", array: "times", height: 280,
  label: (values) => (values.turn ? t(`${W}.charts.timesLabel`, { n: values.lengths.data.at(-1), ...ends(values, values.times, values.lengths.data.length - 1) }) : t(`${W}.charts.empty`)),
  plot: ({ times: rows, lengths, networks, turn }, Plot, ink) => ({
    marginLeft: 56, marginRight: 16, marginBottom: 44,
    x: { type: "log", base: 2, label: t(`${W}.charts.length`), labelOffset: 38, domain: [lengths.data[0], lengths.data.at(-1)], ticks: [...lengths.data], tickFormat: "d" },
    y: { type: "log", label: null, grid: true, ...decades(turn ? rows : { data: [0.1, 100] }) },
    marks: [
      ...lines(rows, networks, lengths, Plot, ink, (who, at, ms) => `${who}\nn = ${at}: ${ms} ms`),
      Plot.text(turn ? [] : [t(`${W}.charts.empty`)], { frameAnchor: "middle", text: (words) => words, fill: ink.soft, fontSize: 14 }),
    ],
  }),
};
