"""What the speed lab's note computes: the tiles of ``speed.run``, and two times of its own."""

from time import perf_counter

import numpy as np

from ..notes.show import show
from ..notes.words import remark, words
from ..tiles import tiled_product

SECTION = "8"  # of the course: after the article's last
FORMULAS = (r"C_{ij} = \sum_k A_{ik} B_{kj}, \qquad C_{6 \times 8} \mathrel{+}= A_{6 \times 1}\, B_{1 \times 8}",)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}}


def note(*, N, dtype, tile, step):
    """Names of ``speed.run``, whose docstring says what they mean."""
    rows, columns = 6, 32 // np.dtype(dtype).itemsize
    random = np.random.default_rng(0)
    A = random.integers(-2, 3, (min(N, 4 * rows), min(N, 24)))
    B = random.integers(-2, 3, (min(N, 24), min(N, 3 * columns)))
    remark("tiles")
    C = tiled_product(A, B, rows, columns, tiles=tile, steps=step)
    show(C, title=words("so_far"))
    print(words("same"), np.array_equal(tiled_product(A, B, rows, columns), A @ B))

    remark("times")
    X = random.standard_normal((min(N, 64), N)).astype(dtype)
    W = random.standard_normal((N, N)).astype(dtype)
    products = {"X @ W.T": lambda: X @ W.T, "einsum": lambda: np.einsum("ik,jk->ij", X, W)}
    times = max(1, 10**7 // (X.size * N))
    for name, product in products.items():
        product()
        began = perf_counter()
        for _ in range(times):
            product()
        print(name, round(2 * X.size * N * times / (perf_counter() - began) / 1e9, 2), "GFLOP/s")
