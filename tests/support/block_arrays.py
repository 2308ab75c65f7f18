"""The arrays among a block's global variables, out of whichever Python it ran in, bit by bit."""

import base64
import json

import numpy as np

# One expression without a name of its own, so that asking changes no variable.
EXPRESSION = (
    '__import__("json").dumps({name: [value.dtype.str, value.shape, __import__("base64").b64encode(value.tobytes()).decode()]'
    " for name, value in list(globals().items())"
    ' if type(value).__name__ == "ndarray" and value.dtype.kind in "biufc" and name[0] != "_"})'
)


# What a block finds by moving a number a little: a subtraction of nearly equal numbers leaves half of their digits.
BY_SMALL_STEPS = {"slopes", "depends", "share"}


def read(answer: str) -> dict[str, np.ndarray]:
    return {
        name: np.frombuffer(base64.b64decode(data), dtype).reshape(shape)
        for name, (dtype, shape, data) in json.loads(answer).items()
    }


def differences(ran: dict[str, dict[str, np.ndarray]]) -> list[str]:
    """`ran` has the arrays of one block by the name of the place: what is not the same everywhere, in words."""
    (first, expected), *others = ran.items()
    narrow = any(array.dtype.kind == "f" and array.dtype.itemsize < 8 for array in expected.values())
    found = []
    for place, arrays in others:
        if arrays.keys() != expected.keys():
            found.append(f"{first} has {sorted(expected)}, {place} has {sorted(arrays)}")
        found += [
            f"{name}: {place} differs from {first}"
            for name in arrays.keys() & expected.keys()
            if not _same(expected[name], arrays[name], narrow, 1e-8 if name in BY_SMALL_STEPS else 1e-12)
        ]
    return found


def _same(one: np.ndarray, other: np.ndarray, narrow: bool, atol: float) -> bool:
    if one.shape != other.shape or one.dtype.kind != other.dtype.kind:
        return False
    rtol, atol = (1e-5, 1e-5) if narrow else (1e-9, atol)
    return np.allclose(one, other, rtol=rtol, atol=atol, equal_nan=True)
