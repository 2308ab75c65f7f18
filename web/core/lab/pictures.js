// Declarations of the pictures that most labs have (see board.js): vectors, a row a token, and pairs of tokens.
// `rows: "tokens"` names the string list of the result that labels the rows.

/** [n, d]: one row a token, any sign. */
export const signed = (name, options = {}) => ({ name, kind: "signed", rows: "tokens", ...options });

/** [n, n], or one head of [h, n, n]: rows are queries, columns keys. */
export const pairwise = (name, index, options = {}) => ({
  name, index, kind: "signed", rows: "tokens", cols: "tokens", rowAxis: "heatmap.query", colAxis: "heatmap.key", ...options,
});

/** The same for weights, 0 to 1; one modeSwitch() (stage.js) sets the scale of them all. */
export const weighty = (name, index, options = {}) => pairwise(name, index, { kind: "weights", modes: [], ...options });
