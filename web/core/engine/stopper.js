// Ends a running job. An interrupt can get lost (the job was about to begin, or its code caught it), so it is repeated; and
// where none can be sent, or none is obeyed, the worker has to go.
const REPEAT = 200; // ms
const PATIENCE = 5000; // ms

/** interrupt() -> false if the job cannot be asked; restart() ends the worker and with it the job. */
export async function stop(done, { interrupt, restart }) {
  let over = false;
  const settled = done.then(
    () => (over = true),
    () => (over = true),
  );
  for (let waited = 0; !over; waited += REPEAT) {
    if (waited >= PATIENCE || !interrupt()) {
      restart();
      break;
    }
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, REPEAT))]);
  }
  await settled;
}
