import { h } from "../dom.js";

const CJK = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;

/** A standing Latin word reads from bottom to top; Chinese keeps its characters upright. */
export const standsTurned = (text) => !CJK.test(text);

/** The labels of one axis as elements. `side` is "rows" (beside the picture) or "columns" (above it). */
export function axisLabels(side) {
  const element = h("div", { class: `heatmap-${side}`, "aria-hidden": "true" });
  const visitor = h("span", { class: "on visitor", hidden: true }); // shows a label that was thinned out, while it is current
  const along = side === "rows" ? "top" : "left";
  let [texts, spans, marked, place] = [[], new Map(), [], () => 0];

  function write(span, { text, full, center }, upright) {
    span.textContent = text;
    span.title = text === full ? "" : full;
    span.style[along] = `${center}px`;
    span.dataset.stands = upright ? "" : standsTurned(full) ? "turned" : "stacked";
  }

  return {
    element,
    /** Draws a plan (axes.js); spans are kept where the same number of labels stays. `placeOf(index)` → its centre. */
    update(plan, labels, placeOf) {
      if (spans.size !== plan.items.length) element.replaceChildren(...plan.items.map(() => h("span")), visitor);
      element.style[side === "rows" ? "width" : "height"] = `${plan.size}px`;
      element.dataset.upright = plan.upright;
      spans = new Map(plan.items.map((item, at) => [item.index, element.children[at]]));
      for (const item of plan.items) write(spans.get(item.index), item, plan.upright);
      [texts, place] = [labels ?? [], placeOf];
      this.mark(marked);
    },
    /** Emphasises the labels of these indices. */
    mark(indices) {
      for (const index of marked) spans.get(index)?.classList.remove("on");
      marked = indices;
      for (const index of marked) spans.get(index)?.classList.add("on");
      const thinned = marked.find((index) => index < texts.length && !spans.has(index));
      visitor.hidden = thinned === undefined;
      if (thinned !== undefined) {
        write(visitor, { text: texts[thinned], full: texts[thinned], center: place(thinned) }, element.dataset.upright === "true");
      }
    },
  };
}
