"""Boot (boot.py): how long until the first live picture, the stock recipe and this page in turns."""

from statistics import median
from tempfile import TemporaryDirectory

from .stage import HERE, Stage
from .tables import Goal, number, table

WHO = {
    "stock": "stock recipe, HTTP cache warm",
    "first": "first visit, nothing cached",
    "return": "return visit",
}


def measure(stage: Stage, rounds: int) -> dict:
    from sitebuild.browsers import FLAGS, ensure_browser
    from sitebuild.generations import PAGE
    from sitebuild.paths import cache_folder

    from . import boot

    url = stage.serve({"blank/stock/": cache_folder() / f"pyodide-{PAGE.version}", "blank/": HERE})
    launch = stage.playwright.chromium.launch_persistent_context
    with TemporaryDirectory(prefix="seeformer-", ignore_cleanup_errors=True) as profile:
        warm = launch(profile, locale="en-GB", executable_path=ensure_browser(), args=FLAGS)
        told = boot.measure(stage.browser, warm, url, rounds)
        warm.close()
    rows = {name: {key: median(one[key] for one in ones) for key in ones[0]} for name, ones in told.items()}
    return {"rounds": rounds, "rows": rows}


def goals(told: dict) -> list[Goal]:
    rows = told["rows"]
    stock = rows["stock"]["live"]
    return [
        Goal("first live picture: return visit / stock recipe", rows["return"]["live"] / stock, 0.3, at_most=True),
        Goal("first live picture: first visit / stock recipe", rows["first"]["live"] / stock, 0.6, at_most=True),
        Goal("first picture: first visit / ms", rows["first"]["picture"], 500, at_most=True),
        Goal("after Stop: live result / ms", rows["return"]["restart"], 1500, at_most=True),
    ]


def tables(told: dict, word) -> str:
    rows = []
    for name, words in WHO.items():
        one = told["rows"][name]
        rest = [number(one["picture"]) if name != "stock" else "", number(one["restart"]) if "restart" in one else ""]
        rows.append([word(words), number(one["live"]), f"{one['live'] / told['rows']['stock']['live']:.2f}", *rest])
    head = ["ms until", "first live picture", "times stock", "first picture", "live again after Stop"]
    return table([word(one) for one in head], rows)
