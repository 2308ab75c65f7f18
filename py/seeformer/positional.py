"""Positional encodings: what tells attention where a token stands.

Sinusoidal (Vaswani et al. 2017, section 3.5):

    PE(pos, 2i)     = sin(pos / base^(2i / d_model))
    PE(pos, 2i + 1) = cos(pos / base^(2i / d_model))

Each pair of columns is the hand of a clock, and each clock turns slower than the one before it. A step along
the sequence therefore turns every hand by its own fixed angle, wherever one starts: ``rotation`` is that turn.

``learned`` is the table that BERT and GPT-2 train instead. ``rotary`` and ``alibi``, which came later and act on the
queries, keys and scores, have files of their own.
"""

import numpy as np

from .alibi import alibi
from .checks import finite, floats, whole
from .rates import FARTHEST, rates
from .rotary import rotary
from .trace import see

__all__ = ["alibi", "encode", "learned", "look_up", "rotary", "rotation", "sinusoidal"]


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

    Examples
    --------
    >>> sinusoidal(4, 6).round(3)
    array([[ 0.   ,  1.   ,  0.   ,  1.   ,  0.   ,  1.   ],
           [ 0.841,  0.54 ,  0.046,  0.999,  0.002,  1.   ],
           [ 0.909, -0.416,  0.093,  0.996,  0.004,  1.   ],
           [ 0.141, -0.99 ,  0.139,  0.99 ,  0.006,  1.   ]])
    """
    seq_len, d_model = whole("seq_len", seq_len, least=0), whole("d_model", d_model, least=1)
    offset = whole("offset", offset, least=-FARTHEST, most=FARTHEST)
    return encode(np.arange(offset, offset + seq_len), d_model, base=base)


def encode(positions, d_model, *, base=10000.0):
    """Encode any positions, fractions too: the curves between the whole steps.

    Parameters
    ----------
    positions : array [..., n]
    d_model, base
        As for ``sinusoidal``.

    Returns
    -------
    ndarray [..., n, d_model], float64

    Examples
    --------
    >>> encode(np.array([0.0, 0.5, 1.0]), 2).round(3)
    array([[0.   , 1.   ],
           [0.479, 0.878],
           [0.841, 0.54 ]])
    """
    d_model = whole("d_model", d_model, least=1)
    angles = see("angles", floats("positions", positions, "n")[..., None] * rates(d_model, base))  # [..., n, pairs]
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # [..., n, pairs, 2]
    return pairs.reshape(*angles.shape[:-1], 2 * angles.shape[-1])[..., :d_model]


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

    Examples
    --------
    >>> PE = sinusoidal(5, 4)
    >>> np.allclose(PE[:-1] @ rotation(4, 1), PE[1:])
    True
    """
    d_model, steps = whole("d_model", d_model, least=0), whole("steps", steps, least=-FARTHEST, most=FARTHEST)
    if d_model % 2:
        raise ValueError(f"d_model={d_model} is odd and its last sine has no cosine to turn with: use an even width")
    angles = steps * np.repeat(rates(d_model, base), 2)  # [d_model]
    column = np.arange(d_model)
    swap = np.eye(d_model)[column ^ 1]  # brings each sine to its cosine's column and back
    # sin(a + t) = sin a cos t + cos a sin t, in the even columns; cos(a + t) = cos a cos t - sin a sin t, in the odd.
    sign = np.where(column % 2, -1, 1)
    return np.diag(np.cos(angles)) + swap * (sign * np.sin(angles))


def learned(rng, seq_len, d_model, *, scale=0.02, dtype=float):
    """A table with one trainable vector for each position, as in BERT (Devlin et al. 2019) and GPT-2.

    Before training it is noise: it says only which position is which, nothing of near and far. And it ends:
    position seq_len has no row.

    Parameters
    ----------
    rng : numpy.random.Generator
    seq_len : int
        The longest sequence that it can ever encode.
    d_model : int
    scale : float
        Standard deviation of the entries; 0.02 is what BERT and GPT-2 start from.
    dtype : dtype

    Returns
    -------
    ndarray [seq_len, d_model]

    Examples
    --------
    >>> learned(np.random.default_rng(0), 3, 4).round(3)
    array([[ 0.003, -0.003,  0.013,  0.002],
           [-0.011,  0.007,  0.026,  0.019],
           [-0.014, -0.025, -0.012,  0.001]])
    """
    seq_len, d_model = whole("seq_len", seq_len, least=0), whole("d_model", d_model, least=1)
    return (rng.standard_normal((seq_len, d_model)) * finite("scale", scale, least=0)).astype(dtype)


def look_up(table, seq_len, *, offset=0):
    """The rows offset, ..., offset + seq_len - 1 of a learned table.

    Parameters
    ----------
    table : array [longest, d_model]
    seq_len : int
    offset : int, 0 or more

    Returns
    -------
    array [seq_len, d_model]

    Raises
    ------
    ValueError
        If the table has no such rows: unlike a formula it does not go on.

    Examples
    --------
    >>> table_of_vectors = np.arange(8.0).reshape(4, 2)
    >>> look_up(table_of_vectors, 2, offset=1)
    array([[2., 3.],
           [4., 5.]])
    """
    table = floats("table", table, "longest", "d_model")
    seq_len, offset = whole("seq_len", seq_len, least=0), whole("offset", offset, least=0)
    if offset + seq_len > len(table):
        raise ValueError(
            f"seq_len={seq_len} positions from offset={offset} reach past the table's {len(table)} rows: "
            f"use at most {max(len(table) - offset, 0)}, or a longer table"
        )
    return table[offset : offset + seq_len]
