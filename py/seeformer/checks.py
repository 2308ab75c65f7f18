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


def finite(name, value, *, least=None, most=None):
    """``value`` as a Python float, which never promotes a float32 array as an ``np.float64`` would."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name}={value!r} is not a finite number: use one such as 1.0")
    if least is not None and number < least:
        raise ValueError(f"{name}={value!r} is too small: use at least {least}")
    if most is not None and number > most:
        raise ValueError(f"{name}={value!r} is too large: use at most {most}")
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


def additive(name, mask):
    """``mask`` as it is; ValueError if it is no array of floats (True may mean visible or hidden: nobody knows)."""
    dtype = getattr(mask, "dtype", None)
    if dtype is None or dtype.kind != "f":
        what = f"{type(mask).__name__} object" if dtype is None else f"array of dtype {dtype}"
        raise ValueError(f"{name}={what} is not an additive mask: use np.where(visible, 0.0, -np.inf)")
    return mask


def matrix(name, rows, *shape, most):
    """Nested lists (or an array) of numbers as a 2-D float64 array; None in ``shape`` = any length."""
    try:
        numbers = np.array(rows, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name}={rows!r} is not a table of numbers: give rows of equal length") from None
    fits = numbers.ndim == len(shape) and all(n in (None, m) for n, m in zip(shape, numbers.shape, strict=True))
    if not (fits and numbers.size):
        wanted = " by ".join("any number" if n is None else str(n) for n in shape)
        raise ValueError(f"{name}={shaped(numbers)} does not fit: make it {wanted}")
    if not (abs(numbers) <= most).all():  # NaN is refused too
        raise ValueError(f"{name}={rows!r} has an entry that is no number or too large: use -{most} to {most}")
    return numbers


def head_width(d_model, num_heads):
    """d_k = d_model / num_heads, which must come out even."""
    d_model, num_heads = whole("d_model", d_model, least=1), whole("num_heads", num_heads, least=1)
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}: use a multiple of {num_heads}")
    return d_model // num_heads


def positive(name, value, dtype):
    """A float above 0 that ``dtype`` can hold: it keeps equal numbers from a division by zero."""
    number = finite(name, value)
    if dtype.type(number) <= 0:  # 0 itself, or lost in a short dtype
        raise ValueError(f"{name}={value!r} does not keep equal numbers from a division by zero: use one such as 1e-05")
    return number


def same_shape(change, x):
    """What a sublayer gave back, if it can be added to x."""
    if getattr(change, "shape", None) != x.shape:
        gave = f"an {shaped(change)}" if hasattr(change, "shape") else f"{type(change).__name__}"
        raise ValueError(f"sublayer=function that returns {gave}, but x has shape {x.shape}: return that shape")
    return change
