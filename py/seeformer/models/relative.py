"""T5's relative position bias: what is added to a score depends on how far apart query and key are (Raffel et al. 2020,
section 2.1; Shaw et al. 2018 had the idea).

Distances share a few buckets, near ones with a bucket each, far ones in logarithmic steps; one learned number for each
bucket and head. It is an additive mask, so attention itself is as ever.
"""

import math

import numpy as np

from ..checks import floats, whole


def buckets(n, m=None, *, both_ways=True, num_buckets=32, max_distance=128):
    """Which bucket each pair of positions falls into.

    Parameters
    ----------
    n, m : int
        Queries and keys (n if None). The queries are the last n of the m positions, as in ``mask.causal``.
    both_ways : bool
        Half of the buckets for keys to the right, as in an encoder; False puts all of those into bucket 0.
    num_buckets, max_distance : int
        From max_distance on everything is in the last bucket.

    Returns
    -------
    ndarray [n, m] of int

    Examples
    --------
    >>> buckets(1, 12, both_ways=False, num_buckets=8, max_distance=16)
    array([[6, 6, 6, 6, 5, 5, 4, 4, 3, 2, 1, 0]])
    """
    n = whole("n", n, least=0)
    m = whole("m", n if m is None else m, least=n)
    num_buckets = whole("num_buckets", num_buckets, least=4 if both_ways else 2)
    right = np.arange(m) - np.arange(m - n, m)[:, None]  # how far to the right of its query each key is
    first = 0
    if both_ways:
        num_buckets //= 2
        first, distance = np.where(right > 0, num_buckets, 0), abs(right)
    else:
        distance = np.maximum(-right, 0)
    near = num_buckets // 2
    max_distance = whole("max_distance", max_distance, least=near + 1)
    # In float32, as the models were trained: on the edge of a bucket a longer number could fall on the other side.
    steps = np.log(np.maximum(distance, 1).astype(np.float32) / near) / np.float32(math.log(max_distance / near))
    far = near + (steps * (num_buckets - near)).astype(int)
    return first + np.where(distance < near, distance, np.minimum(far, num_buckets - 1))


def relative_bias(table, n, m=None, **options):
    """The bias of every head, to be added to the scores.

    Parameters
    ----------
    table : array [num_buckets, h]
    n, m, options
        As for ``buckets``.

    Returns
    -------
    array [h, n, m]
    """
    table = floats("table", table, "num_buckets", "h")
    chosen = table[buckets(n, m, num_buckets=table.shape[0], **options)]  # [n, m, h]
    return chosen.swapaxes(-1, -2).swapaxes(-2, -3)
