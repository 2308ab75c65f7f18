// A scale takes a finite value of a row to a position 0 … 1 of the colour map, and says so in ticks:
//   { ends(row) -> [low, high], log?, ticks: [{ at, value?, bound?: "≤" | "≥", word?: text key }], barRow? }
// Values run from low at 0 to high at 1, evenly or (log) by their logarithm; beyond an end they take the end's colour.
// Everything else (raster.js, the colour bar) follows from ends(), so that the bar cannot disagree with the cells.
const finite = (value) => (Number.isFinite(value) ? value : 0);
const between = (low, high) => () => [low, high];

/** A tick at an end of the bar; values beyond it share its colour, and the bound says so. */
const end = (at, value, beyond) => ({ at, value, bound: beyond ? (at === 0 ? "≤" : "≥") : "" });

function unit({ min, max }) {
  return { ends: between(0, 1), ticks: [end(0, 0, min < 0), { at: 0.5, value: 0.5 }, end(1, 1, max > 1)] };
}

function row({ rowMax, min }) {
  return {
    ends: (row) => [0, Math.max(0, rowMax[row])],
    barRow: rowMax.reduce((best, top, row) => (top > rowMax[best] ? row : best), 0),
    ticks: [end(0, 0, min < 0), { at: 1, word: "heatmap.row_max" }],
  };
}

// From half a decade or more below the smallest positive value, so that only zeros are darkest, up to 1 or the decade above
// the maximum; never more than MOST_DECADES, because a stray 1e-30 would push all else into one colour. `finest` is the low end
// of pictures that are to be compared.
const MOST_DECADES = 6;
function log({ min, max, smallest }, finest) {
  const top = max > 1 ? Math.ceil(Math.log10(max)) : 0;
  const bottom = finest ? Math.round(Math.log10(finest)) : Number.isFinite(smallest) ? Math.floor(Math.log10(smallest) - 0.5) : top - 1;
  const decades = Math.min(MOST_DECADES, top - bottom);
  const floor = 10 ** (top - decades);
  const stride = Math.ceil(decades / 3);
  const ticks = Array.from({ length: decades }, (_, step) => step)
    .filter((step) => step % stride === 0)
    .map((step) => ({ at: 1 - step / decades, value: 10 ** (top - step) }))
    .filter(({ at }) => at > 0.4); // leaves room for the number at the low end
  return { ends: between(floor, 10 ** top), log: true, ticks: [end(0, floor, min < floor), ...ticks.reverse()] };
}

function zeroToMax({ min, max }, finest) {
  const [low, high] = [Math.min(0, finite(min)), Math.max(0, finite(max), finest)];
  return { ends: between(low, high), ticks: low === high ? [{ at: 0, value: 0 }] : [end(0, low), end(1, high)] };
}

function symmetric({ min, max }, finest) {
  const peak = Math.max(Math.abs(finite(min)), Math.abs(finite(max)), finest);
  const zero = { at: 0.5, value: 0 };
  return peak ? { ends: between(-peak, peak), ticks: [end(0, -peak), zero, end(1, peak)] } : { ends: between(-1, 1), ticks: [zero] };
}

const SCALES = { weights: { unit, row, log, auto: zeroToMax }, signed: { auto: symmetric }, picture: { unit } };

export const modesOf = (kind) => Object.keys(SCALES[kind]);

/**
 * `finest`: a scale up to the maximum never ends below it, so that a picture of rounding errors is as pale as they are small and two
 * pictures can be compared; a log scale begins there.
 */
export function scaleFor(kind, mode, extent, finest = 0) {
  const make = SCALES[kind]?.[mode];
  if (!make) throw new RangeError(`mode=${mode} is not a scale for kind=${kind}`);
  return make(extent, finest);
}

/** The value at a position, in the row that the bar stands for. */
export function valueAt({ ends, log, barRow = 0 }, position) {
  const [low, high] = ends(barRow);
  return log ? low * (high / low) ** position : low + position * (high - low);
}
