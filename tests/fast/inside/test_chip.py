"""limit(): multiply-adds on registers, which no product can beat."""

import numpy as np
import pytest

import seeformer.fast


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_it_is_above_what_numpy_s_own_loop_does_and_asks_for_no_loops_in_place(dtype):
    from time import perf_counter

    seeformer.fast.disable()
    A = np.ones((96, 96), dtype)
    A @ A
    began = perf_counter()
    A @ A
    stock = 2 * 96**3 / (perf_counter() - began) / 1e9
    assert seeformer.fast.limit(dtype, 0.02) > 2 * stock
    assert not seeformer.fast.status()["enabled"]


def test_no_other_dtype():
    with pytest.raises(ValueError, match="dtype=int32 has no loop: use one of float32, float64"):
        seeformer.fast.limit(np.int32)
