"""bfloat16: every one of the 65,536 goes through, everything else goes to the nearest, ties to the even one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer.io.bfloat16 import from_bits, to_bits

ALL = np.arange(1 << 16, dtype=np.uint16)
FINITE = np.sort(from_bits(ALL)[np.isfinite(from_bits(ALL))].astype(np.float64))


def test_every_one_comes_back():
    there = from_bits(ALL)
    back = to_bits(there)
    nan = np.isnan(there)
    assert there.dtype == np.float32 and (back[~nan] == ALL[~nan]).all()
    assert np.isnan(from_bits(back[nan])).all()


def test_a_half_goes_to_the_even_one():
    ulp = 2.0**-7
    x = np.array([1 + ulp / 2, 1 + ulp * 1.5, -1 - ulp / 2, -1 - ulp * 1.5])
    assert from_bits(to_bits(x.astype(np.float32))).tolist() == [1, 1 + 2 * ulp, -1, -1 - 2 * ulp]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@given(st.floats(width=64, allow_nan=False, allow_infinity=False))
def test_the_nearest(dtype, number):
    with np.errstate(over="ignore"):
        x = np.array([number]).astype(dtype)
    (kept,) = from_bits(to_bits(x)).astype(np.float64)
    exact = float(x[0])
    if abs(exact) > FINITE[-1]:
        return  # to infinity or to the largest: tested below
    best = np.abs(FINITE - exact).min()
    assert abs(kept - exact) == best


def test_a_float64_is_not_rounded_twice():
    """Just above a tie: by way of float32 it would fall onto the tie, and then down to the even one."""
    x = np.array([1 + 2.0**-8 + 2.0**-40, -1 - 2.0**-8 - 2.0**-40, 1 + 2.0**-8 - 2.0**-40])
    assert from_bits(to_bits(x)).tolist() == [1 + 2.0**-7, -1 - 2.0**-7, 1]


def test_the_ends():
    largest = FINITE[-1]
    step = 2.0**120
    x = np.array([largest, largest + step * 0.49, largest + step * 0.5, np.inf, -np.inf, 1e300])
    assert from_bits(to_bits(x)).tolist() == [largest, largest, np.inf, np.inf, -np.inf, np.inf]


@pytest.mark.parametrize("bits", [0x7F800001, 0xFFFFFFFF, 0x7FC00000, 0x7FFF8000])
def test_a_nan_stays_one(bits):
    """Whatever its mantissa: cut off it could be infinity, rounded up it could be zero."""
    x = np.array([bits], np.uint32).view(np.float32)
    assert np.isnan(from_bits(to_bits(x))).all()


def test_shape_and_sign_of_zero():
    assert to_bits(np.zeros((2, 0, 3), np.float32)).shape == (2, 0, 3)
    assert to_bits(np.float32([-0.0]))[0] == 0x8000
