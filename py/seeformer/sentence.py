"""A reader's sentence as a lab takes it: a list of tokens, and the order in which they stand."""

import numpy as np

from .checks import whole

MOST_TOKENS = 128  # what a browser tab holds with every step of attention kept


def sentence(tokens, *, most=MOST_TOKENS, name="tokens"):
    """``tokens`` as a list of str; ValueError, which calls them ``name``, unless it is one of 1 to ``most`` strings."""
    if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
        raise ValueError(f"{name}={tokens!r} is not a list of strings: use one such as ['我', '爱', '猫']")
    if not 1 <= len(tokens) <= most:
        raise ValueError(f"{name}={len(tokens)} tokens are too few or too many: use 1 to {most}")
    return list(tokens)


def word_order(words, shuffle):
    """Which word stands where: ``shuffle`` = 0 leaves all in place, k > 0 shuffles with seed k and moves something.

    Parameters
    ----------
    words : int
        How many; a single one cannot move.
    shuffle : int, 0 or more

    Returns
    -------
    ndarray of int [words], a permutation

    Examples
    --------
    >>> word_order(4, 1)
    array([3, 0, 1, 2])
    """
    order = np.arange(words)
    if whole("shuffle", shuffle, least=0) == 0:
        return order
    moved = np.random.default_rng(shuffle).permutation(words)
    return np.roll(order, 1) if (moved == order).all() else moved
