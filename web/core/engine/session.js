// One worker from its birth to its end. `ended` rejects when it is over, and so does every call that was waiting.
import { wrap } from "../../vendor/comlink.js";
import { EngineError } from "./engine-error.js";
import { takeWorker } from "./first-worker.js";

const INTERRUPT = 2; // SIGINT

/** onEvent({event: "stage" | "output" | "update", ...}) */
export function openSession(onEvent) {
  const worker = takeWorker();
  const remote = wrap(worker);
  // Only a page that is cross-origin isolated shares memory; elsewhere a computing worker hears nothing.
  const interrupts = globalThis.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
  let booted = false;
  let end;
  const ended = new Promise((_, reject) => (end = reject));
  ended.catch(() => {});

  const close = (reason) => {
    worker.terminate();
    end(reason);
  };
  const ask = (method, ...args) => Promise.race([remote[method](...args), ended]);
  const askNext = (method, ...args) => {
    if (interrupts) interrupts[0] = 0; // a Stop that came too late for the job before must not hit this one
    return ask(method, ...args);
  };

  worker.addEventListener("message", ({ data }) => {
    if (data?.event === "end") close(new EngineError({ type: "PythonEnded", message: data.message }));
    else if (data?.event) onEvent(data);
  });
  worker.addEventListener("error", (event) => {
    // Later errors are strays of some callback; those that end Python are told by the event above.
    if (!booted) close(new EngineError({ type: "WorkerError", message: event.message || "the worker could not be loaded" }));
  });

  return {
    ended,
    close,
    /** kept: what an earlier worker's boot gave back, to be spared the downloads and the compiler. */
    async boot(kept) {
      const { error, ...answer } = await ask("boot", { interrupts, kept });
      if (error) throw new EngineError(error);
      booted = true;
      return answer;
    },
    call: (...args) => askNext("call", ...args),
    runCell: (...args) => askNext("runCell", ...args),
    note: (...args) => askNext("note", ...args),
    archive: (...args) => askNext("archive", ...args),
    fast: (on) => askNext("fast", on),
    bring: (...args) => askNext("bring", ...args),
    forget: (name) => askNext("forget", name),
    reset: () => askNext("reset"),
    /** Asks the running job to end; false if it cannot be asked. */
    interrupt() {
      if (!interrupts) return false;
      interrupts[0] = INTERRUPT;
      ask("cancel").catch(() => {});
      return true;
    },
  };
}
