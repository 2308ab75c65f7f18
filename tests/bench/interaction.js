// A slider of a lab on the real page: what a change costs until the pictures in sight are painted, the waiting for frames left out.
// (Those out of sight are painted when the browser is idle; a long task of theirs would count as one.)
// `result`: from the input event until the lab rests (parameters, Python, packing, transfer, view.update);
// `frames`: what was done in animation frames after that, until none asked for another, with the layout they caused.
const rested = (lab) => new Promise((done) => {
  const watch = new MutationObserver(() => {
    if (lab.dataset.state === "busy") return;
    watch.disconnect();
    done(performance.now());
  });
  watch.observe(lab, { attributeFilter: ["data-state"] });
});

export async function moves(id, control, count) {
  const lab = document.querySelector(`[data-lab=${id}]`);
  const slider = lab.querySelector(`[id$=${control}]`).closest(".control").querySelector("input[type=range]");
  slider.scrollIntoView(); // the pictures below it are in sight
  await new Promise((rest) => setTimeout(rest, 300));
  const ask = window.requestAnimationFrame;
  let [frames, waiting] = [0, 0];
  window.requestAnimationFrame = (callback) => {
    waiting++;
    return ask((time) => {
      const begun = performance.now();
      callback(time);
      frames += performance.now() - begun;
      waiting--;
    });
  };
  const nextFrame = () => new Promise((done) => ask(() => setTimeout(done)));
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
  observer.observe({ type: "longtask" });
  const times = [];
  for (let move = 0; move < count; move++) {
    slider.value = Number(slider.min) + ((move * 7) % 31 + 1) * 0.1;
    [frames, waiting] = [0, 0];
    const done = rested(lab);
    const begun = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const result = (await done) - begun;
    let layout = 0;
    do {
      await nextFrame();
      const before = performance.now();
      document.body.getBoundingClientRect();
      layout += performance.now() - before;
    } while (waiting > 0);
    if (lab.dataset.state !== "ready") throw new Error(`the lab is ${lab.dataset.state}`);
    times.push({ result, frames: frames + layout });
    await new Promise((idle) => setTimeout(idle, 30)); // the table twins' idle turn
  }
  window.requestAnimationFrame = ask;
  tasks.push(...observer.takeRecords());
  observer.disconnect();
  return { times, longest: Math.max(0, ...tasks.map(({ duration }) => duration)) };
}
