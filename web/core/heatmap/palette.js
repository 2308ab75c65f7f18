import { pixel } from "./colormaps.js";

const NAMES = ["paper", "ink", "soft", "rule", "hatch", "hatch-ink", "nan", "infinite"];

/** The theme's colours as they are at `element` now: CSS colours by name, and the pixels that raster.js writes. */
export function palette(element) {
  const style = getComputedStyle(element);
  const colours = Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--heatmap-${name}`)]));
  return { ...colours, marks: { nan: pixel(colours.nan), infinite: pixel(colours.infinite) } };
}
