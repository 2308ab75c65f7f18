// Curves, bars, histograms as an SVG by Observable Plot: chart(container, options) -> { element, update, highlight, picture, destroy },
// the same shape as heatmap(), so that a board holds both. The library is fetched when the first chart needs it.
import { exported } from "./export-chart.js";
import { h } from "../dom.js";
import { watchRoom } from "../heatmap/room.js";
import { tableTwin } from "../heatmap/table-twin.js";
import { onLanguage } from "../text.js";
import { turn } from "../turn.js";

const NARROWEST = 200; // CSS px: while a window is being resized there may be no room at all, and no bar has a negative width

let library = null;
const load = () => (library ??= import("../../vendor/plot.js"));

const series = Array.from({ length: 6 }, (_, at) => `var(--series-${at + 1})`);
const INK = { ink: "var(--ink)", soft: "var(--soft)", rule: "var(--rule)", edge: "var(--edge)", accent: "var(--accent)", card: "var(--card)", series };

const asGrid = ({ data, shape }) => ({ data, shape: shape.length === 1 ? [1, shape[0]] : [shape[0], data.length / shape[0]] });

/**
 * options: name; array (the result's array behind the picture: its table twin, and its CSV and NPY); caption [text key, vars];
 * plot(values, Plot, ink, lit) -> options of Plot.plot; label(values) -> what the picture shows, in a sentence; height, maxWidth.
 * `ink` has the theme's colours by name, six for `series`, and the drawing's `width`; `lit` is what the board highlights here, or null.
 */
export function chart(container, { name, array, caption, plot, label, height = 240, maxWidth = 560 }) {
  const words = h("figcaption", {}, caption && h("b", { text: caption }));
  const surface = h("div", { class: "chart-drawing", style: `min-height: ${height}px` });
  const twin = tableTwin();
  const element = h("figure", { class: "chart", style: `width: ${maxWidth}px`, dataset: { chart: name } }, words, surface, twin.element);
  container.append(element);
  let [values, lit, gone] = [null, null, false];
  const painting = turn(element, surface, draw);
  const room = watchRoom(element, later);
  const stopLanguage = onLanguage(later);

  function later() {
    if (values) painting.ask();
  }

  async function draw() {
    const Plot = await load();
    if (gone) return;
    const said = label(values);
    const width = Math.max(NARROWEST, Math.min(maxWidth, room.width));
    const svg = Plot.plot({
      width, height, marginTop: 24, marginLeft: 48,
      ...plot(values, Plot, { ...INK, width }, lit),
      ariaLabel: said, style: { fontSize: "12px", fontFamily: "var(--sans)", overflow: "visible" },
    });
    svg.setAttribute("role", "img");
    for (const mark of svg.querySelectorAll("[aria-label]")) { // inside an image nobody hears them, and a <g> may not have one
      mark.dataset.mark = mark.getAttribute("aria-label");
      mark.removeAttribute("aria-label");
    }
    surface.replaceChildren(svg);
    twin.update(said, asGrid(values[array]));
  }

  return {
    element,
    update(next) {
      values = next;
      later();
    },
    highlight(next) {
      if (next === lit) return;
      lit = next;
      if (plot.length > 3) later();
    },
    /** What an exported picture needs (export-image.js, export-data.js). */
    picture: () => ({
      name,
      grid: asGrid(values[array]),
      async drawing() {
        await painting.now(); // what is out of sight may be of older values
        return exported(surface.firstChild, words.textContent);
      },
    }),
    destroy() {
      gone = true;
      painting.end();
      room.stop();
      stopLanguage();
      element.remove();
    },
  };
}
