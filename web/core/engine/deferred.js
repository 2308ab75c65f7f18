// A promise and its two ends. Nobody need listen to it: a failure is told elsewhere too.
export function deferred() {
  const ends = {};
  ends.promise = new Promise((resolve, reject) => Object.assign(ends, { resolve, reject }));
  ends.promise.catch(() => {});
  return ends;
}
