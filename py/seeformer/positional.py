"""Sinusoidal positional encoding (Vaswani et al. 2017, section 3.5).

    PE(pos, 2i)     = sin(pos / base^(2i / d_model))
    PE(pos, 2i + 1) = cos(pos / base^(2i / d_model))

Each pair of columns is the hand of a clock, and each clock turns slower than the one before it. A step along
the sequence therefore turns every hand by its own fixed angle, wherever one starts: ``rotation`` is that turn.
"""

import numpy as np

from .checks import finite, whole
from .trace import see

FARTHEST = 2**31  # up to here a float64 angle (pos * rate) is right to six decimals


def _rates(d_model, base):  # [ceil(d_model / 2)], radians a step
    if finite("base", base) <= 0:
        raise ValueError(f"base={base!r} is not positive: use a number above 0, such as 10000.0")
    return float(base) ** (-2 * np.arange((d_model + 1) // 2) / d_model)


def sinusoidal(seq_len, d_model, *, base=10000.0, offset=0):
    """Encode the positions offset, offset + 1, ..., offset + seq_len - 1.

    Parameters
    ----------
    seq_len : int, 0 or more
    d_model : int
        Even or odd: with an odd width the last sine has no cosine beside it.
    base : float
        The slowest wavelength is near 2 pi * base.
    offset : int
        The first position; a decoder that continues a sequence passes the length it has already read.

    Returns
    -------
    ndarray [seq_len, d_model], float64
    """
    seq_len, d_model = whole("seq_len", seq_len, least=0), whole("d_model", d_model, least=1)
    offset = whole("offset", offset, least=-FARTHEST, most=FARTHEST)
    pos = np.arange(offset, offset + seq_len)[:, None]
    rates = _rates(d_model, base)
    angles = see("angles", pos * rates)  # [seq_len, pairs]
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # [seq_len, pairs, 2]
    return pairs.reshape(seq_len, 2 * len(rates))[:, :d_model]


def rotation(d_model, steps, *, base=10000.0):
    """The matrix that moves every position by the same number of steps: PE(pos + steps) = PE(pos) @ rotation.

    Parameters
    ----------
    d_model : int, even
    steps : int
        Negative turns back.

    Returns
    -------
    ndarray [d_model, d_model], float64
        One 2x2 rotation for each pair of columns, on the diagonal.
    """
    d_model, steps = whole("d_model", d_model, least=0), whole("steps", steps, least=-FARTHEST, most=FARTHEST)
    if d_model % 2:
        raise ValueError(f"d_model={d_model} is odd and its last sine has no cosine to turn with: use an even width")
    angles = steps * np.repeat(_rates(d_model, base), 2)  # [d_model]
    column = np.arange(d_model)
    swap = np.eye(d_model)[column ^ 1]  # brings each sine to its cosine's column and back
    # sin(a + t) = sin a cos t + cos a sin t, in the even columns; cos(a + t) = cos a cos t - sin a sin t, in the odd.
    sign = np.where(column % 2, -1, 1)
    return np.diag(np.cos(angles)) + swap * (sign * np.sin(angles))
