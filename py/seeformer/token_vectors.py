"""Vectors for tokens without a vocabulary and without training: random, but the same word always gets the same one."""

import hashlib

import numpy as np

from .checks import whole


def token_vectors(tokens, width, *, seed=0):
    """One standard normal vector for each token, which depends on its text, the width and the seed alone.

    Parameters
    ----------
    tokens : sequence of str
    width : int
    seed : int, 0 or more

    Returns
    -------
    ndarray [n, width], float64

    Examples
    --------
    >>> vectors = token_vectors(["cat", "dog", "cat"], 4)
    >>> (vectors[0] == vectors[2]).all()
    np.True_
    """
    width, seed = whole("width", width, least=0), whole("seed", seed, least=0)
    # hash() of a str changes from one Python process to the next; a digest of its bytes does not.
    seeds = [hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest() for token in tokens]
    rngs = [np.random.default_rng([seed, int.from_bytes(digest, "big")]) for digest in seeds]
    return np.array([rng.standard_normal(width) for rng in rngs]).reshape(len(rngs), width)
