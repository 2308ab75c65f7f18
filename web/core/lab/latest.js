// Runs one piece of work at a time and always ends on the newest: what was asked for in between is skipped.
// work(superseded, …request): superseded() tells whether something newer waits.
export function latest(work) {
  let running = false;
  let waiting = null;
  return async function push(...request) {
    waiting = request;
    if (running) return;
    running = true;
    while (waiting) {
      const newest = waiting;
      waiting = null;
      await work(() => waiting !== null, ...newest);
    }
    running = false;
  };
}
