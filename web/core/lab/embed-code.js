// The <iframe> that shows a lab, with its current parameters, in somebody's page (core/page/embed.js is what it opens).
import { copy } from "../clipboard.js";
import { h } from "../dom.js";
import { t } from "../text.js";

// For hosts that do not listen to the frame's own word on its height (notes, most blogs): a screenful; the rest scrolls inside.
const HEIGHT = 720;

const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text) => text.replace(/[&<>"]/g, (sign) => SIGNS[sign]);

export function embedCode({ hash, title }) {
  const src = new URL(`?embed=1${hash}`, location.href).href;
  return `<iframe src="${escape(src)}" width="100%" height="${HEIGHT}" style="border:0" loading="lazy" title="${escape(title)}"></iframe>`;
}

/** address() -> "#lab?…" of now; status says whether copying worked. */
export const embedButton = ({ lab, address, status }) => h("button", {
  type: "button", class: "button", dataset: { action: "embed" }, text: ["note.embed"], title: ["note.embedHelp"],
  on: { click: () => copy(embedCode({ hash: address(), title: t(`labs.${lab}.title`) }), status) },
});
