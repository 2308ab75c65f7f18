"""Works out the arithmetic that a reading line writes: "2·3 + (−1) = 5" -> [5.0, 5.0]."""

import math
import re

_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_SIGNS = {"−∞": "(-inf)", "−": "-", "·": "*", "×": "*", "√": "sqrt", "^": "**", "²": "**2", "NaN": "nan"}
_NAMES = {name: getattr(math, name) for name in ("sqrt", "cos", "sin", "exp", "tanh", "erf", "inf", "nan")}


def _python(step: str) -> str:
    step = re.sub(r"×?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda power: "e" + power[1].translate(_DIGITS), step)  # 2×10⁻⁵
    step = re.sub(r"(?<![\d.])e(-?\d)", r"1e\1", step)  # 10⁻⁵
    for sign, code in _SIGNS.items():
        step = step.replace(sign, code)
    return re.sub(r"\b(cos|sin) ([\d.]+(?:e-?\d+)?)", r"\1(\2)", step)  # cos 1.5


def worths(line: str) -> list[float | None]:
    """What each side of the line's equals signs comes to; None for what tells of more than it writes ("… 60 more", "Σ")."""
    found = []
    for step in line.split(" = "):
        try:
            found.append(float(eval(_python(step), {"__builtins__": {}, "max": max, **_NAMES})))
        except (SyntaxError, NameError, TypeError):
            found.append(None)
    return found
