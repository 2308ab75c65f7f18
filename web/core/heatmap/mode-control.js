import { h } from "../dom.js";

/** A small choice of scale modes; null where there is nothing to choose. */
export function modeControl(modes, chosen, onChoose) {
  if (modes.length < 2) return null;
  const element = h("select", { class: "heatmap-mode", label: ["heatmap.mode.label"], on: { change: () => onChoose(element.value) } },
    modes.map((mode) => h("option", { value: mode, selected: mode === chosen, text: [`heatmap.mode.${mode}`] })));
  return { element, set: (mode) => (element.value = mode) };
}
