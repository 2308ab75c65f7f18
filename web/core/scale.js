// A scale takes a finite value of a row to a position 0 … 1 of the colour map, and says so in ticks:
//   { position(value, row), invert(position), barRow?, ticks: [{ at, value?, bound?: "≤" | "≥", word?: text key }] }
// The colour bar draws invert() through position(), so that it cannot disagree with the cells.
const clamp = (position) => (position < 0 ? 0 : position > 1 ? 1 : position);
const finite = (value) => (Number.isFinite(value) ? value : 0);

/** A tick at an end of the bar; values beyond it share its colour, and the bound says so. */
const end = (at, value, beyond) => ({ at, value, bound: beyond ? (at === 0 ? "≤" : "≥") : "" });

function unit({ min, max }) {
  return { position: clamp, invert: (at) => at, ticks: [end(0, 0, min < 0), { at: 0.5, value: 0.5 }, end(1, 1, max > 1)] };
}

function row({ rowMax, min }) {
  const peak = rowMax.reduce((most, top) => Math.max(most, top), 0);
  return {
    position: (value, row) => (rowMax[row] > 0 ? clamp(value / rowMax[row]) : 0),
    invert: (at) => at * peak, // the bar stands for the row with the greatest maximum
    barRow: rowMax.indexOf(peak),
    ticks: [end(0, 0, min < 0), { at: 1, word: "heatmap.row_max" }],
  };
}

// From half a decade or more below the smallest positive value, so that only zeros are darkest, up to 1 or the decade above
// the maximum; never more than MOST_DECADES, because a stray 1e-30 would push all else into one colour.
const MOST_DECADES = 6;
function log({ min, max, smallest }) {
  const top = max > 1 ? Math.ceil(Math.log10(max)) : 0;
  const bottom = Number.isFinite(smallest) ? Math.floor(Math.log10(smallest) - 0.5) : top - 1;
  const decades = Math.min(MOST_DECADES, top - bottom);
  const floor = 10 ** (top - decades);
  const stride = Math.ceil(decades / 3);
  const ticks = Array.from({ length: decades }, (_, step) => step).filter((step) => step % stride === 0)
    .map((step) => ({ at: 1 - step / decades, value: 10 ** (top - step), bound: "" }));
  return {
    position: (value) => (value > floor ? clamp((Math.log10(value) - top) / decades + 1) : 0),
    invert: (at) => 10 ** (top - decades * (1 - at)),
    ticks: [end(0, floor, min < floor), ...ticks.reverse()],
  };
}

function zeroToMax({ min, max }) {
  const low = Math.min(0, finite(min));
  const high = Math.max(0, finite(max));
  if (low === high) return { position: () => 0, invert: () => 0, ticks: [{ at: 0, value: 0 }] };
  return {
    position: (value) => clamp((value - low) / (high - low)),
    invert: (at) => low + at * (high - low),
    ticks: [end(0, low), end(1, high)],
  };
}

function symmetric({ min, max }) {
  const peak = Math.max(Math.abs(finite(min)), Math.abs(finite(max)));
  if (peak === 0) return { position: () => 0.5, invert: () => 0, ticks: [{ at: 0.5, value: 0 }] };
  return {
    position: (value) => clamp(0.5 + value / (2 * peak)),
    invert: (at) => (2 * at - 1) * peak,
    ticks: [end(0, -peak), { at: 0.5, value: 0 }, end(1, peak)],
  };
}

const SCALES = { weights: { unit, row, log, auto: zeroToMax }, signed: { auto: symmetric } };

export const modesOf = (kind) => Object.keys(SCALES[kind]);

export function scaleFor(kind, mode, extent) {
  const make = SCALES[kind]?.[mode];
  if (!make) throw new RangeError(`mode=${mode} is not a scale for kind=${kind}`);
  return make(extent);
}
