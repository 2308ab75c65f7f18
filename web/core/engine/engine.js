// Python for the page: labs and cells take turns on its one interpreter, can be stopped, and survive its restart.
import { wheel } from "../../labs/index.js";
import { createCheckpoints } from "./checkpoints.js";
import { EngineError, stopped } from "./engine-error.js";
import { createEvents } from "./events.js";
import { createInterpreter } from "./interpreter.js";
import { encode } from "./params.js";
import { createQueue } from "./queue.js";
import { site } from "../../site.js";
import { stop } from "./stopper.js";
import { createTranscript } from "./transcript.js";
import { unpack } from "./values.js";

export function createEngine() {
  const { on: listen, emit } = createEvents();
  let stage = null;
  listen("stage", (latest) => (stage = latest));
  /** Python may start before the page is there to hear of it: who listens later hears the latest stage at once. */
  const on = (event, listener) => {
    if (event === "stage" && stage) listener(stage);
    return listen(event, listener);
  };
  const queue = createQueue((job) => emit("busy", job && { kind: job.kind, id: job.id }));
  const interpreter = createInterpreter({
    emit,
    onReady: () => queue.open(),
    onGone: () => queue.close(),
    onFailed: (error) => queue.rejectAll(error),
    onJob: ({ job, update, output }) => job === queue.current?.number && queue.current.hear(update ?? output),
  });
  const checkpoints = createCheckpoints(() => interpreter.session);
  let jobs = 0;

  const add = (job, options) => {
    if (interpreter.failure) return Promise.reject(interpreter.failure);
    return queue.add({ ...job, number: (jobs += 1) }, options);
  };

  async function call(lab, params = {}, { edits = {}, onUpdate, onState } = {}) {
    const texts = [encode(params), encode(edits)];
    return add({
      kind: "lab",
      id: lab,
      onState,
      hear: (update) => onUpdate?.(result(update)),
      async work(number) {
        await checkpoints.ready(params.checkpoint);
        return result(await interpreter.session.call(number, lab, ...texts));
      },
    });
  }

  /** Every array of a lab, all that its trace saw, as the bytes of an .npz file. */
  async function archive(lab, params = {}, { edits = {} } = {}) {
    const texts = [encode(params), encode(edits)];
    return add({
      kind: "lab",
      id: lab,
      work: async () => {
        await checkpoints.ready(params.checkpoint);
        const { bytes, error } = await interpreter.session.archive(lab, ...texts);
        if (error) throw new EngineError(error);
        return bytes;
      },
    });
  }

  /** A text for a note; what to ask for is said in py/seeformer/notes/request.py. */
  async function note(request) {
    const asked = encode(request);
    return add({
      kind: "note",
      id: request.lab,
      work: async () => {
        const { text, error } = await interpreter.session.note(asked);
        if (error) throw new EngineError(error);
        return text;
      },
    });
  }

  /** Puts the fast loops under NumPy's `@` for all that runs from now on, or takes them out: seeformer.fast.status(). */
  const fast = (on) => add({ kind: "fast", work: () => interpreter.session.fast(on) }, { first: true });

  /**
   * A checkpoint of the reader's, which labs then take as the parameter `checkpoint`: name. file: a File or Blob of safetensors;
   * texts: {config, tokenizer?: the text of a tokenizer.json, families?: those that are accepted} -> {family, parameters}
   */
  async function bring(name, file, texts) {
    const asked = encode(texts);
    return add({ kind: "checkpoint", work: () => checkpoints.bring(name, file, asked) });
  }

  const forget = (name) => add({ kind: "checkpoint", work: () => checkpoints.forget(name) });

  function runCell(code, { id, onOutput, onState } = {}) {
    const transcript = createTranscript(onOutput);
    const name = String(id ?? jobs + 1);
    return add({
      kind: "cell",
      id,
      onState,
      hear: transcript.add,
      work: async (number) => {
        try {
          return transcript.close(await interpreter.session.runCell(number, code, name));
        } catch (error) {
          const { type = error.name, message, traceback = "" } = error;
          return transcript.close({ error: { type, message, traceback } });
        }
      },
    });
  }

  /** Ends what is running, if anything is; resolves when it has ended. */
  async function stopCurrent() {
    const job = queue.current;
    if (!job) return;
    const { session } = interpreter;
    await stop(job.done, { interrupt: () => session.interrupt(), restart: () => interpreter.restart(stopped()) });
  }

  /** New variables for the cells. A cell that runs is stopped; those that wait run in the new ones. */
  async function reset() {
    const done = add({ kind: "reset", work: () => interpreter.session.reset() }, { first: true });
    if (queue.current?.kind === "cell") stopCurrent();
    await done;
  }

  return {
    on,
    call,
    note,
    archive,
    fast,
    bring,
    forget,
    runCell,
    reset,
    stop: stopCurrent,
    boot: interpreter.boot,
    get ready() {
      return interpreter.ready;
    },
    /** Whether Python answers at once, or is still (or again) on its way. */
    get alive() {
      return interpreter.alive;
    },
    /** Where a note or another page installs the kernels from. */
    wheelURL: () => new URL(wheel, site).href,
  };
}

function result({ meta, buffer, lines, ms, error }) {
  if (error) throw new EngineError(error);
  return { values: unpack(meta, buffer), lines, ms };
}
