"""Rotary position embedding, RoPE (Su et al. 2021, RoFormer, section 3.2.2, equation 34).

Instead of adding a code of the position to X, each pair of columns of a query or key is turned by the angle
position * rate. Two vectors turned by m and n steps meet in their inner product as if one had been turned by m - n
alone, so that the scores of attention know the distance and nothing else.
"""

import numpy as np

from .checks import floats, shaped, whole
from .rates import FARTHEST, rates
from .trace import see

LAYOUTS = ("interleaved", "half")


def rotary(x, *, base=10000.0, offset=0, layout="interleaved"):
    """Turn row p of ``x`` by the angles of position offset + p.

    Parameters
    ----------
    x : array [..., n, d], d even
        Queries or keys, each head by itself (values stay as they are).
    base : float
        See ``rates``.
    offset : int
        The position of the first row; a decoder that continues a sequence passes the length it has already read.
    layout : {"interleaved", "half"}
        Which columns form pair i: 2i and 2i + 1, as in the paper, or i and i + d/2, as in GPT-NeoX and in Hugging
        Face's LLaMA. Weights trained with one fit the other only after their columns are permuted.

    Returns
    -------
    array [..., n, d]
        Same dtype, and every row as long as before.

    Examples
    --------
    >>> q = np.tile([1.0, 0.0], (3, 1))
    >>> rotary(q).round(3)
    array([[ 1.   ,  0.   ],
           [ 0.54 ,  0.841],
           [-0.416,  0.909]])
    """
    x = floats("x", x, "n", "d")
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError(f"x={shaped(x)} has an odd width: columns turn in pairs, so make d={d} even")
    if layout not in LAYOUTS:
        raise ValueError(f"layout={layout!r} is unknown: use one of {', '.join(LAYOUTS)}")
    offset = whole("offset", offset, least=-FARTHEST, most=FARTHEST)

    turns = see("turns", np.arange(offset, offset + n)[:, None] * rates(d, base))  # [n, d / 2]
    cos, sin = np.cos(turns).astype(x.dtype), np.sin(turns).astype(x.dtype)
    if layout == "half":
        a, b = x[..., : d // 2], x[..., d // 2 :]
    else:
        a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * cos - b * sin, a * sin + b * cos  # the point (a, b), turned
    if layout == "half":
        return np.concatenate([a, b], axis=-1)
    return np.stack([a, b], axis=-1).reshape(x.shape)
