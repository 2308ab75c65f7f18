"""seeformer.fast against its goals: `python tests/bench/matmul.py [plain|relaxed ...]` prints a table a build.

(After `python build.py test …` once, which fills .venv.) In Pyodide on a blank page of Chromium. Every product is
measured in turns with stock NumPy and with the limit of this chip in wasm (limits.c): multiply-adds on registers, for
about as long as the product takes, so that a busy machine hurts both alike; where B is large and A has one row, the
reading of as large a buffer that was written before. Medians; "of limit" is the ratio of the medians.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "py"), str(ROOT / "tests")]

MEASURE = pathlib.Path(__file__).with_name("matmul_in_pyodide.py")
GOALS = {  # case: (of limit with relaxed SIMD, with plain SIMD)
    "float32 128": (0.75, 0.9),
    "float32 256": (0.85, 0.95),
    "float32 512": (0.85, 0.95),
    "float32 1024": (0.85, 0.95),
    "float64 128": (0.8, 0.8),
    "float64 256": (0.8, 0.8),
    "float64 512": (0.8, 0.8),
    "16 x (128x64 @ 64x64)": (0.75, 0.75),
    "8 heads, Q K^T": (0.75, 0.75),
    "8 heads, weights V": (0.75, 0.75),
    "1 row": (0.5, 0.5),
}


def main() -> int:
    from playwright.sync_api import sync_playwright
    from support.generations import Pyodide, mounts
    from support.serving import Servers

    from sitebuild.browsers import FLAGS, ensure_browser
    from sitebuild.fast_modules import BUILDS, compile_module
    from sitebuild.generations import PAGE
    from sitebuild.paths import WORK
    from sitebuild.site import build
    from sitebuild.wheel import fast_wheel_name

    with Servers(build()) as servers, sync_playwright() as playwright:
        server = servers.start(mounts=mounts([PAGE]))
        browser = playwright.chromium.launch(executable_path=ensure_browser(), args=FLAGS)
        for name in sys.argv[1:] or BUILDS:
            page = browser.new_page()
            page.set_default_timeout(0)
            pyodide = Pyodide(page, server, PAGE.version)
            pyodide.install(f"wheels/{fast_wheel_name()}")
            limits = compile_module(pathlib.Path(__file__).with_name("limits.c"), WORK / f"limits-{name}.wasm", name)
            pyodide.write({"limits.wasm": limits.read_bytes()}, folder="/tmp")
            pyodide.run(f"BUILD = {name!r}")
            table(name, pyodide.run(MEASURE.read_text(encoding="utf-8")))
            page.close()
        browser.close()
    return 0


def table(build: str, rows) -> None:
    print(
        f"\n{build} SIMD\n\n| product | stock | fast | times | limit | of limit | goal |\n|---|---|---|---|---|---|---|"
    )
    for name, unit, stock, fast, limit in rows:
        goal = GOALS.get(name, (None, None))[build == "plain"]
        share = fast / limit
        told = "" if goal is None else f"{goal} {'met' if share >= goal else 'MISSED'}"
        print(
            f"| {name} | {stock:.2f} {unit} | {fast:.2f} {unit} | {fast / stock:.1f} | {limit:.1f} | {share:.2f} | {told} |"
        )
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
