// What is prepared in this page, and how long it takes. A run gives {data(), dispose()}.
export const runs = {};

export const float32 = async (url) => new Float32Array(await (await fetch(url)).arrayBuffer());

/** Milliseconds of each of `turns` runs. */
export async function measure(name, turns) {
  const times = [];
  for (let turn = 0; turn < turns; turn++) {
    const begun = performance.now();
    const output = await runs[name]();
    times.push(performance.now() - begun);
    output.dispose();
  }
  return times;
}

/** Each `step`-th number of the output, to be compared. */
export async function look(name, step) {
  const output = await runs[name]();
  const data = await output.data();
  const seen = [...data].filter((_, place) => place % step === 0);
  output.dispose();
  return seen;
}
