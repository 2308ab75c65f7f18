// Marks on an editor's lines: errors (gutter sign, wavy line, message below) and one softly lit line.
import { Decoration, EditorView, GutterMarker, RangeSet, StateEffect, StateField, WidgetType, gutter } from "../../vendor/codemirror.js";

/** [{line, message}], valid line numbers from 1 */
export const setErrorLines = StateEffect.define();
/** a valid line number, or null */
export const setLitLine = StateEffect.define();

class Message extends WidgetType {
  constructor(text) { super(); this.text = text; }
  eq(other) { return other.text === this.text; }
  toDOM() {
    const element = document.createElement("div");
    element.className = "editor-error-message";
    element.textContent = this.text;
    return element;
  }
}

const sign = new (class extends GutterMarker {
  elementClass = "editor-error-sign";
})();

const wavy = Decoration.mark({ class: "editor-error" });
const lit = Decoration.line({ class: "editor-lit" });

/** Each error keeps the range of its line: {from, to, message}. */
const errorLines = StateField.define({
  create: () => [],
  update(errors, tr) {
    if (tr.docChanged) {
      errors = errors
        .filter(({ from, to }) => !tr.changes.touchesRange(from, to))
        .map((error) => ({ ...error, from: tr.changes.mapPos(error.from), to: tr.changes.mapPos(error.to) }));
    }
    for (const effect of tr.effects) {
      if (effect.is(setErrorLines)) {
        errors = effect.value.map(({ line, message }) => {
          const { from, to } = tr.state.doc.line(line);
          return { from, to, message };
        });
      }
    }
    return errors;
  },
  provide: (field) => EditorView.decorations.compute([field], (state) => Decoration.set(state.field(field).flatMap(({ from, to, message }) => {
    const start = from + /^\s*/.exec(state.sliceDoc(from, to))[0].length;
    return [
      ...(start < to ? [wavy.range(start, to)] : []),
      Decoration.widget({ widget: new Message(message), side: 1, block: true }).range(to),
    ];
  }), true)),
});

const litLine = StateField.define({
  create: () => Decoration.none,
  update(marks, tr) {
    marks = marks.map(tr.changes);
    for (const effect of tr.effects) {
      if (effect.is(setLitLine)) {
        marks = effect.value ? Decoration.set(lit.range(tr.state.doc.line(effect.value).from)) : Decoration.none;
      }
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const signs = gutter({
  class: "editor-signs",
  markers: (view) => RangeSet.of(view.state.field(errorLines).map(({ from }) => sign.range(from)), true),
});

export const lineMarks = [signs, errorLines, litLine];
