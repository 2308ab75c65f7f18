"""Arrays for the kernel tests: random ones of drawn shapes, read-only so that a kernel that writes into them fails."""

import numpy as np
from hypothesis import strategies as st

dtypes = st.sampled_from([np.float32, np.float64])
seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 5)
batches = st.lists(st.integers(1, 3), max_size=2).map(tuple)

# How far two orders of summation may differ, for numbers of size 1.
TOLERANCE = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-12}


def normal(rng, *shape, dtype=np.float64):
    return frozen(rng.standard_normal(shape).astype(dtype))


def frozen(x):
    x.flags.writeable = False
    return x


def assert_close(actual, expected, dtype=None):
    """Equal shapes and values; and the dtype, if given, which also sets the tolerance."""
    assert dtype is None or actual.dtype == dtype
    assert actual.shape == expected.shape
    tolerance = TOLERANCE[np.dtype(dtype or np.float64)]
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)
