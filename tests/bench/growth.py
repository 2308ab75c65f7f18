"""How the time of attention grows with n: as n for the projections at first, as n² where the scores rule."""

import numpy as np

from .attention import everybody, interleaved
from .stage import Stage
from .tables import number, table

SIZES = 64, 128, 256, 512, 1024, 2048
WHO = {"stock": "stock NumPy", "fast": "seeformer.fast", "ort 1": "onnxruntime-web"}


def measure(stage: Stage, rounds: int) -> dict:
    with everybody(stage, SIZES) as all_of_them:
        rows = interleaved({name: all_of_them[name] for name in WHO}, SIZES, rounds)
    return {"rounds": rounds, "rows": rows, "exponents": {name: exponent(rows, name) for name in WHO}}


def exponent(rows: list[dict], name: str) -> float:
    """The slope of log(time) over log(n), of the larger half of the sizes."""
    upper = rows[len(rows) // 2 :]
    slope, _ = np.polyfit(np.log([row["n"] for row in upper]), np.log([row[name] for row in upper]), 1)
    return float(slope)


def goals(told: dict) -> list:
    return []


def tables(told: dict, word) -> str:
    head = [word("ms of attention, n ="), *(str(row["n"]) for row in told["rows"]), word("grows as")]
    lines = [
        [word(words), *(number(row[who]) for row in told["rows"]), f"n^{told['exponents'][who]:.2f}"]
        for who, words in WHO.items()
    ]
    return table(head, lines)
