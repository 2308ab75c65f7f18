"""How fast each pair of columns turns: base^(-2i / d), from one radian a step down to almost none.

Vaswani et al. 2017, section 3.5, chose these rates for the sinusoidal encoding; RoPE (Su et al. 2021, section 3.2.2)
took them over.
"""

import numpy as np

from .checks import finite

FARTHEST = 2**31  # positions up to here keep a float64 angle (position * rate) right to six decimals


def rates(width, base=10000.0):
    """Radians a step for each pair of ``width`` columns.

    Parameters
    ----------
    width : int
        Even or odd: the last column of an odd width is half a pair.
    base : float
        The slowest pair needs nearly 2 pi * base steps for one turn.

    Returns
    -------
    ndarray [ceil(width / 2)], float64

    Examples
    --------
    >>> rates(8)
    array([1.   , 0.1  , 0.01 , 0.001])
    """
    if finite("base", base) <= 0:
        raise ValueError(f"base={base!r} is not positive: use a number above 0, such as 10000.0")
    return float(base) ** (-2 * np.arange((width + 1) // 2) / width)
