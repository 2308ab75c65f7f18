// The whole course as a vault, in the reader's language; build.py puts the file there.
import { site } from "../../site.js";
import { h } from "../dom.js";
import { language, onLanguage } from "../text.js";

export function vaultLink() {
  const link = h("a", { class: "button", download: "", text: ["note.vault"] });
  const follow = () => { link.href = new URL(`downloads/seeformer-vault-${language()}.zip`, site).href; };
  follow();
  onLanguage(follow);
  return link;
}
