"""The error function and the activations, against Python's own math.erf and the definitions."""

import math

import numpy as np
import pytest
from arrays import assert_close, batches, dtypes, frozen, normal, seeds
from gradients import assert_gradient
from hypothesis import given
from hypothesis import strategies as st

from seeformer.activation import gelu, gelu_tanh, relu
from seeformer.erf import erf
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

LINE = frozen(np.concatenate([np.linspace(-8, 8, 16001), [-1e300, -40, -1e-300, 0, 5e-324, 40, 1e300]]))
CURVES = {"relu": relu, "gelu": gelu, "gelu_tanh": gelu_tanh}
each_curve = pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)


def below(x):
    """The share of a standard normal distribution below x, without 1 - 1 for far negative x."""
    return math.erfc(-x / math.sqrt(2)) / 2


def test_erf_is_right_to_the_last_digits_on_the_whole_line():
    expected = np.array([math.erf(x) for x in LINE])
    np.testing.assert_allclose(erf(LINE), expected, rtol=1e-15, atol=3e-16)


def test_erf_is_right_to_1e_7_in_float32():
    x = LINE[abs(LINE) <= 40].astype(np.float32)
    expected = np.array([math.erf(value) for value in x.tolist()])
    assert erf(x).dtype == np.float32
    np.testing.assert_allclose(erf(x), expected, rtol=0, atol=2e-7)  # float32 itself steps by 6e-8 below 1


@given(st.floats())
def test_erf_of_any_float_is_odd_and_ends_at_one(x):
    value, mirrored = erf(np.array([x, -x]))
    assert value == -mirrored if not math.isnan(x) else math.isnan(value)
    assert math.isnan(x) or value == pytest.approx(math.erf(x), rel=1e-15, abs=3e-16)


def test_erf_at_the_ends():
    assert erf(np.array([-np.inf, 0.0, np.inf])).tolist() == [-1, 0, 1]
    assert np.isnan(erf(np.array([np.nan]))).all()


def test_relu_is_the_larger_of_0_and_x():
    assert relu(LINE).tolist() == [max(0, x) for x in LINE.tolist()]


def test_gelu_is_x_times_the_share_of_a_normal_distribution_below_x():
    np.testing.assert_allclose(gelu(LINE), [x * below(x) for x in LINE.tolist()], rtol=1e-14, atol=1e-15)


def test_gelu_tanh_is_the_formula_and_close_to_gelu():
    for x in (-3.0, -1.0, -0.1, 0.0, 0.5, 2.0):
        slow = 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
        assert gelu_tanh(np.array([x]))[0] == pytest.approx(slow, rel=1e-14, abs=1e-16)
    difference = abs(gelu_tanh(LINE) - gelu(LINE)).max()
    assert 0.0004 < difference < 0.0005


def test_gelu_dips_to_minus_017_and_relu_never_below_0():
    lowest = LINE[gelu(LINE).argmin()]
    assert lowest == pytest.approx(-0.75, abs=0.01) and gelu(LINE).min() == pytest.approx(-0.17, abs=0.001)
    assert relu(LINE).min() == 0


@each_curve
def test_the_ends_of_the_line(curve):
    assert curve(np.array([-np.inf, -1e300, 0, 1e300, np.inf])).tolist() == [0, 0, 0, 1e300, np.inf]
    assert np.isnan(curve(np.array([np.nan, 1.0]))).tolist() == [True, False]


@each_curve
@given(seeds, st.sampled_from([np.float16, np.float32, np.float64]), batches)
def test_entry_by_entry_in_the_same_dtype(curve, seed, dtype, batch):
    x = frozen((4 * np.random.default_rng(seed).standard_normal((*batch, 3))).astype(dtype))
    y = curve(x)
    assert y.dtype == dtype and y.shape == x.shape
    wide = curve(x.astype(np.float64))
    np.testing.assert_allclose(y, wide, rtol=4 * np.finfo(dtype).eps, atol=8 * np.finfo(dtype).eps)
    assert [curve(frozen(x.ravel()[i : i + 1]))[0] for i in range(x.size)] == y.ravel().tolist()


@pytest.mark.parametrize("f", [erf, *CURVES.values()])
def test_what_they_refuse_and_what_they_take(f):
    with pytest.raises(ValueError) as refusal:
        f([1.0])
    assert str(refusal.value) == "x=list object is not an array: wrap it in np.array(...)"
    with pytest.raises(ValueError, match="^x=array of dtype complex128 does not hold real numbers"):
        f(np.array([1j]))
    assert_close(f(np.array([-1, 0, 2])), f(np.array([-1.0, 0.0, 2.0])), np.float64)
    assert f(np.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("f", [erf, gelu, gelu_tanh])
def test_gradient_everywhere(f):
    """On both sides of erf's seam, at 0, and far out where the curves are straight."""
    assert_gradient(f, frozen(np.array([-12, -3.0, -0.75, -0.47, -0.4688, -0.4687, -0.1, 0, 0.3, 0.4689, 1.2, 5])))


def test_gradient_of_relu_away_from_its_kink():
    assert_gradient(relu, frozen(np.array([-3.0, -0.1, 0.1, 2.0])))


@given(seeds, dtypes)
def test_the_gate_of_gelu_is_seen(seed, dtype):
    x = normal(np.random.default_rng(seed), 5, dtype=dtype)
    for curve in (gelu, gelu_tanh):
        with trace() as seen:
            y = curve(x)
        assert list(seen) == ["gate"] and seen["gate"].dtype == dtype
        assert (y == x * seen["gate"]).all() and (0 <= seen["gate"]).all() and (seen["gate"] <= 1).all()
    with trace() as seen:
        relu(x)
    assert not seen
