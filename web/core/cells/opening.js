// The three cells that open the section: files in web/cells/ whose {{text.key}} holes are filled in the page's language.
import { site } from "../../site.js";
import { t } from "../text.js";

const FILES = { attention: "1-attention.py", positional: "2-positional.py", mask: "3-mask.py" };
const templates = {};

export async function loadOpening() {
  await Promise.all(Object.entries(FILES).map(async ([name, file]) => {
    const reply = await fetch(new URL(`web/cells/${file}`, site));
    if (!reply.ok) throw new Error(`web/cells/${file}: HTTP ${reply.status}`);
    templates[name] = (await reply.text()).trimEnd();
  }));
}

/** In order, those that could be loaded. */
export const openingNames = () => Object.keys(FILES).filter((name) => name in templates);

export const openingSource = (name) => templates[name].replace(/\{\{([\w.]+)\}\}/g, (hole, key) => t(key));
