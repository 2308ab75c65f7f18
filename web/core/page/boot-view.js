// Shows how far Python's start is, in the rail; and, when a stage fails, what, why and Retry at the head of the page.
import { h, say } from "../dom.js";

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

export function createBootView(engine, notices) {
  const words = h("span", { role: "status" });
  const bar = h("progress", { max: 1, value: 0, label: ["boot.progress"] });
  const element = h("div", { class: "boot", dataset: { state: "starting" } }, h("div", { class: "line" }, h("i", { class: "dot" }), words), bar);
  const reason = h("code");
  const title = h("strong");
  const failure = h("div", { class: "boot-failure", role: "alert", hidden: true }, title, h("p", {}, reason), h("p", { text: ["boot.failedHint"] }),
    h("button", { type: "button", class: "button main", text: ["boot.retry"], on: { click: retry } }));
  notices.append(failure);

  function retry() {
    failure.hidden = true;
    element.dataset.state = "starting";
    engine.boot();
  }

  engine.on("stage", ({ id, state, loaded, total, message, versions }) => {
    if (state === "failed") {
      element.dataset.state = "failed";
      bar.hidden = true; // nothing is on its way any more
      say(title, "text", `boot.failed.${id}`);
      say(words, "text", `boot.failed.${id}`);
      reason.textContent = message;
      failure.hidden = false;
      return;
    }
    if (id === "ready") {
      element.dataset.state = "ready";
      say(words, "text", "boot.ready", versions);
      bar.hidden = true;
      return;
    }
    element.dataset.state = "starting";
    if (id === "download" && !total) return; // the first bytes tell how many there are
    bar.hidden = false;
    if (total) bar.value = loaded / total;
    else bar.removeAttribute("value");
    say(words, "text", `boot.${id}`, { loaded: megabytes(loaded ?? 0), total: megabytes(total ?? 0) });
  });
  return element;
}
