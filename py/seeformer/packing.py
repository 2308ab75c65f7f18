"""A lab's values as one flat float32 buffer and a description of it: what crosses from Python to the page.

One buffer means one copy out of the interpreter's memory, however many arrays a lab returns. Single numbers stay
beside it, exact; the three that JSON cannot hold travel by name.
"""

import math
from numbers import Real

import numpy as np

_NAMED = {math.inf: "Infinity", -math.inf: "-Infinity"}


def pack(values: dict) -> tuple[list[dict], np.ndarray]:
    """Lay a lab's values out for the page.

    Parameters
    ----------
    values : dict
        Name to array of numbers or bools, number, string, or list of strings. A 0-d array is a number.

    Returns
    -------
    meta : list of dict
        One entry a value, in order, that JSON can hold. An array's `offset` counts floats from the buffer's start.
    buffer : ndarray of float32, 1-D, C-contiguous

    Raises
    ------
    TypeError
        If a value is none of these; the message names it.
    """
    meta, arrays, offset = [], [], 0
    for name, value in values.items():
        entry = _describe(name, value)
        if entry["kind"] == "array":
            entry["offset"] = offset
            offset += math.prod(entry["shape"])
            arrays.append(value)
        meta.append(entry)
    buffer = np.empty(offset, np.float32)
    at = 0
    with np.errstate(over="ignore"):  # beyond float32's range a value is infinite, and the page shows it so
        for array in arrays:
            buffer[at : at + array.size] = array.ravel()
            at += array.size
    return meta, buffer


def _describe(name: str, value) -> dict:
    if isinstance(value, np.ndarray) and value.ndim > 0:
        if value.dtype.kind in "biuf":
            return {"name": name, "kind": "array", "shape": list(value.shape)}
        if value.dtype.kind == "U" and value.ndim == 1:
            return {"name": name, "kind": "strings", "value": value.tolist()}
    elif isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biuf":
        return {"name": name, "kind": "number", "value": _number(value.item())}
    elif isinstance(value, str):
        return {"name": name, "kind": "string", "value": str(value)}
    elif isinstance(value, Real):
        return {"name": name, "kind": "number", "value": _number(value)}
    elif isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return {"name": name, "kind": "strings", "value": [str(item) for item in value]}
    kind = f"array of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
    raise TypeError(f"{name} is a {kind}: a lab returns arrays of numbers, numbers, strings and lists of strings")


def _number(value: Real) -> int | float | str:
    if isinstance(value, bool | int):
        return int(value)
    value = float(value)
    return "NaN" if math.isnan(value) else _NAMED.get(value, value)
