// A lab as a section of a note, with one picture below: Markdown that needs no file beside it.
import { pictureName } from "./downloads.js";
import { png } from "../heatmap/export-image.js";

async function dataURL(blob) {
  const reader = new FileReader();
  reader.readAsDataURL(blob);
  return new Promise((resolve) => (reader.onload = () => resolve(reader.result)));
}

/** section: a promise of the text; picture() -> {name, index?, map} of the board as it then is, or null; lab: the lab's title */
export async function withPicture(section, picture, lab) {
  const text = await section;
  const chosen = picture();
  if (!chosen) return text;
  return `${text}\n![${lab}: ${pictureName(chosen)}](${await dataURL(await png(chosen.map.picture(), { scale: 2 }))})\n`;
}
