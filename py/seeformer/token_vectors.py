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
    """
    width, seed = whole("width", width, least=0), whole("seed", seed, least=0)
    if not len(tokens):
        return np.zeros((0, width))
    return np.stack([_generator(token, seed).standard_normal(width) for token in tokens])


def _generator(token, seed):
    # hash() of a str changes from one Python process to the next; a digest of its bytes does not.
    digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng([seed, int.from_bytes(digest, "big")])
