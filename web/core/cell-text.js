import { number } from "./format.js";

const NARROWEST = 34; // CSS px
const LOWEST = 18;
const AIR = 6;

/** The texts to write into the cells, with as many digits (3, else 2) as fit every cell; null where none fit. */
export function cellTexts({ data }, { across, down, dpr }, measure) {
  const [width, height] = [across.pitch / dpr, down.pitch / dpr];
  if (across.block > 1 || width < NARROWEST || height < LOWEST) return null;
  for (const digits of [3, 2]) {
    const texts = Array.from(data, (value) => number(value, digits));
    if (texts.every((text) => measure(text) <= width - AIR)) return texts;
  }
  return null;
}
