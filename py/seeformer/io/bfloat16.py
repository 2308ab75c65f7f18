"""bfloat16, which NumPy lacks: the upper half of a float32 (8 bits of exponent, 7 of mantissa), kept as uint16."""

import numpy as np


def from_bits(bits):
    """uint16 [...] -> float32 [...]: exact, for every bfloat16 is a float32 whose lower half is zero."""
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def to_bits(x):
    """Floats [...] -> uint16 [...], the nearest bfloat16 of each, ties to the even one; NaN stays NaN.

    What is too large for it becomes infinite, as IEEE 754 rounds.
    """
    bits = _odd_float32(x).view(np.uint32)
    last = (bits >> np.uint32(16)) & np.uint32(1)
    rounded = (bits + np.uint32(0x7FFF) + last) >> np.uint32(16)
    quiet = (bits >> np.uint32(16)) | np.uint32(0x40)  # a NaN's mantissa must not be carried or cut to zero
    return np.where(np.isnan(x), quiet, rounded).astype(np.uint16)


def _odd_float32(x):
    """As float32. A float64 goes to the neighbour with an odd last bit, or it would be rounded twice."""
    with np.errstate(over="ignore", invalid="ignore"):  # infinity and NaN are dealt with by whoever asked
        near = x.astype(np.float32)
    if x.dtype.itemsize <= 4:
        return near
    change = (near != x) & np.isfinite(near) & (near.view(np.uint32) % 2 == 0)
    towards = np.where(near < x, np.float32(np.inf), np.float32(-np.inf))
    return np.where(change, np.nextafter(near, towards), near)
