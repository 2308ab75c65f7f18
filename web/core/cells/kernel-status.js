// Whether Python loads, is ready, or works, and on what; with the Stop that ends it.
import { h, say } from "../dom.js";

const PATIENCE = 150; // ms: what ends sooner is not announced, or the words would flicker under a slider

/** createKernelStatus(parent, {engine, onStop, onChange(state)}) -> {state, destroy}; loading | ready | busy | failed */
export function createKernelStatus(parent, { engine, onStop, onChange }) {
  const words = h("span");
  const stop = h("button", { type: "button", class: "button", dataset: { action: "stop" }, text: ["cells.stop"], on: { click: onStop } });
  const element = h("div", { class: "kernel" }, h("i", { class: "kernel-dot" }), words, stop);
  parent.append(element);
  let booted = false;
  let failed = false;
  let busy = null;
  let soon = 0;

  function tell() {
    const state = failed ? "failed" : !booted ? "loading" : busy ? "busy" : "ready";
    if (element.dataset.kernel === state && state !== "busy") return;
    element.dataset.kernel = state;
    stop.disabled = state !== "busy";
    say(words, "text", `cells.kernel.${state === "busy" ? busy.kind : state}`);
    onChange(state);
  }
  function started() {
    booted = true;
    failed = false;
    tell();
  }

  const offs = [
    engine.on("stage", ({ id, state }) => {
      if (id === "ready" && state === "done") return started();
      booted = false;
      failed = state === "failed";
      tell();
    }),
    engine.on("restart", () => {
      booted = false;
      tell();
    }),
    engine.on("busy", (what) => {
      busy = what;
      clearTimeout(soon);
      if (busy) soon = setTimeout(tell, PATIENCE);
      else tell();
    }),
  ];
  tell();
  engine.ready.then(started, () => {}); // it may have started before this was mounted
  return {
    get state() { return element.dataset.kernel; },
    destroy() {
      clearTimeout(soon);
      for (const off of offs) off();
      element.remove();
    },
  };
}
