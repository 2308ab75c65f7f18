// Saves one picture of the lab: as a drawing (PNG, SVG) or as its numbers (CSV, NPY); or all its arrays in one file (NPZ).
import { h, say } from "../dom.js";
import { save } from "../save-file.js";
import { csv, npy } from "../heatmap/export-data.js";
import { png, svg } from "../heatmap/export-image.js";

const FORMATS = {
  png: (picture) => png(picture),
  svg: async (picture) => new Blob([(await svg(picture)).source], { type: "image/svg+xml" }),
  csv: ({ grid }) => new Blob([csv(grid)], { type: "text/csv" }),
  npy: ({ grid, array = grid }) => new Blob([npy(array)], { type: "application/octet-stream" }),
};

/** "weights 3" */
export const pictureName = ({ name, index }) => (index === undefined ? name : `${name} ${index + 1}`);

/** archive() -> a promise of the bytes of the file with everything that the lab's trace saw */
export function createDownloads(parent, { lab, status, archive }) {
  let pictures = [];
  const id = `${lab}-picture`;
  const select = h("select", { id });
  const buttons = Object.keys(FORMATS).map((format) => h("button", {
    type: "button", class: "button", dataset: { save: format }, on: { click: () => write(format) },
  }, format.toUpperCase()));
  const all = h("button", { type: "button", class: "button", dataset: { save: "npz" }, title: ["note.arraysHelp"], text: ["note.arrays"], on: { click: writeAll } });
  parent.append(h("div", { class: "note-actions" }, h("label", { for: id, text: ["note.picture"] }), select, buttons, all));

  async function write(format) {
    const chosen = pictures[select.selectedIndex];
    const file = `seeformer-${lab}-${pictureName(chosen).replace(" ", "-")}.${format}`;
    save(await FORMATS[format](chosen.map.picture()), file);
    say(status, "text", "note.saved", { file });
  }

  async function writeAll() {
    const file = `seeformer-${lab}.npz`;
    say(status, "text", "note.collecting");
    try {
      save(new Blob([await archive()], { type: "application/zip" }), file);
      say(status, "text", "note.saved", { file });
    } catch (error) {
      say(status, "text", error.stage ? "note.notYet" : "note.notSaved", { reason: error.message });
    }
  }

  return {
    update(now) {
      const before = select.value;
      pictures = now;
      const labels = pictures.map(pictureName);
      if (JSON.stringify(labels) === JSON.stringify(Array.from(select.options, (option) => option.text))) return;
      select.replaceChildren(...labels.map((text) => h("option", {}, text)));
      if (labels.includes(before)) select.value = before;
    },
  };
}
