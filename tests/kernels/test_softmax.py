import numpy as np
import pytest
from arrays import assert_close, dtypes, frozen, normal, seeds
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from seeformer.attention import softmax
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")


@st.composite
def arrays(draw, *, huge=False):
    dtype = np.dtype(draw(dtypes))
    power = (120 if dtype == np.float32 else 1020) if huge else 3  # just below overflow, or just a score
    elements = st.floats(-(2.0**power), 2.0**power, width=dtype.itemsize * 8)
    return frozen(draw(hnp.arrays(dtype, hnp.array_shapes(max_dims=3, max_side=5), elements=elements)))


def test_by_hand():
    assert_close(softmax(np.log([[1.0, 2.0, 3.0], [2.0, 2.0, 4.0]])), np.array([[1, 2, 3], [1.5, 1.5, 3]]) / 6)


@given(arrays(huge=True), st.data())
def test_sums_to_one_along_the_axis_however_large_the_numbers(x, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    y = softmax(x, axis=axis)
    assert y.dtype == x.dtype and y.shape == x.shape and (y >= 0).all()
    assert_close(y.sum(axis=axis), np.ones_like(y.sum(axis=axis)), x.dtype)


@given(arrays(), st.integers(-8, 8))
def test_a_shift_changes_nothing(x, shift):
    assert_close(softmax(x + x.dtype.type(shift)), softmax(x), x.dtype)


@given(seeds, dtypes)
def test_a_hidden_entry_is_as_if_it_were_not_there(seed, dtype):
    rng = np.random.default_rng(seed)
    x = normal(rng, 6, dtype=dtype)
    visible = rng.random(6) < 0.5
    y = softmax(np.where(visible, x, dtype(-np.inf)))
    assert (y[~visible] == 0).all()
    if visible.any():
        assert_close(y[visible], softmax(x[visible]), dtype)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_row_with_nothing_visible_gives_zeros_and_leaves_the_others_alone(dtype):
    x = np.array([[-np.inf, -np.inf], [0, 0], [-np.inf, 3]], dtype)
    y = softmax(x)
    assert y.dtype == dtype
    assert y.tolist() == [[0, 0], [0.5, 0.5], [0, 1]]


@pytest.mark.parametrize("loud", [np.nan, np.inf])
def test_what_has_no_answer_is_nan_in_its_own_row_alone(loud):
    with np.errstate(invalid="ignore"):  # inf - inf warns, as it should
        y = softmax(np.array([[0, loud, -np.inf], [0, 0, -np.inf]]))
    assert np.isnan(y[0]).all()
    assert y[1].tolist() == [0.5, 0.5, 0]


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int64])
def test_integers_are_taken_as_float64(dtype):
    y = softmax(np.array([0, 1], dtype))
    assert_close(y, softmax(np.array([0.0, 1.0])), np.float64)


@given(arrays())
def test_the_trace_holds_the_arithmetic(x):
    with trace() as seen:
        y = softmax(x)
    assert list(seen) == ["peak", "exp", "total"]
    assert seen["peak"].shape == seen["total"].shape == (*x.shape[:-1], 1)
    assert (seen["peak"] == x.max(axis=-1, keepdims=True)).all()
    assert (seen["exp"] == np.exp(x - seen["peak"])).all()
    assert (seen["exp"] / seen["total"] == y).all()


@pytest.mark.parametrize(
    ("x", "axis", "message"),
    [
        ([1.0], -1, "x=list object is not an array: wrap it in np.array(...)"),
        (np.array(["a"]), -1, "x=array of dtype <U1 does not hold real numbers: use x.astype(float)"),
        (np.ones(2, complex), -1, "x=array of dtype complex128 does not hold real numbers: use x.astype(float)"),
        (np.ones((2, 3)), 2, "axis=2 is not an axis of x, which has 2: use -2 to 1"),
        (np.array(1.0), -1, "axis=-1 is not an axis of x, which has 0: give x at least one axis"),
        (np.ones(3), 0.5, "axis=0.5 is not a whole number: use one such as 1"),
        (np.ones((2, 0)), -1, "x=array of shape (2, 0) has nothing along axis=-1: give it at least one value there"),
    ],
)
def test_what_it_refuses(x, axis, message):
    with pytest.raises(ValueError) as refusal:
        softmax(x, axis=axis)
    assert str(refusal.value) == message
