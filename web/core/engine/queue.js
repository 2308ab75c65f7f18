// First come, first served, one at a time: labs and cells share one interpreter.
/** job: {number, work(number) -> Promise, onState?("waiting" | "running"), ...}. onCurrent(job or null) hears who has the interpreter. */
export function createQueue(onCurrent) {
  const waiting = [];
  let current = null;
  let open = false;

  function next() {
    if (!open || current || waiting.length === 0) return;
    const job = (current = waiting.shift());
    onCurrent(job);
    job.onState?.("running");
    job.work(job.number).then(job.resolve, job.reject).finally(() => {
      current = null;
      onCurrent(null);
      next();
    });
  }

  return {
    get current() {
      return current;
    },
    add(job, { first = false } = {}) {
      job.done = new Promise((resolve, reject) => Object.assign(job, { resolve, reject }));
      waiting[first ? "unshift" : "push"](job);
      next();
      if (job !== current) job.onState?.("waiting");
      return job.done;
    },
    open() {
      open = true;
      next();
    },
    close() {
      open = false;
    },
    rejectAll(error) {
      for (const job of waiting.splice(0)) job.reject(error);
    },
  };
}
