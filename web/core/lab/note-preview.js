// How a Note face shows its block: what it is, whether it is that of the settings above, and the code, to be read and selected.
import { h, say } from "../dom.js";
import { loadEditor } from "../editor/load-editor.js";

export function createNotePreview(lab) {
  const kind = h("span");
  const name = h("span");
  const help = h("p", { class: "help" });
  const edited = h("p", { class: "note-edited", hidden: true, text: ["note.edited"] });
  const brought = h("p", { class: "note-brought", hidden: true, text: ["note.brought"] });
  const refused = h("p", { class: "control-error", role: "alert", hidden: true });
  const state = h("p", { class: "note-state" });
  const box = h("div", { class: "note-code" });
  let editor = null;
  let latest = "";
  let isLab = true;

  async function put(text) {
    latest = text;
    const createEditor = await loadEditor();
    editor ??= createEditor(box, { readOnly: true, label: ["note.preview"] });
    editor.set(latest);
  }

  return {
    element: h("div", { class: "note-block" }, h("h3", {}, kind, " · ", name), help, edited, brought, refused, box, state),
    describe({ what, form }) {
      say(kind, "text", `note.titles.${form}`);
      say(help, "text", `note.help.${form}`);
      const code = h("code", { translate: "no" }, what.replace("seeformer.", ""));
      isLab = what === "lab";
      name.replaceChildren(what === "lab" ? h("span", { text: [`labs.${lab}.nav`] }) : code);
    },
    show({ state: now, text, error }) {
      box.dataset.state = now;
      if (text !== null) put(text);
      refused.hidden = !error;
      if (error) say(refused, "text", "note.refused", { reason: error.message });
      say(state, "text", `note.states.${now === "current" && !isLab ? "example" : now}`, { lines: text?.trimEnd().split("\n").length });
    },
    edited(isEdited) {
      edited.hidden = !isEdited;
    },
    brought(isBrought) {
      brought.hidden = !isBrought;
    },
  };
}
