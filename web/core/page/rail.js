// The contents rail: one entry a lab, the code cells, the state of Python, language and colours.
import { h, say } from "../dom.js";
import { read, write } from "../storage.js";
import { language, LANGUAGES, onLanguage, setLanguage } from "../text.js";

const THEMES = ["auto", "light", "dark"];

function themeButton() {
  let theme = read("theme") ?? "auto";
  const button = h("button", { type: "button", class: "button", on: { click: () => set(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]) } });
  function set(next) {
    theme = next;
    write("theme", theme === "auto" ? null : theme);
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    say(button, "text", `page.theme.${theme}`);
    say(button, "title", "page.theme.label");
  }
  set(THEMES.includes(theme) ? theme : "auto");
  return button;
}

function languageButton() {
  const other = () => LANGUAGES.find((code) => code !== language());
  const button = h("button", { type: "button", class: "button", text: ["page.otherLanguage"], lang: other(), on: { click: () => setLanguage(other()) } });
  onLanguage(() => button.setAttribute("lang", other()));
  return button;
}

/** entries: [{id, key}], key = the text of the link; python: what tells of Python. Marks the entry that is being read. */
export function createRail(parent, entries, python) {
  const links = entries.map(({ id, key }) => h("a", { class: "entry", href: `#${id}`, text: [key] }));
  const brand = h("a", { class: "brand", href: "#main" }, "see", h("span", {}, "former"));
  parent.append(brand, h("div", { class: "entries" }, links), h("div", { class: "foot" }, python, h("div", { class: "switches" }, languageButton(), themeButton())));
  say(parent, "label", "page.contents");

  const seen = new Map();
  const watcher = new IntersectionObserver((changes) => {
    for (const { target, intersectionRect } of changes) seen.set(target.id, intersectionRect.height);
    const most = entries.map(({ id }) => id).reduce((best, id) => ((seen.get(id) ?? 0) > (seen.get(best) ?? 0) ? id : best));
    links.forEach((link, at) => (entries[at].id === most ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
  }, { threshold: [0, 0.1, 0.25, 0.5, 0.75, 1] });
  return { follow: () => entries.forEach(({ id }) => watcher.observe(document.getElementById(id))) };
}
