// Colour maps as look-up tables: position 0 … 1 of a scale becomes one of STEPS colours. All maps are safe for colour-blind
// readers: viridis for weights, blue – white – red (low – 0 – high) for signed values, paper to ink for pictures.
import { interpolateRdBu, interpolateViridis } from "../../vendor/colors.js";

const STEPS = 1025; // odd, so that the middle of a diverging map is exactly its neutral colour

const channels = (css) =>
  css[0] === "#" ? [1, 3, 5].map((at) => parseInt(css.slice(at, at + 2), 16)) : css.match(/[\d.]+/g).slice(0, 3).map(Number);

/** A CSS colour as the four bytes of one pixel, in this machine's own byte order. */
export const pixel = (css) => new Uint32Array(new Uint8Array([...channels(css), 255]).buffer)[0];

export const css = (word) => `rgb(${new Uint8Array(new Uint32Array([word]).buffer).slice(0, 3).join(", ")})`;

const table = (interpolate) => Uint32Array.from({ length: STEPS }, (_, step) => pixel(interpolate(step / (STEPS - 1))));

const PAPER = 234; // not white: its edge shows on a white page too
const grey = (at) => `rgb(${Array(3).fill(Math.round(PAPER * (1 - at)))})`;

export const MAPS = { weights: table(interpolateViridis), signed: table((at) => interpolateRdBu(1 - at)), picture: table(grey) };

const linear = (byte) => (byte <= 10 ? byte / 3294 : ((byte / 255 + 0.055) / 1.055) ** 2.4);

/** Black or white, whichever has the greater WCAG contrast on a pixel. */
export function inkOn(word) {
  const [red, green, blue] = new Uint8Array(new Uint32Array([word]).buffer);
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return luminance > 0.179 ? "#000" : "#fff";
}
