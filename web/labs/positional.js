// The positional lab's pictures. Every number comes from the result of seeformer.labs.positional.run(); nothing is computed here.
import { h, say } from "../core/dom.js";
import { number } from "../core/format.js";
import { dial } from "../core/lab/dial.js";
import { pairwise, signed, weighty } from "../core/lab/pictures.js";
import { at, entry } from "../core/lab/slice.js";
import { arrow, createStage, sign } from "../core/lab/stage.js";
import { curves, fading, profiles, wavelengths } from "./positional-charts.js";
import { arithmetic, related, title } from "./positional-reading.js";

const W = "labs.positional";

const controls = [
  { name: "seq_len", kind: "range", min: 1, max: 128 },
  { name: "d_model", kind: "range", min: 8, max: 128 },
  { name: "base", kind: "range", min: 1, max: 1_000_000, scale: "log" },
  { name: "offset", kind: "range", min: 0, max: 1000 },
  { name: "dims", kind: "numbers" },
  { name: "tokens", kind: "tokens", max: 32 },
  { name: "pair", kind: "range", min: 0, max: ({ d_model }) => Math.ceil(d_model / 2) - 1 },
  { name: "pos", kind: "range", min: 0, max: 128 },
  { name: "steps", kind: "range", min: -64, max: 64 },
  { name: "num_heads", kind: "range", min: 1, max: 8 },
  { name: "layout", kind: "choice", options: ["interleaved", "half"] },
];

const PENCIL = { seq_len: 4, d_model: 4, base: 100, offset: 0, dims: [0, 1, 2, 3], pair: 0, pos: 1, steps: 1, num_heads: 2 };

const actions = [
  { id: "paper", apply: () => PENCIL },
  { id: "shuffle", apply: ({ shuffle }) => ({ shuffle: shuffle + 1 }) },
  { id: "unshuffle", when: ({ shuffle }) => shuffle !== 0, apply: () => ({ shuffle: 0 }) },
  { id: "reseed", apply: ({ seed }) => ({ seed: seed + 1 }) },
];

const FINEST = 1e-6; // smaller differences are rounding errors
const few = (value) => number(value, 3);

function formula({ d_model, base, pair, pos, steps, after, rates, angle, degrees }) {
  const written = `\\frac{pos}{base^{2i/d_{model}}}`;
  const lines = [`PE_{pos,\\,2i} = \\sin ${written},\\quad PE_{pos,\\,2i+1} = \\cos ${written}`];
  lines.push(`i = ${pair}:\\quad \\dfrac{1}{${base}^{2\\cdot${pair}/${d_model}}} = ${few(entry(rates, pair))}`);
  if (angle !== undefined) lines.push(`PE_{${pos}}\\,R_{${steps}} = PE_{${after}},\\quad ${steps}\\cdot ${few(entry(rates, pair))} = ${few(angle)} = ${number(degrees, 4)}°`);
  return lines;
}

const note = () => h("p", { class: "help" });

/** A row of small clock faces, each with its number; buttons where choose(number) is given. */
function smallDials(choose) {
  const element = h("div", { class: "dials", ...(choose && { role: "group", label: [`${W}.sections.clocks`] }) });
  let faces = [];

  function face(which) {
    const { element: drawn, update } = dial({ size: 64 });
    const words = { label: [`${W}.turn.choose`, { pair: which }] };
    const options = { type: "button", dataset: { pair: which }, on: { click: () => choose(which) }, ...words };
    return { which, update, holder: choose ? h("button", options, drawn, String(which)) : h("div", {}, drawn, String(which)) };
  }

  return {
    element,
    update(numbers, sweeps, chosen) {
      if (String(numbers) !== String(faces.map(({ which }) => which))) {
        const focused = faces.find(({ holder }) => holder === document.activeElement)?.which;
        faces = numbers.map(face);
        element.replaceChildren(...faces.map(({ holder }) => holder));
        faces.find(({ which }) => which === focused)?.holder.focus(); // the buttons were made anew
      }
      faces.forEach(({ which, update, holder }, place) => {
        update({ sweep: at(sweeps, place) });
        if (choose) holder.setAttribute("aria-pressed", String(which === chosen));
      });
    },
  };
}

function view(root, { change, hover, showCode }) {
  let layout = "interleaved";
  const stage = createStage(root, { words: W, related, read: (cell, values) => ({ title: title(cell, values), steps: arithmetic(cell, values, layout) }), hover, showCode });
  const big = dial({ size: 240, axes: ["sin", "cos"], named: true });
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const play = h("button", { type: "button", class: "button", text: [`${W}.turn.play`], on: { click: big.play } });
  const showPlay = () => (play.hidden = calm.matches);
  calm.addEventListener("change", showPlay);
  showPlay();
  const notes = Object.fromEntries(["why", "similarity", "turn", "everywhere", "base", "added", "rope"].map((key) => [key, note()]));
  let built = null;
  const clocks = smallDials((pair) => change({ pair }));
  const starts = smallDials();

  const position = (name, options) => signed(name, { rows: "positions", cols: "columns", rowAxis: `${W}.axes.position`, colAxis: `${W}.axes.column`, ...options });
  const square = (name, options) => signed(name, { rows: "positions", cols: "positions", rowAxis: `${W}.axes.position`, colAxis: `${W}.axes.position`, ...options });
  const hand = (name) => signed(name, { rows: undefined, cols: "hand_columns", cell: 44, maxWidth: 120 });
  const word = (name, options) => signed(name, { maxWidth: 250, ...options });

  function build({ num_heads, base_names, rotation }, cell) {
    const { clear, section, lay } = stage;
    clear();

    /** A section of several rows, each under its heading where the rows have names. */
    function stack(key, rows, ...children) {
      const whole = section(key, ...children);
      const names = typeof rows === "number" ? Array(rows).fill(null) : rows;
      const flows = names.map(() => h("div", { class: "flow" }));
      whole.classList.add("stack");
      names.forEach((name, at) => whole.append(...[name && h("h4", { text: [`${W}.${key}.${name}`] }), flows[at]].filter(Boolean)));
      return flows;
    }

    const narrow = { cell, maxWidth: 170 };
    const wide = { cell, maxWidth: 290 };

    lay(section("code"), signed("rates", { rows: undefined, cols: "pair_numbers", colAxis: `${W}.axes.pair`, ...narrow }), arrow("pos ×"), position("angles", { ...narrow, cols: "pair_numbers", colAxis: `${W}.axes.pair` }), arrow("sin, cos"), position("PE", { cell, maxWidth: 420 }));
    lay(section("curves"), curves);

    const why = stack("why", ["without", "with"], notes.why);
    for (const [at, which] of ["without", "with"].entries()) {
      lay(why[at], word(`output_${which}`, { cell }), arrow("⇄"), word(`shuffled_${which}`, { cell, rows: "shuffled" }), arrow("Δ"), word(`difference_${which}`, { cell, rows: "shuffled", finest: FINEST }));
    }

    lay(section("similarity", notes.similarity), square("similarity", { cell, maxWidth: 380 }), profiles);

    if (rotation) {
      const turn = section("turn", notes.turn, play);
      lay(turn, h("div", { class: "dials" }, h("div", {}, big.element)), hand("hand"), sign("·"), hand("turn"), sign("="), hand("hand_moved"));
      lay(section("clocks"), clocks.element);
      lay(section("starts"), starts.element);
      const four = { cell, maxWidth: cell ? 240 : 200 };
      lay(section("everywhere", notes.everywhere), position("PE", { ...four, copy: true }), sign("·"), signed("rotation", { ...four, rows: "columns", cols: "columns" }), sign("="), position("moved", four), sign("≈"), position("later", four));
    }

    lay(section("base", notes.base), wavelengths, fading);
    lay(section("codes"), ...base_names.map((name, index) => position("codes", { index, cell, maxWidth: cell ? 240 : 200, caption: h("span", { class: "soft" }, `base = ${name}`) })));

    const added = stack("added", ["sum", "side", "matrices"], notes.added);
    const slim = { cell, maxWidth: cell ? 230 : 185 };
    lay(added[0], word("embedding", slim), sign("+"), word("code", slim), sign("="), word("added", slim), arrow("· W_Q"), word("Q_added", slim));
    lay(added[1], word("concatenated", { cell, maxWidth: 420 }), arrow("· W_twice"), word("Q_concatenated", slim));
    lay(added[2], signed("W_Q", { rows: undefined, cell, maxWidth: 130 }), signed("W_twice", { rows: undefined, cell, maxWidth: 130 }));

    lay(section("learned"), position("learned", wide), arrow("P Pᵀ"), square("learned_similarity", wide));
    if (rotation) {
      const rope = stack("rope", 2, notes.rope);
      lay(rope[0], position("queries", wide), arrow("↻"), position("rotated_queries", wide), arrow("q kᵀ"), pairwise("rope_scores", undefined, { ...wide, rows: "positions", cols: "positions" }));
      lay(rope[1], position("keys", wide), arrow("↻"), position("rotated_keys", wide));
    }
    const alibi = stack("alibi", 2);
    for (const [at, name, picture] of [[0, "alibi", pairwise], [1, "alibi_weights", weighty]]) {
      for (let index = 0; index < num_heads; index++) lay(alibi[at], picture(name, index, { rows: "positions", cols: "positions", maxWidth: cell ? 240 : 190, cell, mode: name === "alibi" ? undefined : "row" }));
    }
  }

  function tell(values) {
    const { pair, pos, steps, after } = values;
    const told = (key, vars) => say(notes[key.replace(/Still|Alone|Odd/, "")], "text", `${W}.notes.${key}`, Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, typeof value === "number" ? number(value, Number.isInteger(value) ? 9 : 3) : value])));
    told(values.shuffled.join() === values.tokens.join() ? "whyStill" : "why", { without: values.change_without, with: values.change_with, one: values.tokens.join(" "), other: values.shuffled.join(" ") });
    told(values.rotation ? "similarity" : "similarityOdd", { drift: values.drift });
    told(values.closest_gap === undefined ? "baseAlone" : "base", { base: values.base, slow: values.slow_pairs, pairs: values.pairs, n: values.seq_len, slowest: number(values.slowest, 5), first: values.closest_first, second: values.closest_second, gap: values.closest_gap });
    told("added", { error: values.sum_error, one: values.parameters_added, two: values.parameters_concatenated });
    if (values.rotation) {
      told("turn", { pair, columns: values.hand_columns.join(", "), pos, after, rate: entry(values.rates, pair), degrees: number(values.degrees, 4) });
      told("everywhere", { error: values.rotation_error, steps });
      told("rope", { drift: values.rope_drift, stretch: values.rope_stretch });
    }
    stage.claim(values.rotation ? null : ["odd", { d_model: values.d_model }]);
  }

  function draw(values, params) {
    layout = params.layout;
    const cell = values.seq_len <= 4 && values.d_model <= 4 ? 44 : undefined;
    const form = JSON.stringify([cell, values.num_heads, values.base_names, "rotation" in values]);
    if (form !== built) build(values, cell);
    built = form;
    stage.update(values);
    tell(values);
    if (!values.rotation) return;
    const { pos, after } = values;
    big.update({ sweep: values.sweep, names: [`PE(${number(pos)})`, after === pos ? "" : `PE(${number(after)})`] });
    clocks.update(Array.from(values.clocks.data), values.clock_sweeps, values.pair);
    starts.update(Array.from(values.starts.data), values.start_sweeps);
  }

  return {
    update: draw,
    pictures: stage.pictures,
    destroy() {
      big.stop();
      calm.removeEventListener("change", showPlay);
      stage.clear();
    },
  };
}

export default { id: "positional", order: 20, cover: "PE", controls, actions, formula, view };
