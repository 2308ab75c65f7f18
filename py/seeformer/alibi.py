"""Attention with linear biases, ALiBi (Press et al. 2022, section 3): no code of the position at all.

Each head takes its slope times the distance off the score. A head with a steep slope sees its neighbours, one with a
flat slope looks far; nothing is learned, and sequences may be longer than any seen in training.
"""

import numpy as np

from .checks import whole


def alibi_slopes(num_heads):
    """The slope of each head: 2^(-8/h), 2^(-16/h), ..., 2^(-8) for a number of heads h that is a power of two.

    For other numbers the authors' released code takes the slopes of the power of two below, then fills up with every
    second slope (the first, the third, ...) of twice that power.

    Returns
    -------
    ndarray [num_heads], float64

    Examples
    --------
    >>> alibi_slopes(4)
    array([0.25      , 0.0625    , 0.015625  , 0.00390625])
    """
    num_heads = whole("num_heads", num_heads, least=1)
    below = 2 ** (num_heads.bit_length() - 1)
    return np.concatenate([_geometric(below), _geometric(2 * below)[0::2][: num_heads - below]])


def _geometric(heads):
    return 2.0 ** (-8 * np.arange(1, heads + 1) / heads)


def alibi(num_heads, n):
    """What is added to the scores: -slope * (i - j) for query i and key j.

    Parameters
    ----------
    num_heads : int
    n : int
        Length of the sequence.

    Returns
    -------
    ndarray [num_heads, n, n], float64
        An additive mask: ``combine(alibi(h, n), causal(n))`` is what the paper uses. The paper has no keys after the
        query (its models are causal); here they are charged for their distance too, -slope * |i - j|, which leaves
        the causal case as it is and treats both sides alike where there is no causal mask.

    Examples
    --------
    >>> alibi(1, 3)
    array([[[-0.        , -0.00390625, -0.0078125 ],
            [-0.00390625, -0.        , -0.00390625],
            [-0.0078125 , -0.00390625, -0.        ]]])
    """
    n = whole("n", n, least=0)
    distance = abs(np.arange(n)[:, None] - np.arange(n))  # [query, key]
    return -alibi_slopes(num_heads)[:, None, None] * distance
