"""How long a heatmap takes to draw.

"draw" is update() and its work in the frames until it is painted, the pixels flushed; over RUNS in each round.
"longest task" is what the browser saw on the page's thread meanwhile. "thread" is the CPU time of that thread for one update,
all of it (the idle turn of the table twin and this script's own reading of pixels too).
"""

from .interaction import task
from .stage import Stage
from .tables import Goal, number, table

RUNS = 5
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


def measure(stage: Stage, rounds: int) -> dict:
    from support.heatmaps import heatmap_page

    page = stage.browser.new_page(viewport={"width": 1280, "height": 900})
    heatmap_page(page, stage.server)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    rows = []
    for n, kind, mode in CASES:
        page.evaluate(MOUNT, [n, kind, mode])
        page.wait_for_timeout(1000)  # making the numbers and mounting is not what is asked
        before, runs = thread_seconds(session), RUNS * rounds
        measured = page.evaluate(MEASURE, runs)
        thread = 1000 * (thread_seconds(session) - before) / runs
        times = sorted(measured["times"])
        row = {"n": n, "kind": kind, "mode": mode, "canvas": measured["size"], "fastest": times[0]}
        row |= {"median": times[len(times) // 2], "thread": thread, "longest": max(measured["tasks"], default=0)}
        rows.append(row)
    return {"rounds": rounds, "rows": rows}


def goals(told: dict) -> list[Goal]:
    drawn = max(row["median"] for row in told["rows"] if row["n"] == 1024)
    longest = max(row["longest"] for row in told["rows"] if row["n"] == 2048)
    return [
        Goal("heatmap 1024×1024: draw / ms", drawn, 16, at_most=True),
        Goal("heatmap 2048×2048: longest task / ms", longest, 50, at_most=True),
    ]


def tables(told: dict, word) -> str:
    head = [
        "heatmap, ms",
        "kind",
        "scale",
        "canvas",
        "draw, fastest",
        "draw, median",
        "thread, an update",
        "longest task",
    ]
    rows = []
    for row in told["rows"]:
        sides = ["×".join(map(str, sides)) for sides in ((row["n"], row["n"]), row["canvas"])]
        times = [number(row[name]) for name in ("fastest", "median", "thread")]
        rows.append([sides[0], row["kind"], row["mode"], sides[1], *times, task(row["longest"], word)])
    return table([word(one) for one in head], rows)
