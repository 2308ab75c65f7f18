// The fixed anatomy of a lab: heading, faces, formula, controls, actions, the three panels, and the line that says what state
// it is in. Knows nothing of parameters or results.
import { h, say } from "../dom.js";
import { formula } from "./formula.js";
import { restOutOfSight } from "./out-of-sight.js";
import { hasText } from "../text.js";

const FACES = ["see", "code", "note"];
const PATIENCE = 150; // ms: what ends sooner is not announced, or the line would flicker under a slider

const prose = (words) => Array.from({ length: 9 }, (_, at) => `${words}.prose.${at + 1}`).filter(hasText).map((key) => h("p", { text: [key] }));

export function createFrame(parent, { id, actions = [] }, handlers) {
  const words = `labs.${id}`;
  const heading = `${id}-title`;
  const tabs = FACES.map((face) => h("button", { type: "button", dataset: { face }, text: [`lab.faces.${face}`], on: { click: () => show(face) } }));
  const math = h("div", { class: "formula", tabindex: "0", role: "group", label: ["lab.formula"] });
  const controls = h("div", { class: "controls", role: "group", label: ["lab.controls"] });
  const stop = h("button", { type: "button", class: "button", hidden: true, text: ["lab.stop"], on: { click: handlers.stop } });
  const run = h("button", { type: "button", class: "button main", text: ["lab.run"], on: { click: handlers.run } });
  const more = actions.map((action) => h("button", { type: "button", class: "button", text: [`${words}.actions.${action.id}`], dataset: { action: action.id }, on: { click: () => handlers.apply(action) } }));
  const restore = h("button", { type: "button", class: "button", text: ["lab.defaults"], on: { click: handlers.restore } });
  const status = h("span", { role: "status" });
  const problem = h("div", { class: "lab-error", role: "alert", hidden: true });
  const unknown = h("p", { class: "lab-unknown", role: "alert", hidden: true });
  const panels = Object.fromEntries(FACES.map((face) => [face, h("div", { class: `face ${face}` })]));
  const element = h("section", { class: "lab", id, "aria-labelledby": heading, dataset: { lab: id, state: "loading", source: "precomputed", face: "see" } },
    h("header", {},
      h("div", {}, h("h2", { id: heading, text: [`${words}.title`] }), h("p", { text: [`${words}.lead`] })),
      h("div", { class: "faces", role: "group", label: ["lab.faces.label"] }, tabs)),
    h("div", { class: "prose" }, prose(words)),
    math, controls,
    h("div", { class: "actions" }, run, stop, more, restore),
    h("p", { class: "lab-status" }, status), unknown, problem,
    h("div", { class: "panels" }, panels.code, panels.see, panels.note));
  parent.append(element);
  restOutOfSight(element);

  let slow = 0;
  let telling = 0;
  let written = []; // the formula's lines as they stand
  let sourceNow = "precomputed";

  function show(face) {
    element.dataset.face = face;
    for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset.face === face));
    panels.code.hidden = face !== "code";
    panels.note.hidden = face !== "note";
    panels.see.hidden = face === "note";
    handlers.face(face);
  }

  return {
    element, controls, show,
    see: panels.see, code: panels.code, note: panels.note,
    belowControls: (part) => controls.after(part),
    isLive: () => sourceNow === "live",
    params(params) {
      actions.forEach(({ when }, at) => (more[at].hidden = Boolean(when) && !when(params)));
    },
    formula(lines) {
      if (lines.length !== written.length) math.replaceChildren(...lines.map((tex) => formula(tex)));
      else lines.forEach((tex, at) => tex !== written[at] && math.children[at].replaceWith(formula(tex)));
      written = lines;
    },
    state(state, { waitsForPython = false } = {}) {
      element.dataset.state = state;
      element.setAttribute("aria-busy", String(state === "busy"));
      clearTimeout(slow);
      if (state === "ready" || state === "error") clearTimeout(telling);
      stop.hidden = true;
      if (state === "busy") slow = setTimeout(() => (stop.hidden = false), 400);
      if (state === "error") say(status, "text", waitsForPython ? "lab.noPython" : "lab.failed");
    },
    /** "waiting": a cell or another lab has the interpreter; "running": this lab has it. */
    progress(state) {
      clearTimeout(telling);
      if (sourceNow === "live") telling = setTimeout(() => say(status, "text", state === "waiting" ? "lab.waiting" : "lab.running"), PATIENCE);
    },
    source(source, { matches, edited, ms }) {
      sourceNow = source;
      element.dataset.source = source;
      if (source === "live" && ms === undefined) return; // a step on the way: still computing
      clearTimeout(telling);
      if (source === "live") say(status, "text", edited ? "lab.doneEdited" : "lab.done", { ms: ms < 10 ? ms.toFixed(1) : Math.round(ms) });
      else say(status, "text", matches ? "lab.precomputed" : "lab.precomputedOther");
    },
    /** Parameters that an address names and run() does not have. */
    unknown(names) {
      unknown.hidden = !names.length;
      if (names.length) say(unknown, "text", "lab.unknown", { names: names.join(", ") });
    },
    edited(isEdited) {
      element.toggleAttribute("data-edited", isEdited);
    },
    error(error) {
      problem.hidden = !error;
      problem.replaceChildren(...(error ? [h("strong", {}, `${error.type}: ${error.message}`), error.type !== "ValueError" && error.traceback && h("pre", {}, error.traceback)].filter(Boolean) : []));
    },
  };
}
