// How a message gets from one token to an output: along the chain of states, or straight. Every number comes from the result.
import { h, s } from "../core/dom.js";
import { t } from "../core/text.js";

const W = "labs.recurrence";
const STEP = 23; // between positions
const R = 10; // of a circle
const [TOP, BOTTOM] = [14, 70]; // the circles, and the tokens below them

const at = (position) => R + 4 + position * STEP;
const line = (x1, y1, x2, y2, lit) => s("line", { x1, y1, x2, y2, style: lit ? "stroke: var(--accent); stroke-width: 3" : "stroke: var(--rule); stroke-width: 1.4", dataset: lit && { lit: "" } });
const token = (position, lit) => s("circle", { cx: at(position), cy: BOTTOM, r: lit ? 5 : 3, style: `fill: var(${lit ? "--accent" : "--edge"})` });

function circle(position, when, lit) {
  return [
    s("circle", { class: "wiring-box", cx: at(position), cy: TOP, r: R, style: lit && "stroke: var(--accent); stroke-width: 2.5" }),
    s("text", { class: "wiring-name", x: at(position), y: TOP + 4.5 }, String(when)),
  ];
}

/** `wires`: [from x, from y, to x, to y, lit]; `lit(position)` for circles. */
function drawing(n, when, wires, { lit, from, label }) {
  const [width, height] = [at(n - 1) + R + 4, BOTTOM + 8];
  const positions = Array.from({ length: n }, (_, position) => position);
  return s("svg", { class: "wiring", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, translate: "no" },
    [...wires].sort((a, b) => a[4] - b[4]).map((wire) => line(...wire)),
    positions.flatMap((position) => circle(position, when.data[position], lit(position))),
    positions.map((position) => token(position, position === from)));
}

/** What token s (`from`) is to output t (`to`), 0-based, in both kinds of network. -> [element, element] */
export function paths({ n, path_recurrent, path_attention, when_recurrent, when_attention }, from, to) {
  const steps = (array) => array.data[to * n + from];
  const [chain, straight] = [steps(path_recurrent), steps(path_attention)];
  const range = Array.from({ length: n }, (_, position) => position);
  const named = (network, count) => (Number.isFinite(count) ? t(`${W}.drawing`, { network: t(`${W}.networks.${network}`), s: from + 1, t: to + 1, steps: count }) : t(`${W}.networks.${network}`));
  const onChain = (position) => Number.isFinite(chain) && position >= from && position <= to;
  const up = range.map((position) => [at(position), BOTTOM, at(position), TOP + R, onChain(position) && position === from]);
  const along = range.slice(1).map((position) => [at(position - 1) + R, TOP, at(position) - R, TOP, onChain(position - 1) && onChain(position)]);
  const seen = range.filter((position) => Number.isFinite(path_attention.data[to * n + position]));
  const looks = seen.map((position) => [at(position), BOTTOM, at(to), TOP + R, position === from]);
  const figure = (network, when, wires, lit, count) => h("figure", { class: "chart", style: "width: 100%", dataset: { paths: network } },
    h("figcaption", {}, h("b", { text: [`${W}.networks.${network}`] }), " · ", t(`${W}.told.arrives`, { steps: Math.max(...when.data) })),
    drawing(n, when, wires, { lit, from, label: named(network, count) }));
  return [
    figure("recurrent", when_recurrent, [...up, ...along], onChain, chain),
    figure("attention", when_attention, looks, (position) => position === to && Number.isFinite(straight), straight),
  ];
}
