"""Along three seeded directions: a gradient in three numbers, which agree if and (but for luck) only if it does."""

import numpy as np


def along(gradient, place):
    """[...] -> [3]; ``place``: which of the model's arrays this is."""
    directions = np.random.default_rng((1948, place)).standard_normal((3, gradient.size))
    return (directions @ gradient.reshape(-1).astype(np.float64)).astype(np.float32)
