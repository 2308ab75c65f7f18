"""Times `A @ B` with NumPy's own loops, with those of seeformer.fast, and the chip's limit, in turns.

In turns, so that a busy machine hurts all alike; and never for long, because labs and cells share one interpreter.
"""

import math
from contextlib import contextmanager
from time import perf_counter

import numpy as np

from .. import fast

TURNS, FEWEST = 9, 3
PATIENCE = 1.8  # seconds, after which no further turn begins
WARM_UP = 0.12  # seconds: until the engine has compiled both well
AT_LEAST = 0.008  # seconds of one timing: less is mostly noise
STOCK_AT_MOST = 0.12  # seconds of one timing of NumPy's own loops; of what takes longer, only the first rows
WHO = ("stock", "fast", "limit")


@contextmanager
def loops(*, ours: bool):
    """Ours under `@`, or NumPy's own; as it was before at the end, whatever happens."""
    before = fast.status()["enabled"]
    try:
        if before != ours:
            (fast.enable if ours else fast.disable)()
        yield
    finally:
        if fast.status()["enabled"] != before:
            (fast.enable if before else fast.disable)()


def timings(N, dtype):
    """Yields {samples: [stock, fast, limit] lists of GFLOP/s, rows, reason} after each turn.

    `rows` of A are what NumPy's own loops get: each row costs them the same. `reason` says why ours are not there.
    """
    random = np.random.default_rng(0)
    A, B = (random.standard_normal((N, N)).astype(dtype) for _ in range(2))
    began = perf_counter()
    with loops(ours=True):
        reason = fast.status()["reason"] or ""
        if not reason:
            fast.limit(dtype, WARM_UP)
            _gflops(A, B, WARM_UP)
    with loops(ours=False):
        rows = _rows(A, B)
    samples = [[], [], []]
    for turn in range(TURNS):
        if turn >= FEWEST and perf_counter() - began > PATIENCE:
            return
        if not reason:
            samples[2].append(fast.limit(dtype, AT_LEAST))
            with loops(ours=True):
                samples[1].append(_gflops(A, B, AT_LEAST))
        with loops(ours=False):
            samples[0].append(_gflops(A[:rows], B, AT_LEAST))
        yield {"samples": samples, "rows": rows, "reason": reason}


def _gflops(A, B, seconds):
    """Of as many products as the time has room for, one at least."""
    flops, times, began = 2 * len(A) * B.size, 0, perf_counter()
    while (took := perf_counter() - began) < seconds:
        A @ B
        times += 1
    return flops * times / took / 1e9


def _rows(A, B):
    A[:1] @ B  # its first run is slow
    began = perf_counter()
    A[:1] @ B
    return min(len(A), max(1, math.floor(STOCK_AT_MOST / max(perf_counter() - began, 1e-7))))
