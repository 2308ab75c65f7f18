"""The products that are measured, and how: plain NumPy, for this Python and for Pyodide alike."""

from statistics import median
from time import perf_counter

import numpy as np

FLOPS_A_TURN = 2e7  # so many at least are measured at once
random = np.random.default_rng(0)


def array(*shape, dtype=np.float32):
    return random.standard_normal(shape).astype(dtype)


def square(n, dtype=np.float32):
    """The right one keeps the size of what it multiplies, also twenty times over."""
    return array(n, n, dtype=dtype), array(n, n, dtype=dtype) * dtype(n**-0.5)


PRODUCTS = {f"float32 {n}": square(n) for n in (8, 16, 128, 256, 512, 1024)}
PRODUCTS |= {f"float64 {n}": square(n, np.float64) for n in (8, 16, 128, 256, 512)}
PRODUCTS["16 x (128x64 @ 64x64)"] = array(16, 128, 64), array(16, 64, 64) / np.float32(8)
PRODUCTS["8 heads 64x64, Q K^T"] = array(64, 8, 64).transpose(1, 0, 2), array(64, 8, 64).transpose(1, 2, 0)
PRODUCTS["8 heads 64x64, weights V"] = array(8, 64, 64) / np.float32(8), array(64, 8, 64).transpose(1, 0, 2)
PRODUCTS["1 row x 768x3072"] = array(1, 768), array(768, 3072)


def is_stream(name: str) -> bool:
    """Whether reading the right array is the work: GB/s count then, else GFLOP/s."""
    return name.startswith("1 row")


def amount(name: str) -> int:
    left, right = PRODUCTS[name]
    return right.nbytes if is_stream(name) else flops(left, right)


def flops(left, right) -> int:
    return 2 * left.size * right.shape[-1]  # batches of both are the same here


def times(name: str) -> int:
    """How often a product is done in one turn."""
    return max(1, int(FLOPS_A_TURN / flops(*PRODUCTS[name])))


def seconds(work, *arguments, times=1) -> float:
    begun = perf_counter()
    for _ in range(times):
        work(*arguments)
    return (perf_counter() - begun) / times


def speed(name: str, work=np.matmul, pair=None, turns=1, divided=1) -> float:
    """In G(FLOP or bytes)/s, the median of `turns`."""
    pair = PRODUCTS[name] if pair is None else pair
    often = max(1, times(name) // divided)
    return amount(name) / 1e9 / median(seconds(work, *pair, times=often) for _ in range(turns))
