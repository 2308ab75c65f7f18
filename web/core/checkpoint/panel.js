// What a reader sees of a checkpoint: where to drop its files, which are still missing, what is in use, what went wrong.
import { h, hush, say } from "../dom.js";
import { language, onLanguage, t } from "../text.js";

const W = "checkpoint";
const UNITS = [["GB", 1e9], ["MB", 1e6], ["kB", 1e3], ["B", 1]];

function size(bytes) {
  const [unit, one] = UNITS.find(([, each]) => bytes >= each) ?? UNITS.at(-1);
  return `${Number((bytes / one).toPrecision(3))} ${unit}`;
}

const listed = (words) => new Intl.ListFormat(language(), { type: "conjunction" }).format(words);

/** families: what the lab takes; wantsTokenizer; onFiles([File]), onRandom() -> {element, files, step, used, error, left} */
export function createPanel({ id, families, wantsTokenizer, onFiles, onRandom }) {
  const title = h("span");
  const picker = h("input", { type: "file", multiple: true, hidden: true, on: { change: () => (onFiles([...picker.files]), (picker.value = "")) } });
  const choose = h("button", { type: "button", class: "button", id: `${id}-choose`, text: [`${W}.choose`], on: { click: () => picker.click() } });
  const random = h("button", { type: "button", class: "button", hidden: true, text: [`${W}.random`], on: { click: onRandom } });
  const list = h("ul", { class: "checkpoint-files", hidden: true, label: [`${W}.files`] });
  const status = h("p", { class: "checkpoint-status", role: "status" });
  const problem = h("p", { class: "control-error", id: `${id}-error`, role: "alert", hidden: true });
  const left = h("p", { class: "help", hidden: true });
  const what = wantsTokenizer ? "withTokenizer" : "alone";
  const element = h("details", { class: "checkpoint", id, dataset: { checkpoint: "random", step: "quiet" } },
    h("summary", {}, title),
    h("div", { class: "checkpoint-zone" },
      h("p", { text: [`${W}.what.${what}`, { families: families.join(", ") }] }),
      h("p", { class: "help", text: [`${W}.privacy`] }),
      h("div", { class: "row-actions" }, choose, picker, random),
      list, left, status, problem));

  let toldStep = () => {};
  let toldError = () => {};
  let toldLeft = () => {};
  onLanguage(() => [toldStep, toldError, toldLeft].forEach((tell) => tell()));

  return {
    element,
    open: () => (element.open = true),
    files(parts) {
      list.hidden = !parts.size;
      list.replaceChildren(...Array.from(parts, ([part, file]) => h("li", { dataset: { part } },
        h("code", { translate: "no" }, file.name), " ", h("span", { translate: "no" }, size(file.size)))));
    },
    /** What came of the files: "quiet", "missing" {parts}, "reading" {file}, "used" {file, family, parameters} */
    step(step, vars = {}) {
      element.dataset.step = step;
      const words = () => ({
        ...vars,
        file: vars.file?.name,
        size: vars.file && size(vars.file.size),
        parameters: vars.parameters?.toLocaleString(language()),
        parts: vars.parts && listed(vars.parts.map((part) => t(`${W}.parts.${part}`))),
      });
      toldStep = () => {
        if (step === "quiet") hush(status);
        else say(status, "text", `${W}.steps.${step}`, words());
      };
      toldStep();
    },
    /** The weights that the pictures are of: a file, or null for random ones. */
    used(file) {
      element.dataset.checkpoint = file ? "used" : "random";
      say(title, "text", file ? `${W}.titleUsed` : `${W}.title`, { file: file?.name });
      random.hidden = !file;
    },
    /** [text key, vars], or a text of Python's, or null */
    error(why) {
      problem.hidden = !why;
      toldError = () => (problem.textContent = Array.isArray(why) ? t(...why) : why ?? "");
      toldError();
      if (why) choose.setAttribute("aria-describedby", problem.id);
      else choose.removeAttribute("aria-describedby");
    },
    /** Files that were not taken: [[why, name]] */
    left(files) {
      left.hidden = !files.length;
      toldLeft = () => (left.textContent = files.map(([why, file]) => t(`${W}.left.${why}`, { file })).join(" "));
      toldLeft();
    },
  };
}
