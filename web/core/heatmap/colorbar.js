// The bar is a picture of one row, painted by the same scale and raster as the cells; its numbers are the scale's own ticks.
import { h, mark, write } from "../dom.js";
import { number } from "../format.js";
import { imageData, raster } from "./raster.js";
import { valueAt } from "./scale.js";
import { t } from "../text.js";

const WIDTH = 256;

/** The bar's pixels, WIDTH × 1. */
export function barPixels(scale, map, marks) {
  const row = Float32Array.from({ length: WIDTH }, (_, x) => valueAt(scale, x / (WIDTH - 1)));
  return raster({ data: row, shape: [1, WIDTH] }, { ...scale, ends: () => scale.ends(scale.barRow) }, map, marks);
}

export const tickText = ({ value, bound = "", word }) => (word ? t(word) : `${bound && `${bound} `}${number(value, 3)}`);

/** What the bar cannot show: [kind, text key] of the special values that occur. */
export const specials = (extent) =>
  ["hidden", "nan", "infinite"].filter((kind) => extent[kind]).map((kind) => [kind, `heatmap.legend.${kind}`]);

export function colorbar() {
  const canvas = h("canvas", { width: WIDTH, height: 1 });
  const context = canvas.getContext("2d");
  const ticks = h("div", { class: "heatmap-ticks" });
  const legend = h("div", { class: "heatmap-legend" });
  const element = h("div", { class: "heatmap-bar" }, h("div", { class: "heatmap-ramp" }, canvas, ticks), legend);

  const grown = (parent, count, make) => {
    while (parent.children.length > count) parent.lastChild.remove();
    while (parent.children.length < count) parent.append(make());
    return [...parent.children];
  };

  return {
    element,
    update(scale, map, marks, extent) {
      context.putImageData(imageData(barPixels(scale, map, marks), WIDTH, 1), 0, 0);
      grown(ticks, scale.ticks.length, () => h("span")).forEach((span, i) => {
        const tick = scale.ticks[i];
        write(span, tickText(tick));
        mark(span, "style", `left: ${tick.at * 100}%`);
        mark(span, "data-end", tick.at === 0 ? "low" : tick.at === 1 ? "high" : "");
      });
      const special = specials(extent);
      grown(legend, special.length, () => h("span", {}, h("i"), h("b"))).forEach((entry, i) => {
        const [kind, key] = special[i];
        mark(entry, "data-kind", kind);
        write(entry.lastChild, t(key));
      });
    },
  };
}
