"""Masks: what a query may look at. Additive: 0 where visible, -inf where hidden; rows are queries, columns keys.

They are added to the scores before the softmax, as Vaswani et al. 2017, section 3.2.3, does it, so that a hidden key
gets the weight exp(-inf) = 0. Masks are float64; attention brings them to the dtype of its scores.
"""

import numpy as np

from .checks import additive, whole


def causal(n, m=None):
    """Hide the future.

    Parameters
    ----------
    n : int
        Number of queries.
    m : int, optional
        Number of keys, n if None. The queries are the *last* n of the m positions (what a decoder asks that has
        kept the keys of earlier steps), so query i sees the keys 0 .. i + m - n.

    Returns
    -------
    ndarray [n, m]

    Examples
    --------
    >>> causal(3)
    array([[  0., -inf, -inf],
           [  0.,   0., -inf],
           [  0.,   0.,   0.]])
    """
    n = whole("n", n, least=0)
    m = n if m is None else whole("m", m, least=0)
    if m < n:
        raise ValueError(f"m={m} is less than n={n}, so that the first queries would see no key: use m >= n")
    return _hide_unless(np.arange(m) <= np.arange(m - n, m)[:, None])


def padding(lengths, n):
    """Hide the filling that makes sequences of a batch equally long.

    Parameters
    ----------
    lengths : int or integer array [...]
        How many tokens of each sequence are real, 0 .. n.
    n : int
        Length of the batch.

    Returns
    -------
    ndarray [..., 1, 1, n]
        Ready to meet scores [..., h, n_q, n]: the same for every head and query.

    Examples
    --------
    >>> padding([2, 3], 3)[:, 0, 0]
    array([[  0.,   0., -inf],
           [  0.,   0.,   0.]])
    """
    n = whole("n", n, least=0)
    try:
        real = np.array(lengths)
    except ValueError:
        raise ValueError(f"lengths={lengths!r} is ragged: give rows of equal length") from None
    if real.dtype.kind not in "iu" or (real < 0).any() or (real > n).any():
        raise ValueError(f"lengths={lengths!r} must be whole numbers from 0 to n={n}: count the real tokens")
    return _hide_unless(np.arange(n) < real[..., None, None, None])


def sliding_window(n, w):
    """Hide all that is w or more steps away: query i sees the keys i - w + 1 .. i + w - 1, on both sides.

    This is the local attention of Longformer (Beltagy et al. 2020, section 3.1) with a window of 2w - 1 tokens.
    ``combine(causal(n), sliding_window(n, w))`` keeps the left side alone, where a query sees itself and the
    w - 1 tokens before it: the attention of Mistral 7B (Jiang et al. 2023, section 2).

    Parameters
    ----------
    n : int
    w : int, 1 or more
        1 leaves each query only itself.

    Returns
    -------
    ndarray [n, n]

    Examples
    --------
    >>> sliding_window(4, 2)
    array([[  0.,   0., -inf, -inf],
           [  0.,   0.,   0., -inf],
           [-inf,   0.,   0.,   0.],
           [-inf, -inf,   0.,   0.]])
    """
    n, w = whole("n", n, least=0), whole("w", w, least=1)
    return _hide_unless(abs(np.arange(n)[:, None] - np.arange(n)) < w)


def combine(*masks):
    """Visible only where every mask says so: their sum, broadcast. None is "no mask"; all None gives None.

    Examples
    --------
    >>> combine(causal(4), sliding_window(4, 2))
    array([[  0., -inf, -inf, -inf],
           [  0.,   0., -inf, -inf],
           [-inf,   0.,   0., -inf],
           [-inf, -inf,   0.,   0.]])
    """
    masks = [additive("masks", mask) for mask in masks if mask is not None]
    try:
        np.broadcast_shapes(*(mask.shape for mask in masks))
    except ValueError:
        shapes = ", ".join(str(mask.shape) for mask in masks)
        raise ValueError(f"masks={shapes} do not fit together: make their axes equal or 1") from None
    return sum(masks[1:], start=masks[0]) if masks else None


def _hide_unless(visible):
    return np.where(visible, 0.0, -np.inf)
