// A Python editor: CodeMirror with the few abilities that kernels and cells share.
import {
  Annotation, Compartment, EditorState, EditorView, Prec, bracketMatching, classHighlighter, defaultKeymap,
  highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, highlightSpecialChars, history,
  historyKeymap, indentOnInput, indentUnit, indentWithTab, keymap, lineNumbers, python, search, searchKeymap,
  syntaxHighlighting,
} from "../../vendor/codemirror.js";
import { h } from "../dom.js";
import { lineMarks, setErrorLines, setLitLine } from "./editor-marks.js";
import { phrases } from "./editor-phrases.js";
import { onLanguage, t } from "../text.js";

const programmatic = Annotation.define();
let count = 0;

/**
 * createEditor(parent, options) -> {get, set, focus, goTo, setErrors, lightLine, undo-able by the reader, destroy}
 *
 * doc         the first text
 * readOnly    true: can be read, searched and copied
 * label       accessible name: a text key with its values, ["cells.editor", {n: 1}], or a string
 * onChange    (text) after every change the reader makes, undo included; set() does not call it
 * onRun       Ctrl/Cmd+Enter;  onRunNext  Shift+Enter (left alone when absent)
 * extensions  further CodeMirror extensions
 */
export function createEditor(parent, { doc = "", readOnly = false, label, onChange, onRun, onRunNext, extensions = [] } = {}) {
  const hint = h("p", { class: "sr-only", id: `editor-hint-${++count}`, text: ["editor.tab_hint"] });
  const words = new Compartment();
  const inWords = () => [
    EditorState.phrases.of(phrases()),
    EditorView.contentAttributes.of({
      "aria-label": Array.isArray(label) ? t(...label) : label ?? t("editor.label"),
      "aria-describedby": hint.id,
      tabindex: "0", // it is focusable without; axe-core does not know
    }),
  ];
  const command = (action) => () => { action(view.state.doc.toString()); return true; };
  const runKeys = [
    ...(onRun ? ["Mod-Enter", "Ctrl-Enter"].map((key) => ({ key, run: command(onRun) })) : []),
    ...(onRunNext ? [{ key: "Shift-Enter", run: command(onRunNext) }] : []),
  ];

  const view = new EditorView({
    doc,
    extensions: [
      Prec.highest(keymap.of(runKeys)),
      lineMarks,
      lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), highlightSpecialChars(), highlightSelectionMatches(),
      history(), bracketMatching(), indentOnInput(), indentUnit.of("    "), EditorState.tabSize.of(4),
      python(), syntaxHighlighting(classHighlighter), search({ top: true }),
      // Escape, then Tab leaves the editor: CodeMirror sees to that itself.
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
      EditorState.readOnly.of(readOnly),
      words.of(inWords()),
      EditorView.updateListener.of((update) => {
        const byReader = update.transactions.some((tr) => tr.docChanged && !tr.annotation(programmatic));
        if (byReader) onChange?.(view.state.doc.toString());
      }),
      extensions,
    ],
  });
  const element = h("div", { class: "editor" }, hint, view.dom);
  parent.append(element);
  const offLanguage = onLanguage(() => view.dispatch({ effects: words.reconfigure(inWords()) }));

  const lineAt = (n) => view.state.doc.line(Math.min(Math.max(1, n), view.state.doc.lines));
  /** Scrolls the editor, never the page: the reader may be looking at something else. */
  function reveal(line) {
    const block = view.lineBlockAt(line.from);
    const box = view.scrollDOM;
    if (block.top < box.scrollTop) box.scrollTop = block.top;
    else if (block.bottom > box.scrollTop + box.clientHeight) box.scrollTop = block.bottom - box.clientHeight;
  }

  return {
    element,
    get: () => view.state.doc.toString(),
    set(text) {
      if (text === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, annotations: programmatic.of(true) });
    },
    focus: () => view.focus(),
    goTo(n) {
      view.dispatch({ selection: { anchor: lineAt(n).from }, scrollIntoView: true });
      view.focus();
    },
    /** [{line, message}], lines from 1; an empty list clears. Each mark goes when its line is edited. */
    setErrors(errors) {
      view.dispatch({ effects: setErrorLines.of(errors.map(({ line, message }) => ({ line: lineAt(line).number, message }))) });
      if (errors.length) reveal(lineAt(errors[0].line));
    },
    lightLine(n) {
      view.dispatch({ effects: setLitLine.of(n && n <= view.state.doc.lines ? n : null) });
      if (n) reveal(lineAt(n));
    },
    destroy() {
      offLanguage();
      view.destroy();
      element.remove();
    },
  };
}
