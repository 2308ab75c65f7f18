"""How long a heatmap takes to draw: `python tests/bench/heatmap.py` prints a table (after `python build.py build`).

"draw" is update() and its work in the frames until it is painted, the pixels flushed; over RUNS.
"longest task" is what the browser saw on the page's thread meanwhile. "thread" is the CPU time of that thread for one update,
all of it (the idle turn of the table twin and this script's own reading of pixels too). Goals: 1024 × 1024 drawn in under
16 ms, no task of 2048 × 2048 over 50 ms.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "py"), str(ROOT / "tests")]

RUNS = 25
CASES = [
    (n, kind, mode)
    for n in (128, 1024, 2048)
    for kind, mode in (("signed", "auto"), ("weights", "row"), ("weights", "log"))
]

MOUNT = """([n, kind, mode]) => {
  const random = (seed) => Float32Array.from({ length: n * n }, (_, i) => {
    const noise = ((i + 1) * 2654435761 * seed >>> 0) / 2 ** 32;
    return kind === "weights" ? noise / n : noise - 0.5;
  });
  window.grids = [1, 3, 5].map((seed) => ({ data: random(seed), shape: [n, n] }));
  for (const { data } of grids) {
    for (let row = 0; kind === "signed" && row < n; row++) data.fill(-Infinity, row * n + row + 1, (row + 1) * n);
  }
  window.map = heatmap(root, { name: "bench", kind, mode });
  map.update(grids[0]);
}"""

MEASURE = """async (runs) => {
  const canvas = map.element.querySelector("canvas");
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => task.duration)));
  observer.observe({ type: "longtask" });
  const context = canvas.getContext("2d");
  const times = [];
  let [work, painted] = [0, null];
  context.drawImage = (...all) => {
    CanvasRenderingContext2D.prototype.drawImage.apply(context, all);
    context.getImageData(0, 0, 1, 1); // the pixels, not only the orders to paint them
    painted();
  };
  const timed = (act) => {
    const begun = performance.now();
    act();
    work += performance.now() - begun;
  };
  const ask = window.requestAnimationFrame;
  window.requestAnimationFrame = (callback) => ask(() => timed(callback));
  for (let run = 0; run < runs; run++) {
    work = 0;
    const done = new Promise((resolve) => (painted = resolve));
    timed(() => map.update(grids[run % grids.length]));
    await done;
    await new Promise((idle) => setTimeout(idle, 30));
    times.push(work);
  }
  window.requestAnimationFrame = ask;
  await new Promise((done) => setTimeout(done, 600)); // the table twin's idle turn counts too
  observer.takeRecords().forEach((task) => tasks.push(task.duration));
  map.destroy();
  return { times, tasks, size: [canvas.width, canvas.height] };
}"""


def thread_seconds(session) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def main() -> int:
    from playwright.sync_api import sync_playwright
    from support.heatmaps import heatmap_page
    from support.serving import Servers

    from sitebuild.browsers import FLAGS, ensure_browser
    from sitebuild.site import build

    with Servers(build()) as servers, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure_browser(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        heatmap_page(page, servers.start())
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        print(
            "| cells | kind | scale | canvas px | draw, fastest ms | median ms | thread, ms an update | longest task ms |"
        )
        print("|---|---|---|---|---|---|---|---|")
        for n, kind, mode in CASES:
            page.evaluate(MOUNT, [n, kind, mode])
            page.wait_for_timeout(1000)  # making the numbers and mounting is not what is asked
            before = thread_seconds(session)
            measured = page.evaluate(MEASURE, RUNS)
            thread = 1000 * (thread_seconds(session) - before) / RUNS
            times, (width, height) = sorted(measured["times"]), measured["size"]
            longest = f"{max(measured['tasks']):.0f}" if measured["tasks"] else "under 50"
            row = [f"{n}×{n}", kind, mode, f"{width}×{height}"]
            row += [f"{ms:.1f}" for ms in (times[0], times[len(times) // 2], thread)] + [longest]
            print("|", " | ".join(row), "|", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
