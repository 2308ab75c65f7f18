// Work that can wait until the page has nothing better to do, a little at a time, so that a slider stays smooth. Each piece waits
// once, however often it is asked for.
const waiting = new Set();
const LEAST = 3; // ms that must be left for one more piece
const MOST = 500; // ms that anything waits; then it takes SHARE ms even where nothing is ever idle
const SHARE = 8;

const ask = (run) => (window.requestIdleCallback ? requestIdleCallback(run, { timeout: MOST }) : setTimeout(() => run({ didTimeout: true }), 60));

let asked = false;

function turn(deadline) {
  asked = false;
  const end = performance.now() + (deadline.didTimeout ? SHARE : deadline.timeRemaining() - LEAST);
  for (const work of waiting) {
    waiting.delete(work);
    work();
    if (performance.now() >= end) break;
  }
  if (waiting.size) soon();
}

function soon() {
  if (!asked) ask(turn);
  asked = true;
}

export function whenIdle(work) {
  waiting.add(work);
  soon();
}

export const notWhenIdle = (work) => waiting.delete(work);
