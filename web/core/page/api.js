// window.seeformer: the page for other programs, a headless test first of all.
import { labs, version } from "../../labs/index.js";
import { deferred } from "../engine/deferred.js";

/** Installs it at once; the page says at each live result, and when Python did not start. */
export function installApi(engine) {
  let live;
  let settled;
  renew();

  window.seeformer = {
    /** Resolves when the first lab's live result is painted; rejects if Python did not start, and is anew after a Retry. */
    get ready() {
      return live.promise;
    },
    labs: Object.keys(labs),
    version,
    wheelURL: engine.wheelURL(),
    async call(lab, params, options) {
      const { onUpdate, edits } = options ?? {};
      const { values } = await engine.call(lab, params, { edits, onUpdate: onUpdate && ((step) => onUpdate(step.values)) });
      return values;
    },
    run: (code) => engine.runCell(String(code ?? "")),
    stop: () => engine.stop(),
    reset: () => engine.reset(),
  };

  function renew() {
    live = deferred();
    live.promise.catch(() => {}); // told on the page; nobody has to listen here
    settled = null;
  }
  engine.on("stage", ({ state }) => state === "running" && settled === "reject" && renew()); // a Retry

  const end = (how) => (value) => {
    if (settled === how) return;
    if (settled) renew();
    settled = how;
    live[how](value);
  };
  return { markReady: end("resolve"), markFailed: end("reject") };
}
