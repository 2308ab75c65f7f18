"""What attention needs at n = 1024, d_model = 512, 8 heads, in Pyodide with seeformer.fast, against its scores alone."""

from .stage import HERE, Stage
from .tables import Goal, number, table

N = 1024
SCORES = 8 * N * N * 4
RUN = f"""
import gc, tracemalloc
import pyodide_js
import seeformer.fast
assert seeformer.fast.enable()["enabled"]
kernel(sequence(64))
X = sequence({N})
gc.collect()
before = pyodide_js._module.HEAPU8.length
if TRACED:
    tracemalloc.start()
output = kernel(X)
[tracemalloc.get_traced_memory()[1] if TRACED else 0, before, pyodide_js._module.HEAPU8.length]
"""


def measure(stage: Stage, rounds: int) -> dict:
    """The heap in a page of its own: it never shrinks, and tracing needs memory too."""
    told = {"rounds": rounds}  # counted bytes are the same each time
    for traced in (True, False):
        pyodide = stage.pyodide()
        pyodide.run((HERE / "heads.py").read_text(encoding="utf-8") + f"\nTRACED = {traced}\nNone")
        peak, before, after = pyodide.run(RUN)
        told |= {"peak": peak} if traced else {"heap before": before, "heap after": after}
    return told


def goals(told: dict) -> list[Goal]:
    return [Goal(f"attention n={N}: peak / scores", told["peak"] / SCORES, 4, at_most=True)]


def tables(told: dict, word) -> str:
    grown = told["heap after"] - told["heap before"]
    rows = [
        [word("the scores alone"), number(SCORES / 1e6), "1"],
        [word("most that NumPy and Python held at once"), number(told["peak"] / 1e6), number(told["peak"] / SCORES)],
        [word("growth of the wasm heap"), number(grown / 1e6), number(grown / SCORES)],
    ]
    return table([word("memory of attention, n = 1024"), "MB", word("times the scores")], rows)
