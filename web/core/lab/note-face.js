// The Note face: what a reader takes away. A block that runs in a note, the lab as a section of a note, links, pictures, numbers.
// Python is asked for the block only while the face is open.
import { copy } from "../clipboard.js";
import { h, hush, say } from "../dom.js";
import { createDownloads } from "./downloads.js";
import { embedButton } from "./embed-code.js";
import { createNoteBlock } from "./note-block.js";
import { createNoteChoice } from "./note-choice.js";
import { createNotePreview } from "./note-preview.js";
import { withPicture } from "./note-section.js";
import { save } from "../save-file.js";
import { onLanguage, t } from "../text.js";
import { vaultLink } from "./vault-link.js";

/** tryCode(text): runs it in a code cell; there is none in a frame. cover: the array whose picture stands for the lab. */
export function createNoteFace(parent, { lab, cover, engine, stored, tryCode, address, params, archive }) {
  const status = h("span", { class: "status", role: "status" });
  const choice = createNoteChoice({ lab, kernels: stored.kernels, onChange: refresh });
  const preview = createNotePreview(lab);
  const settings = () => ({ params: { ...params() }, ...choice.get() });
  const block = createNoteBlock({ lab, engine, stored, settings, onChange: preview.show });
  let pictures = [];
  let open = false;
  let edited = false;
  let brought = false;

  const button = (name, run, ...more) => h("button", { type: "button", class: "button", dataset: { take: name }, on: { click: run } },
    h("span", { text: [`note.${name}`] }), ...more);
  /** Does it with the block of the settings of now; if there is none, says why. */
  const taking = (use) => async () => {
    const text = await block.current();
    if (text !== null) return use(text);
    say(status, "text", block.state === "waiting" ? "note.notYet" : "note.notThese");
  };
  const copyBlock = taking((text) => copy(text, status));
  const withSection = (use) => taking(async () => {
    if (!engine.alive) return say(status, "text", "note.notYet");
    say(status, "text", "note.making");
    // The section has the original code and no weights of the reader's: no picture of others.
    const picture = () => (edited || brought ? null : pictures.find(({ name }) => name === cover) ?? null);
    const section = withPicture(block.section(), picture, t(`labs.${lab}.title`));
    try {
      await use(section);
      await section;
    } catch (error) {
      say(status, "text", "note.refused", { reason: error.message });
    }
  });
  const copySection = withSection((section) => copy(section, status));
  const saveSection = withSection(async (section) => {
    const file = `${lab}.md`;
    save(new Blob([await section], { type: "text/markdown" }), file);
    say(status, "text", "note.saved", { file });
  });
  const link = () => new URL(address(), location.href).href;
  const main = button("copy", copyBlock, h("kbd", { "aria-hidden": "true", text: ["note.copyKey"] }));
  main.classList.add("main");
  main.setAttribute("aria-keyshortcuts", "Alt+C");

  parent.append(
    preview.element,
    h("div", { class: "note-actions" }, main, tryCode && button("try", taking(tryCode)), button("section", copySection), status),
    choice.element,
    h("h3", { text: ["note.links"] }),
    h("div", { class: "note-actions" }, button("link", () => copy(link(), status)), embedButton({ lab, address, status })),
    h("h3", { text: ["note.downloads"] }),
    h("div", { class: "note-actions" }, button("sectionFile", saveSection), vaultLink()));
  const downloads = createDownloads(parent, { lab, status, archive });
  parent.addEventListener("keydown", (event) => {
    if (event.code !== "KeyC" || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    copyBlock();
  });
  onLanguage(refresh);

  function refresh() {
    if (!open) return;
    preview.describe(choice.get());
    block.refresh();
  }

  return {
    /** The settings are others now; refresh() comes when the lab has its pictures. */
    changed() {
      hush(status);
      if (open) block.expire();
    },
    refresh,
    visible(now) {
      if (open === now) return;
      open = now;
      refresh();
    },
    edited(isEdited) {
      edited = isEdited;
      preview.edited(isEdited);
    },
    /** Whether the pictures are of a checkpoint, which no block has. */
    brought(isBrought) {
      brought = isBrought;
      preview.brought(isBrought);
    },
    /** [{name, index?, map}] as the board has them now. */
    pictures(now) {
      pictures = now;
      downloads.update(now);
    },
  };
}
