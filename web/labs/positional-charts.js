// The charts of the positional lab: curves that run() sampled.
import { points } from "../core/chart/points.js";
import { entry } from "../core/lab/slice.js";
import { t } from "../core/text.js";

const W = "labs.positional";

/** So many ticks that none stands between two whole numbers. */
const steps = (count) => Math.max(1, Math.min(6, count - 1));

/** Each curve's name at its end. */
function ended(Plot, ink, data, fill, options = {}) {
  const last = data.filter(({ name }, place) => data[place + 1]?.name !== name);
  return Plot.text(last, { x: "x", y: "y", text: (d) => d.name, fill, stroke: ink.card, strokeWidth: 3, textAnchor: "start", dx: 6, ...options });
}

/** Each curve's name above the place where it lies farthest from the others. */
function apart(Plot, ink, data, names, fill, options) {
  const curves = names.map((name) => data.filter((d) => d.name === name));
  const gap = (curve, at) => Math.min(...curves.filter((other) => other !== curve).map((other) => Math.abs(other[at].y - curve[at].y)));
  const best = curves.map((curve) => curve.reduce((most, d, at) => (at > 1 && gap(curve, at) > gap(curve, most) ? at : most), Math.min(2, curve.length - 1)));
  return Plot.text(curves.map((curve, which) => curve[best[which]]), { x: "x", y: "y", text: (d) => d.name, fill, stroke: ink.card, strokeWidth: 3, dy: -9, ...options });
}

export const curves = {
  name: "curves", kind: "chart", array: "points", height: 250,
  label: ({ dim_names }) => t(`${W}.charts.curvesLabel`, { dims: dim_names.join(", ") }),
  plot(values, Plot, ink, lit) {
    const { curve_positions, point_positions, dim_names, PE } = values;
    const colour = ({ name }) => ink.series[dim_names.indexOf(name)];
    const smooth = points(values.curves, { x: curve_positions, names: dim_names });
    const whole = points(values.points, { x: point_positions, names: dim_names });
    const column = lit?.col === undefined ? [] : Array.from(point_positions.data, (x, row) => ({ x, y: entry(PE, row, lit.col) }));
    return {
      marginRight: 52, x: { label: t(`${W}.axes.position`), ticks: steps(values.seq_len) }, y: { label: null, domain: [-1, 1], ticks: 5 },
      marks: [
        Plot.ruleY([0], { stroke: ink.rule }), lit?.row === undefined ? null : Plot.ruleX([point_positions.data[lit.row]], { stroke: ink.edge }),
        Plot.lineY(smooth, { x: "x", y: "y", z: "name", stroke: colour, strokeWidth: 1.5 }),
        Plot.dot(whole, { x: "x", y: "y", fill: colour, r: 2, tip: true, channels: { [t(`${W}.axes.column`)]: "name" } }),
        Plot.dot(column, { x: "x", y: "y", stroke: ink.ink, r: 3 }),
        ended(Plot, ink, smooth, colour),
      ],
    };
  },
};

export const profiles = {
  name: "profiles", kind: "chart", array: "profiles", height: 286, maxWidth: 500,
  label: ({ profile_names }) => t(`${W}.charts.profilesLabel`, { positions: profile_names.join(", ") }),
  plot({ profiles: rows, profile_distances, profile_names, similarity }, Plot, ink, lit) {
    const colour = ({ name }) => ink.series[profile_names.indexOf(name)];
    const data = Array.from(rows.data, (y, spot) => ({ x: profile_distances.data[spot], y, name: profile_names[Math.floor(spot / rows.shape[1])] }));
    const pointed = lit?.row === undefined || lit.col === undefined ? [] : [{ x: lit.col - lit.row, y: entry(similarity, lit.row, lit.col) }];
    return {
      marginTop: 60, x: { label: t(`${W}.axes.distance`), ticks: steps(rows.shape[1]) }, y: { label: null, ticks: 5 },
      marks: [
        Plot.ruleX([0], { stroke: ink.rule }),
        profile_names.map((_, which) => Plot.lineY(data.filter(({ name }) => name === profile_names[which]), { x: "x", y: "y", stroke: ink.series[which], strokeWidth: 7 - 2.5 * which, strokeOpacity: 0.75 })),
        profile_names.map((position, which) => Plot.text([t(`${W}.charts.from`, { position })], { frameAnchor: "top-right", dy: 16 * which - 52, fill: ink.series[which] })),
        Plot.dot(data, { x: "x", y: "y", fill: colour, r: 0, tip: true, channels: { [t(`${W}.axes.from`)]: "name" } }),
        Plot.dot(pointed, { x: "x", y: "y", stroke: ink.ink, r: 5, strokeWidth: 2 }),
      ],
    };
  },
};

const byBase = (name, array, options) => ({
  name, kind: "chart", array, height: 260, maxWidth: 450,
  label: ({ base_names }) => t(`${W}.charts.${name}Label`, { bases: base_names.join(", ") }),
  plot(values, Plot, ink) {
    const { base_names, chosen } = values;
    const isChosen = ({ name }) => name === base_names[chosen];
    const colour = (d) => ink.series[base_names.indexOf(d.name)];
    const data = points(values[array], { x: options.x && values[options.x], names: base_names });
    const weight = { fontWeight: (d) => (isChosen(d) ? 700 : 400) };
    return {
      marginRight: options.name === "end" ? 64 : 16, x: { label: t(options.xLabel), ticks: steps(values[array].shape[1]) }, y: options.y,
      marks: [
        ...options.rules(values, Plot, ink),
        Plot.lineY(data, { x: "x", y: "y", z: "name", stroke: colour, strokeWidth: (d) => (isChosen(d) ? 3 : 1.5) }),
        Plot.dot(data, { x: "x", y: "y", fill: colour, r: 1.5, tip: true, channels: { base: "name" } }),
        options.name === "end" ? ended(Plot, ink, data, colour, weight) : apart(Plot, ink, data, base_names, colour, weight),
      ],
    };
  },
});

export const wavelengths = byBase("wavelengths", "wavelengths", {
  name: "end", xLabel: `${W}.axes.pair`, y: { type: "log", label: null, ticks: 4, tickFormat: "~s" },
  rules: ({ seq_len }, Plot, ink) => [
    Plot.ruleY([seq_len], { stroke: ink.ink, strokeDasharray: "4 3" }),
    Plot.text([t(`${W}.charts.length`, { n: seq_len })], { frameAnchor: "left", y: seq_len, dy: -8, dx: 4, fill: ink.ink, stroke: ink.card, strokeWidth: 3, textAnchor: "start" }),
  ],
});

export const fading = byBase("fading", "fading", {
  x: "distances", xLabel: `${W}.axes.distance`, y: { label: null, ticks: 5 },
  rules: (_, Plot, ink) => [Plot.ruleY([0], { stroke: ink.rule })],
});
