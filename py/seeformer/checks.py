"""What public functions ask of their arguments: checked once, at the edge, with one sentence each.

A message begins ``name=value`` (the page puts it beside the control of that name) and ends with the remedy.
"""

import math
import operator

import numpy as np


def whole(name, value, *, least=None, most=None):
    """``value`` as an int; ValueError unless it is a whole number from ``least`` to ``most``."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name}={value!r} is not a whole number: use one such as {max(least or 0, 1)}") from None
    if least is not None and number < least:
        raise ValueError(f"{name}={number} is too small: use at least {least}")
    if most is not None and number > most:
        raise ValueError(f"{name}={number} is too large: use at most {most}")
    return number


def finite(name, value, *, least=None):
    """``value`` as a Python float, which never promotes a float32 array as an ``np.float64`` would."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name}={value!r} is not a finite number: use one such as 1.0")
    if least is not None and number < least:
        raise ValueError(f"{name}={value!r} is too small: use at least {least}")
    return number


def flag(name, value):
    """``value`` as a bool; ValueError unless it is true, false, 1 or 0 ("false", a true string, is none of them)."""
    if isinstance(value, (bool, np.bool_, int, float)) and value in (0, 1):
        return bool(value)
    raise ValueError(f"{name}={value!r} is neither true nor false: use True or False")


def shaped(x):
    """How a message names an array: by its shape, since its values would fill the screen."""
    return f"array of shape {tuple(x.shape)}"


def floats(name, x, *axes):
    """``x`` in a floating dtype: kept if it has one, float64 for integers and booleans.

    ``axes`` names the axes it must have at least, outermost first, e.g. ``"n", "d_k"``.
    """
    if not hasattr(x, "dtype"):
        raise ValueError(f"{name}={type(x).__name__} object is not an array: wrap it in np.array(...)")
    if x.ndim < len(axes):
        raise ValueError(f"{name}={shaped(x)} has too few axes: give it [..., {', '.join(axes)}]")
    if x.dtype.kind not in "fiub":
        raise ValueError(f"{name}=array of dtype {x.dtype} does not hold real numbers: use {name}.astype(float)")
    return x if x.dtype.kind == "f" else x.astype(float)


def matrix(name, rows, *shape):
    """Nested lists (or an array) of finite numbers as a float64 array; ``shape`` entries of None are free."""
    try:
        numbers = np.array(rows, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name}={rows!r} is not a table of numbers: give rows of equal length") from None
    if numbers.ndim != len(shape) or any(want not in (None, has) for want, has in zip(shape, numbers.shape, strict=True)):
        wanted = ", ".join("any" if want is None else str(want) for want in shape)
        raise ValueError(f"{name}={shaped(numbers)} does not fit: use shape ({wanted})")
    if not (numbers.size and np.isfinite(numbers).all()):
        raise ValueError(f"{name}={rows!r} is empty or not finite: use ordinary numbers")
    return numbers


def head_width(d_model, num_heads):
    """d_k = d_model / num_heads, which must come out even."""
    d_model, num_heads = whole("d_model", d_model, least=1), whole("num_heads", num_heads, least=1)
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}: use a multiple of {num_heads}")
    return d_model // num_heads
