"""Multi-head attention as it is measured: the same numbers for this Python and for Pyodide."""

from statistics import median
from time import perf_counter

import numpy as np

from seeformer.attention import init_attention, multi_head_attention

D_MODEL, HEADS = 512, 8
WEIGHTS = init_attention(np.random.default_rng(0), D_MODEL, dtype=np.float32)
ENOUGH, MOST = 0.2, 5  # seconds and runs of one turn


def sequence(n, dtype=np.float32):
    return np.random.default_rng(n).standard_normal((n, D_MODEL)).astype(dtype)


def kernel(X, W_O=WEIGHTS["W_O"]):
    return multi_head_attention(X, **{**WEIGHTS, "W_O": W_O}, num_heads=HEADS)


def turn(n, work=kernel, dtype=np.float32) -> float:
    """Milliseconds, the median of some runs."""
    X, times = sequence(n, dtype), []
    while not times or sum(times) < ENOUGH and len(times) < MOST:
        begun = perf_counter()
        work(X)
        times.append(perf_counter() - begun)
    return 1000 * median(times)


def article_with_our_weights(article, X):
    """What the article's function gives when its draws are our weights; it has no W_O."""
    blocks = [WEIGHTS[name].astype(float)[:, at : at + D_MODEL // HEADS] / 0.01
              for name in ("W_Q", "W_K", "W_V") for at in range(0, D_MODEL, D_MODEL // HEADS)]  # fmt: skip
    own, draws = np.random.randn, iter(blocks)
    np.random.randn = lambda *shape: next(draws)
    try:
        return article(X, HEADS)
    finally:
        np.random.randn = own
