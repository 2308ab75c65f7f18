import { number } from "../format.js";

const NARROWEST = 34; // CSS px
const LOWEST = 18;
const AIR = 6;
const MOST_DECIMALS = 4; // more of them say less than the colour does

/** All cells with the same number of decimals, so that the greatest has `digits` significant digits; integers stay integers. */
function texts(data, digits) {
  const finite = data.filter(Number.isFinite);
  const top = finite.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const power = top ? Math.floor(Math.log10(top)) : 0;
  const decimals = finite.every(Number.isInteger) ? 0 : Math.max(0, digits - 1 - power);
  if (decimals > MOST_DECIMALS || power > digits + 1) return null;
  const text = (value) => value.toFixed(decimals).replace(/^-(?=0(\.0*)?$)/, "").replace("-", "−");
  return Array.from(data, (value) => (Number.isFinite(value) ? text(value) : number(value)));
}

/** The texts to write into the cells, with as many digits (3, else 2) as fit every cell; null where none fit. */
export function cellTexts({ data }, { across, down, dpr }, measure) {
  const [width, height] = [across.pitch / dpr, down.pitch / dpr];
  if (Math.max(across.block, down.block) > 1 || width < NARROWEST || height < LOWEST) return null;
  const fits = (written) => written?.every((text) => measure(text) <= width - AIR);
  return [3, 2].map((digits) => texts(data, digits)).find(fits) ?? null;
}
