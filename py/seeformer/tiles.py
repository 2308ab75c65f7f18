"""A matrix product tile after tile, as src/tile.h of seeformer.fast computes it in registers.

K. Goto and R. van de Geijn, "Anatomy of High-Performance Matrix Multiplication", 2008.
"""

import numpy as np

from .trace import see


def tiled_product(A, B, rows, columns, tiles=None, steps=None):
    """A B as sums of outer products, each tile of C to its end before the next begins.

    Parameters
    ----------
    A : [m, k]
    B : [k, n]
    rows, columns : int
        Of a tile; at the edges it is cut off.
    tiles : int, optional
        How many tiles are begun, row after row; all if left out.
    steps : int, optional
        How many of its k steps the last of them has taken; all if left out.

    Returns
    -------
    C : [m, n]
        The sums so far; 0 where no tile has begun.

    Examples
    --------
    >>> A, B = np.arange(6).reshape(2, 3), np.arange(12).reshape(3, 4)
    >>> tiled_product(A, B, 2, 2)
    array([[20, 23, 26, 29],
           [56, 68, 80, 92]])
    >>> tiled_product(A, B, 2, 2, tiles=2, steps=1)
    array([[20, 23,  0,  0],
           [56, 68,  6,  9]])
    """
    (m, k), n = A.shape, B.shape[1]
    C = np.zeros((m, n), A.dtype)
    places = [(i, j) for i in range(0, m, rows) for j in range(0, n, columns)][:tiles]
    for i, j in places:
        last = (i, j) == places[-1]
        for p in range(k)[: steps if last else k]:
            C[i : i + rows, j : j + columns] += np.outer(A[i : i + rows, p], B[p, j : j + columns])
    return see("C", C)
