// One cell at a time goes to the engine; those behind it wait here, where they can still be called back.
//
// A cell is {wait(), calledBack(), execute() -> Promise<"done"|"error"|"stopped">, interrupt()}.

/** ready: () -> a promise; no cell starts before it. createRunQueue(ready) -> {run, runAll, cancel, stopAll} */
export function createRunQueue(ready) {
  let waiting = []; // {cell, batch, settle}
  let current = null;

  async function work() {
    if (current || !waiting.length) return;
    current = waiting[0];
    try {
      await ready();
    } catch {
      // the boot failed and says so itself; what waits, waits for its Retry
      current = null;
      return;
    }
    if (!waiting.includes(current)) { // called back meanwhile
      current = null;
      work();
      return;
    }
    waiting.shift();
    const { cell, batch, settle } = current;
    const outcome = await cell.execute();
    current = null;
    if (outcome !== "done") callBack((job) => batch !== null && job.batch === batch);
    settle(outcome);
    work();
  }

  function callBack(which) {
    const called = waiting.filter(which);
    waiting = waiting.filter((job) => !called.includes(job));
    for (const { cell, settle } of called) {
      cell.calledBack();
      settle("stopped");
    }
  }

  function add(cell, batch) {
    const queued = waiting.find((job) => job.cell === cell) ?? (current?.cell === cell ? current : null);
    if (queued) return queued.promise;
    const job = { cell, batch };
    job.promise = new Promise((settle) => { job.settle = settle; });
    waiting.push(job);
    cell.wait();
    return job.promise;
  }

  return {
    run(cell) {
      const promise = add(cell, null);
      work();
      return promise;
    },
    /** In order; the first that fails or is stopped calls back those behind it. */
    runAll(cells) {
      const batch = Symbol("run all");
      const promises = cells.map((cell) => add(cell, batch));
      work();
      return Promise.all(promises);
    },
    cancel(cell) {
      if (waiting.some((job) => job.cell === cell)) callBack((job) => job.cell === cell);
      else if (current?.cell === cell) cell.interrupt();
    },
    stopAll() {
      callBack(() => true);
      current?.cell.interrupt();
    },
    /** After a failed boot was mended. */
    resume: work,
    get busy() { return current !== null || waiting.length > 0; },
  };
}
