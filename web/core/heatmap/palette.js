import { onAppearance } from "./appearance.js";
import { pixel } from "./colormaps.js";

const NAMES = ["paper", "ink", "soft", "rule", "hatch", "hatch-ink", "nan", "infinite", "accent"];

let known = null; // the same for every picture, until the page looks different
onAppearance(() => (known = null));

/** The theme's colours: CSS colours by name, and the pixels that raster.js writes. `element` is any picture on the page. */
export const palette = (element) => (known ??= look(element));

function look(element) {
  const style = getComputedStyle(element);
  const colours = Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--heatmap-${name}`)]));
  return { ...colours, marks: { nan: pixel(colours.nan), infinite: pixel(colours.infinite) } };
}
