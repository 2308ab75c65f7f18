// Keeps one worker with Python alive: the first boot, Retry after a failed one, another worker when the old one had to go.
import { deferred } from "./deferred.js";
import { openSession } from "./session.js";

/** emit(event, detail): "stage", "restart". onJob hears what a running job tells. */
export function createInterpreter({ emit, onReady, onGone, onFailed, onJob }) {
  let session = null;
  let alive = false;
  let kept; // the boot's files, as the first worker had verified them
  let failure = null;
  let ready = deferred();

  /** Starts Python unless it runs or is starting; after a failure, starts it anew. */
  function boot() {
    if (session) return ready.promise;
    if (failure) ready = deferred();
    failure = null;
    open();
    return ready.promise;
  }

  async function open() {
    let mine = null; // as `session` is, should the browser refuse the worker itself
    emit("stage", { id: "download", state: "running" });
    try {
      mine = session = openSession((told) => session === mine && hear(told));
      mine.ended.catch((reason) => session === mine && alive && restart(reason));
      const { versions, ...rest } = await mine.boot(kept);
      if (session !== mine) return;
      kept = rest.kept;
      alive = true;
      emit("stage", { id: "ready", state: "done", versions });
      ready.resolve();
      onReady();
    } catch (error) {
      if (session === mine) fail(error);
    }
  }

  const hear = (told) => (told.event === "stage" ? emit("stage", told.stage) : onJob(told));

  function fail(error) {
    const broken = session;
    session = null;
    failure = error;
    broken?.close(error);
    const { stage = "download", file, reason, status, message } = error;
    emit("stage", { id: stage, state: "failed", file, reason, status, message });
    ready.reject(error);
    onFailed(error);
  }

  /** Ends the worker and starts another. Variables are gone; who waits is served by the new one. */
  function restart(reason) {
    const old = session;
    session = null;
    alive = false;
    ready = deferred();
    onGone();
    old.close(reason);
    emit("restart");
    open();
  }

  return {
    boot,
    restart,
    get session() {
      return session;
    },
    get alive() {
      return alive;
    },
    get failure() {
      return failure;
    },
    get ready() {
      return ready.promise;
    },
  };
}
