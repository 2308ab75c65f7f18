// What the block of a Note face is of, and for which place it is written.
import { h } from "../dom.js";

const FORMS = ["note", "short", "plain", "matplotlib"];

/** kernels: "<module>.<name>" of each function that has a block of its own */
export function createNoteChoice({ lab, kernels, onChange }) {
  const option = (value, ...words) => h("option", { value }, ...words);
  const choice = (name, children) => {
    const id = `${lab}-note-${name}`;
    const select = h("select", { id, on: { change: onChange } }, children);
    return { select, field: h("p", { class: "note-field" }, h("label", { for: id, text: [`note.${name}`] }), select) };
  };
  const modules = Map.groupBy(kernels, (kernel) => kernel.slice(0, kernel.lastIndexOf(".")));
  const form = choice("form", FORMS.map((each) => h("option", { value: each, text: [`note.forms.${each}`] })));
  const what = choice("what", [
    h("option", { value: "lab", text: ["note.wholeLab"] }),
    ...Array.from(modules, ([module, names]) => h("optgroup", { label: module.replace("seeformer.", "") },
      names.map((kernel) => option(kernel, kernel.slice(module.length + 1))))),
  ]);
  return {
    element: h("details", { class: "note-more" }, h("summary", { text: ["note.more"] }), what.field, form.field),
    get: () => ({ what: what.select.value, form: form.select.value }),
  };
}
