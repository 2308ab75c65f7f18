"""How long until the first live picture: the stock recipe and this page, in turns, in one Chromium.

    python build.py build
    PYTHONPATH=py:tests .venv/bin/python tests/bench/boot.py [rounds]

stock   an empty page: loadPyodide, micropip, install numpy, import it, install the wheel, run the lab
        (Pyodide's own files, HTTP cache warm; no page, no pictures)
return  this page, HTTP cache warm        first   this page, nothing cached        restart   a new worker, as after Stop
"""

import statistics
import sys
import tempfile
import threading

from playwright.sync_api import sync_playwright

from sitebuild.browsers import FLAGS, ensure_browser
from sitebuild.generations import PAGE
from sitebuild.paths import ROOT, SITE, cache_folder
from sitebuild.server import Server
from sitebuild.wheel import wheel_name

STOCK = """async (wheel) => {
  const indexURL = new URL("stock/", location.href).href;
  const { loadPyodide } = await import(`${indexURL}pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL });
  await pyodide.loadPackage("micropip");
  await pyodide.runPythonAsync(`
import micropip
await micropip.install("numpy")
import numpy
await micropip.install("${new URL(wheel, location.href).href}")
from seeformer.labs.attention import run
run()`);
  return performance.now();
}"""
LIVE = "() => seeformer.ready.then(() => window.live)"
RESTART = """async () => {
  await seeformer.run("import os; os._exit(3)");
  const ended = performance.now();
  await seeformer.call("attention");
  return performance.now() - ended;
}"""
WATCH = """
window.shifted = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.shifted += entry.value))).observe({ type: "layout-shift", buffered: true });
new MutationObserver(() => {
  if (document.querySelector("[data-lab][data-source=live]")) window.live ??= performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-source"] });
const look = () => (document.querySelector("canvas[data-heatmap]") ? (window.picture = performance.now()) : requestAnimationFrame(look));
requestAnimationFrame(look);
"""


def visit(context, address, ask, *arguments) -> dict:
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    told = {"live": page.evaluate(ask, *arguments), "picture": page.evaluate("window.picture ?? 0")}
    told["shift"] = page.evaluate("window.shifted")
    if ask == LIVE:
        told["restart"] = page.evaluate(RESTART)
    page.close()
    return told


def measure(browser, warm, url: str, rounds: int) -> dict[str, list[dict]]:
    """`warm` has a folder on the disk: the cache of the others lies in memory, and takes no file of 10 MB."""
    told: dict[str, list[dict]] = {"stock": [], "return": [], "first": []}
    for at in range(rounds + 1):
        cold = browser.new_context(locale="en-GB")
        step = {
            "stock": visit(warm, url + "blank/blank.html", STOCK, f"../wheels/{wheel_name()}"),
            "return": visit(warm, url, LIVE),
            "first": visit(cold, url, LIVE),
        }
        cold.close()
        told_now = "  ".join(f"{name} {one['live']:.0f}" for name, one in step.items())
        print(f"round {at}: {told_now}", flush=True)  # a slow machine may not reach the end
        if at:  # the first round fills the cache
            for name, one in step.items():
                told[name].append(one)
    return told


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    mounts = {"blank/stock/": cache_folder() / f"pyodide-{PAGE.version}", "blank/": ROOT / "tests" / "bench"}
    with Server(SITE, 0, mounts=mounts) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        how = {"executable_path": ensure_browser(), "args": FLAGS}
        with tempfile.TemporaryDirectory(prefix="seeformer-", ignore_cleanup_errors=True) as profile:
            browser = playwright.chromium.launch(**how)
            warm = playwright.chromium.launch_persistent_context(profile, locale="en-GB", **how)
            told = measure(browser, warm, server.url, rounds)
            warm.close()
            browser.close()
        server.shutdown()
    median = {
        name: {key: statistics.median(one[key] for one in all_) for key in all_[0]} for name, all_ in told.items()
    }
    print(f"medians of {rounds} interleaved rounds, ms; ratio: to stock's live")
    for name, row in median.items():
        ratio = row["live"] / median["stock"]["live"]
        rest = f"first picture {row['picture']:5.0f}  layout shift {row['shift']:.3f}" if name != "stock" else ""
        again = f"  restart {row['restart']:.0f}" if "restart" in row else ""
        print(f"{name:8} live {row['live']:6.0f}  ratio {ratio:.2f}  {rest}{again}")


if __name__ == "__main__":
    main()
