// The Note face: what a reader takes away. Link, code for a note, and each array as picture or numbers.
import { copy } from "../clipboard.js";
import { h } from "../dom.js";
import { createDownloads } from "./downloads.js";
import { embedButton } from "./embed-code.js";
import { snippet } from "./snippet.js";

export function createNoteFace(parent, { lab, engine, address, params }) {
  const status = h("span", { class: "status", role: "status" });
  const code = h("pre", { class: "snippet", tabindex: "0", role: "group", label: ["note.codeTitle"] });
  const text = () => snippet(lab, engine.wheelURL(), params());
  const link = () => new URL(address(), location.href).href;
  parent.append(
    h("p", { class: "help", text: ["note.lead"] }),
    h("h3", { text: ["note.codeTitle"] }),
    h("p", { class: "help", text: ["note.codeHelp"] }),
    code,
    h("div", { class: "note-actions" },
      h("button", { type: "button", class: "button main", text: ["note.code"], on: { click: () => copy(text(), status) } }),
      h("button", { type: "button", class: "button", text: ["note.link"], on: { click: () => copy(link(), status) } }),
      embedButton({ lab, address, status }),
      status));
  const downloads = createDownloads(parent, { lab, status });
  return {
    /** pictures: [{name, index?, map}] as the board has them now. */
    update(pictures) {
      code.textContent = text();
      downloads.update(pictures);
    },
  };
}
