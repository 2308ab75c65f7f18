// The pictures of one lab, linked: pointing at a cell of one lights the related rows, columns and cells in all of them.
// `copy: true` marks a second picture of the same array: it does not answer to data-heatmap.
// A picture is declared as {name, index?, rows?, cols?, …heatmap options}; rows and cols name string lists of the result; or as
// {kind: "chart", name, …chart options}, which gets the whole result.
import { chart } from "../chart/chart.js";
import { heatmap } from "../heatmap/heatmap.js";
import { at } from "./slice.js";

const asGrid = ({ data, shape }) => ({ data, shape: shape.length === 1 ? [1, shape[0]] : shape });

/** related(cell, values) -> [{name, index?, row?, col?, cells?}], an index left out means every index; onHover(cell | null). */
export function createBoard({ related, onHover }) {
  const pictures = [];
  let values = null;

  function gridOf({ name, index, rows, cols }) {
    const array = index === undefined ? values[name] : at(values[name], index);
    return { ...asGrid(array), rows: values[rows], cols: values[cols] };
  }

  function light(cell) {
    const lit = cell ? related(cell, values) : [];
    for (const { spec, map } of pictures) {
      map.highlight(lit.find(({ name, index }) => name === spec.name && (index === undefined || index === spec.index)) ?? null);
    }
    onHover(cell);
  }

  return {
    add(parent, spec) {
      const map = spec.kind === "chart" ? chart(parent, spec) : heatmap(parent, { ...spec, onHover: light });
      if (spec.copy) delete map.element.querySelector("canvas").dataset.heatmap;
      pictures.push({ spec, map });
      return map;
    },
    clear() {
      for (const { map } of pictures) map.destroy();
      pictures.length = 0;
    },
    /** [{name, index?, map}] of what is on the board now, copies left out. */
    pictures: () => pictures.filter(({ spec }) => !spec.copy).map(({ spec, map }) => ({ name: spec.name, index: spec.index, map })),
    setMode(mode) {
      for (const { spec, map } of pictures) if (spec.kind === "weights") map.setMode(mode);
    },
    update(next) {
      values = next;
      for (const { spec, map } of pictures) map.update(spec.kind === "chart" ? values : gridOf(spec));
    },
  };
}
