"""Seeded weights, in the names and shapes of a checkpoint."""

import numpy as np

from ..checks import finite, whole


def initial_weights(shapes, seed=0, spread=0.02):
    """Normal numbers for matrices and tables, 0 for biases, 1 for the gains of norms; float32.

    Parameters
    ----------
    shapes : dict
        name -> shape. Names that end in ``bias`` or ``beta``, or whose last part begins with ``b_``, are biases; any
        other array of one axis is a gain.
    seed : int
        Each array has a generator of its own, seeded by ``seed`` and its place, so that one layer more changes none
        of those before it.
    spread : float

    Returns
    -------
    dict
    """
    seed, spread = whole("seed", seed, least=0), finite("spread", spread, least=0)
    return {name: _start(name, shape, (seed, place), spread) for place, (name, shape) in enumerate(shapes.items())}


def _start(name, shape, seed, spread):
    if name.endswith(("bias", "beta")) or name.rpartition(".")[2].startswith("b_"):
        return np.zeros(shape, np.float32)
    if len(shape) == 1:
        return np.ones(shape, np.float32)
    values = np.random.default_rng(seed).standard_normal(shape, np.float32)  # float64 first would take thrice the room
    values *= np.float32(spread)
    return values
