import { planColumns, planRows, rowLabelWidth } from "./axes.js";
import { fit } from "./fit.js";

const SHARE = 0.34; // of the width, at most, for row labels
export const TITLE = 24; // CSS px for an axis title

/** Cells and labels of a grid in `width` CSS px: { geometry (fit.js), rows, columns (axes.js) }. */
export function layout({ shape: [down, across], rows, cols }, { width, dpr, cell, rowTitle, measure }) {
  const beside = rowLabelWidth(rows, width * SHARE, measure);
  const geometry = fit({
    rows: down, cols: across, dpr, cell,
    width: width - beside - (rowTitle ? TITLE : 0),
    // Tokens against tokens; a matrix without labels is left to its proportions; labels on one side only: vectors.
    square: rows || cols ? Boolean(rows && cols) : undefined,
  });
  return { geometry, rows: planRows(rows, geometry, beside, measure), columns: planColumns(cols, geometry, measure) };
}
