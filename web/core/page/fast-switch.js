// Turns seeformer.fast off and on for all labs and cells, says which loops run, and remembers it until the tab is closed.
import { h, say } from "../dom.js";
import { read, write } from "../storage.js";

const KEY = "fast";
const WHERE = "sessionStorage";

export function createFastSwitch(engine) {
  let wanted = read(KEY, WHERE) !== false;
  const box = h("input", { type: "checkbox", on: { change: () => (write(KEY, box.checked ? null : false, WHERE), turn(box.checked)) } });
  const words = h("span", { role: "status" });
  const element = h("div", { class: "fast-switch", hidden: true }, h("label", { title: ["fast.help"] }, box, h("span", { text: ["fast.label"] })), words);

  function show({ enabled, build, reason }) {
    element.hidden = false;
    box.checked = enabled;
    box.disabled = wanted && !enabled; // it cannot be had here
    element.dataset.fast = enabled ? build : "off";
    if (box.disabled) say(words, "text", "fast.refused", { reason });
    else say(words, "text", enabled ? `fast.${build}` : "fast.off");
  }

  /** Before whatever waits, so that all that comes runs on the loops that were chosen. */
  function turn(on) {
    wanted = on;
    engine.fast(on).then(show, () => (box.checked = !on)); // the head of the page tells of a Python that is not there
  }

  engine.on("stage", ({ id, versions }) => {
    if (id !== "ready") return;
    show(versions.fast);
    if (!wanted) turn(false); // another Python always begins with them on
  });
  return element;
}
