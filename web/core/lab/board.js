// The pictures of one lab, linked: pointing at a cell of one lights the related rows, columns and cells in all of them.
// `copy: true` marks a second picture of the same array: it does not answer to data-heatmap.
// A picture is declared as {name, index?, rows?, cols?, …heatmap options}; rows and cols name string lists of the result; or as
// {kind: "chart", name, …chart options}, which gets the whole result; or as {kind: "multiples", name, rows?, cols?, chosen?(values),
// silenced?(values), …} for an array [layers, heads, rows, cols].
import { chart } from "../chart/chart.js";
import { heatmap } from "../heatmap/heatmap.js";
import { multiples } from "../heatmap/multiples.js";
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

  const stackOf = ({ name, rows, cols, chosen, silenced }) => ({ ...values[name], rows: values[rows], cols: values[cols], chosen: chosen?.(values), silenced: silenced?.(values) });

  // What a kind of picture is made by, and what it is given.
  const KINDS = {
    chart: [chart, () => values],
    multiples: [(parent, { kind, of = "weights", ...spec }) => multiples(parent, { ...spec, kind: of, onHover: light }), stackOf],
  };
  const kindOf = ({ kind }) => KINDS[kind] ?? [(parent, spec) => heatmap(parent, { ...spec, onHover: light }), gridOf];

  function light(cell) {
    const lit = cell ? related(cell, values) : [];
    for (const { spec, map } of pictures) {
      map.highlight(lit.find(({ name, index }) => name === spec.name && (index === undefined || index === spec.index)) ?? null);
    }
    onHover(cell);
  }

  return {
    add(parent, spec) {
      const map = kindOf(spec)[0](parent, spec);
      if (spec.copy) delete map.element.querySelector("canvas").dataset.heatmap;
      pictures.push({ spec, map });
      return map;
    },
    remove(map) {
      pictures.splice(pictures.findIndex((each) => each.map === map), 1);
      map.destroy();
    },
    clear() {
      for (const { map } of pictures) map.destroy();
      pictures.length = 0;
    },
    /** [{name, index?, map}] of what is on the board now, copies left out. */
    pictures: () => pictures.filter(({ spec }) => !spec.copy).map(({ spec, map }) => ({ name: spec.name, index: spec.index, map })),
    setMode(mode) {
      for (const { spec, map } of pictures) if (["weights", "multiples"].includes(spec.kind)) map.setMode(mode);
    },
    update(next) {
      values = next;
      for (const { spec, map } of pictures) map.update(kindOf(spec)[1](spec));
    },
  };
}
