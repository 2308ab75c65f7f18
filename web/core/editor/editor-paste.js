// Pasted or dropped code is cleaned (paste.js) in a transaction of its own, so that one Undo brings the raw paste back.
import { EditorView, isolateHistory, syntaxTree, undo } from "../../vendor/codemirror.js";
import { cleanPaste } from "./paste.js";

const isPaste = (tr) => tr.isUserEvent("input.paste") || tr.isUserEvent("input.drop");

/** A multi-line string may hold anything, numbered lines too. */
function insideString(state, at) {
  const node = syntaxTree(state).resolveInner(at, -1);
  return /String$/.test(node.name) && node.from < at && at < node.to;
}

function onlyInsertion(tr) {
  const insertions = [];
  tr.changes.iterChanges((fromA, toA, from, to, text) => insertions.push({ at: fromA, from, to, text: text.toString() }));
  return insertions.length === 1 ? insertions[0] : null;
}

/** An editor extension; onCleaned({what, undo}) after a cleaning, onCleaned(null) when a later change makes it history. */
export const pasteCleaning = (onCleaned) => EditorView.updateListener.of(({ view, docChanged, transactions, startState }) => {
  if (!docChanged) return;
  onCleaned(null);
  const pasted = transactions.length === 1 && isPaste(transactions[0]) && onlyInsertion(transactions[0]);
  if (!pasted || insideString(startState, pasted.at)) return;
  const { text, what } = cleanPaste(pasted.text);
  if (!what) return;
  view.dispatch({
    changes: { from: pasted.from, to: pasted.to, insert: text },
    selection: { anchor: pasted.from + text.length },
    annotations: isolateHistory.of("full"),
    userEvent: "input.clean",
    scrollIntoView: true,
  });
  onCleaned({ what, undo: () => { undo(view); view.focus(); } });
});
