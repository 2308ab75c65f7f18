// The worker: one Python interpreter, driven by web/core/session.js through Comlink. Events (stages, output, updates)
// go by plain messages on the same port, which keeps them in order with the answers; Comlink ignores them.
import { expose, transfer } from "./vendor/comlink.js";
import { boot } from "./worker/boot.js";

let python;
let interrupts;

const tell = (event, transferred = []) => postMessage(event, transferred);

/** A Python answer with one flat array: moved to the page, not copied again. */
const moved = (answer) => (answer.buffer ? transfer(answer, [answer.buffer.buffer]) : answer);

expose({
  async boot(options) {
    interrupts = options.interrupts;
    try {
      python = await boot(options, (stage) => tell({ event: "stage", stage }));
      return { versions: python.versions };
    } catch (error) {
      const { message, stage, file, reason, status } = error;
      return { error: { type: error.name, message, stage, file, reason, status } };
    }
  },

  call(job, lab, params, edits) {
    const started = performance.now();
    const answer = python.bridge.call(lab, params, edits, (update) => tell({ event: "update", job, update }, [update.buffer.buffer]));
    answer.ms = performance.now() - started;
    return moved(answer);
  },

  async runCell(job, code, name) {
    const running = python.bridge.run_cell(code, name, (output) => tell({ event: "output", job, output }));
    try {
      return await running;
    } finally {
      running.destroy();
    }
  },

  /** For a cell that awaits; one that computes never gets to hear this, and is stopped by the interrupt. */
  cancel() {
    if (interrupts) interrupts[0] = 0; // heard: it need not hit the event loop as well
    python.bridge.cancel();
  },

  reset() {
    python.bridge.reset();
  },

  /** Throws if the interpreter has broken down (an abort inside WebAssembly, an exit): then nothing runs any more. */
  ping() {
    python?.pyodide.runPython("None");
  },
});
