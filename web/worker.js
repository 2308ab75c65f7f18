// The worker: one Python interpreter, driven by web/core/engine/session.js through Comlink. Events (stages, output, updates)
// go by plain messages on the same port, which keeps them in order with the answers; Comlink ignores them.
import { expose, transfer } from "./vendor/comlink.js";
import { boot } from "./worker/boot.js";
import { inPieces } from "./worker/in-pieces.js";

let python;
let interrupts;

const tell = (event, transferred = []) => postMessage(event, transferred);

/** A Python answer with one flat array: moved to the page, not copied again. */
const moved = (answer) => (answer.buffer ? transfer(answer, [answer.buffer.buffer]) : answer);

/** An exit, an abort, a full stack: Pyodide marks what it cannot survive, and the page must start another worker. */
function tellIfEnd(error) {
  if (error?.pyodide_fatal_error) tell({ event: "end", message: `Python has ended: ${error.message}` });
}
addEventListener("error", ({ error }) => tellIfEnd(error));
addEventListener("unhandledrejection", ({ reason }) => tellIfEnd(reason));

async function guarded(work) {
  try {
    return await work();
  } catch (error) {
    tellIfEnd(error);
    throw error;
  }
}

// The page's first worker begins before the page is there to hear of it; one that follows gets the files from the page.
let listens = false;
const untold = [];
const start = (kept) => boot(kept, (stage) => (listens ? tell({ event: "stage", stage }) : untold.push(stage)));
const begun = globalThis.name === "first" ? start() : null;
begun?.catch(() => {}); // told when the page asks

expose({
  async boot(options) {
    interrupts = options.interrupts;
    for (const stage of untold.splice(0)) tell({ event: "stage", stage });
    listens = true;
    try {
      python = await (begun ?? start(options.kept));
      python.stopWith(interrupts);
      const { versions, kept } = python;
      return transfer({ versions, kept }, Object.values(kept.files).map((bytes) => bytes.buffer));
    } catch (error) {
      const { message, stage, file, reason, status } = error;
      return { error: { type: error.name, message, stage, file, reason, status } };
    }
  },

  call: (job, lab, params, edits) =>
    guarded(async () => {
      await python.later.forLab(lab, edits);
      const started = performance.now();
      const onUpdate = (update) => tell({ event: "update", job, update }, [update.buffer.buffer]);
      const answer = python.bridge.call(lab, params, edits, onUpdate);
      answer.ms = performance.now() - started;
      setTimeout(python.later.begin); // the answer goes first
      return moved(answer);
    }),

  archive: (lab, params, edits) =>
    guarded(async () => {
      await python.later.forLab(lab, edits);
      const answer = python.bridge.archive(lab, params, edits);
      return answer.bytes ? transfer(answer, [answer.bytes.buffer]) : answer;
    }),

  note: (request) => guarded(() => python.bridge.note(request)),

  fast: (on) => guarded(() => python.bridge.switch_fast(on)),

  bring: (name, file, texts) => guarded(() => python.bridge.bring(name, inPieces(file), texts)),

  forget: (name) => guarded(() => python.bridge.forget(name)),

  runCell: (job, code, name) =>
    guarded(async () => {
      await python.later.forCell();
      const running = python.bridge.run_cell(code, name, (output) => tell({ event: "output", job, output }));
      try {
        return await running;
      } finally {
        running.destroy();
      }
    }),

  /** A Stop, for a cell that awaits; one that computes never gets to hear this, and is ended by the interrupt. */
  cancel() {
    if (!interrupts) return;
    const interrupt = interrupts[0];
    interrupts[0] = 0; // it must hit the cell, not the event loop around it
    if (!python.bridge.cancel()) interrupts[0] = interrupt;
  },

  reset: () => guarded(() => python.bridge.reset()),
});
