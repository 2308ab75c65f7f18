// What the page takes of CodeMirror 6; build.py bundles it into web/vendor/codemirror.js.
export { Annotation, Compartment, EditorState, Prec, RangeSet, StateEffect, StateField } from "@codemirror/state";
export {
  Decoration, EditorView, GutterMarker, WidgetType, gutter, highlightActiveLine, highlightActiveLineGutter,
  highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, undo } from "@codemirror/commands";
export { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree } from "@codemirror/language";
export { python, pythonLanguage } from "@codemirror/lang-python";
export { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
export { classHighlighter } from "@lezer/highlight";
