"""From a slider to repainted pictures, on the real page: the attention lab at two sizes (interaction.js)."""

from .stage import Stage
from .tables import Goal, number, table

MOVES = 40  # a round
LAB, CONTROL = "attention", "sharpness"
CASES = {  # (n, d_model, heads): at most so many ms of work
    "n = 10, d = 64, 4 heads": ((10, 64, 4), 16),
    "n = 128, d = 256, 8 heads": ((128, 256, 8), 60),
}
LONGEST_TASK = 50


def address(n: int, d_model: int, num_heads: int) -> str:
    tokens = ",".join(f"w{at}" for at in range(n))
    return f"#{LAB}?tokens={tokens}&d_model={d_model}&num_heads={num_heads}&v=1"


def measure(stage: Stage, rounds: int) -> dict:
    pages = {}
    for name, (size, _) in CASES.items():
        page = stage.browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        page.goto(stage.server + address(*size))
        page.evaluate("() => seeformer.ready")
        shape = page.evaluate("async () => (await seeformer.call('attention')).weights.shape")
        assert shape, name
        pages[name] = page
    told = {name: {"times": [], "longest": 0} for name in CASES}
    for at in range(-1, rounds):
        for name, page in pages.items():
            move = "async (given) => (await import('/bench/interaction.js')).moves(...given)"
            one = page.evaluate(move, [LAB, CONTROL, MOVES])
            if at >= 0:
                told[name]["times"] += one["times"]
                told[name]["longest"] = max(told[name]["longest"], one["longest"])
    return {"rounds": rounds, "rows": [row(name, **of) for name, of in told.items()]}


def row(name: str, times: list[dict], longest: float) -> dict:
    work = sorted(time["result"] + time["frames"] for time in times)
    half = {part: sorted(time[part] for time in times)[len(times) // 2] for part in ("result", "frames")}
    return {"case": name, **half, "p50": work[len(work) // 2], "p95": work[len(work) * 95 // 100], "longest": longest}


def goals(told: dict) -> list[Goal]:
    found = []
    for each in told["rows"]:
        found.append(Goal(f"slider, {each['case']}: p95 / ms", each["p95"], CASES[each["case"]][1], at_most=True))
        found.append(Goal(f"slider, {each['case']}: longest task / ms", each["longest"], LONGEST_TASK, at_most=True))
    return found


def tables(told: dict, word) -> str:
    head = [
        "ms of work from the slider to the pictures",
        "until the result is there",
        "in frames",
        "p50",
        "p95",
        "longest task",
    ]
    rows = [
        [
            each["case"],
            *(number(each[name]) for name in ("result", "frames", "p50", "p95")),
            task(each["longest"], word),
        ]
        for each in told["rows"]
    ]
    return table([word(one) for one in head], rows)


def task(longest: float, word) -> str:
    """The browser tells of tasks over 50 ms only."""
    return number(longest) if longest else word("under 50")
