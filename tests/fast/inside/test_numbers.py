"""exp, tanh and maximum, number by number, against NumPy's own loops."""

import numpy as np
import pytest
from arrays import DTYPES, layout
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seeformer.fast

pytestmark = pytest.mark.usefixtures("build")
many = settings(
    max_examples=200, deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=True
)
dtypes = st.sampled_from(DTYPES)
shapes = st.lists(st.integers(0, 40) | st.sampled_from([63, 64, 65, 257]), min_size=1, max_size=2).map(tuple)
SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    np.inf,
    -np.inf,
    np.nan,
    88.7,
    88.8,
    -87.3,
    -103.9,
    -104.5,
    709.7,
    709.8,
    -745.1,
    -746.0,
]
SPECIAL += [1e-300, 1e-40, -1e-40, 9.0, -20.0, 1e30, -1e30, 0.5499, 0.5501, -0.55]


def numpys(work):
    """What NumPy's own loops give, and then ours."""
    from seeformer.fast.loops import put_back, put_in_place

    put_back()
    own = work()
    put_in_place()
    return own, work()


def ulps(own, ours):
    """How many numbers of their type lie between the two."""
    kind, least = (np.int32, -(2**31)) if own.dtype == np.float32 else (np.int64, -(2**63))
    order = [np.where(x.view(kind) < 0, least - x.view(kind), x.view(kind)).astype(np.int64) for x in (own, ours)]
    return np.abs(order[0] - order[1])  # of the same sign: no overflow


def assert_alike(own, ours, most):
    own, ours = np.ascontiguousarray(own), np.ascontiguousarray(ours)
    assert np.array_equal(np.isnan(own), np.isnan(ours)) and np.array_equal(np.isinf(own), np.isinf(ours))
    numbers = np.isfinite(own)
    own, ours = own[numbers], ours[numbers]
    assert np.array_equal(np.signbit(own), np.signbit(ours))
    if own.size:
        assert ulps(own, ours).max() <= most


@pytest.mark.parametrize("ufunc", [np.exp, np.tanh])
@pytest.mark.parametrize("dtype", DTYPES)
def test_within_two_units_in_the_last_place(ufunc, dtype):
    random = np.random.default_rng(0)
    ranges = [random.uniform(-high, high, 200_000) for high in (0.7, 3, 30, 110, 750)]
    sizes = random.standard_normal(200_000) * 10.0 ** random.uniform(-12, 3, 200_000)
    x = np.concatenate([SPECIAL, *ranges, sizes]).astype(dtype)
    assert_alike(*numpys(lambda: ufunc(x)), most=2)


@many
@given(st.data(), st.sampled_from([np.exp, np.tanh]), shapes, dtypes)
def test_one_number_wherever_it_lies(data, ufunc, shape, dtype):
    x = data.draw(layout(shape, dtype, special=True))
    out = data.draw(st.none() | layout(shape, dtype, writeable=True))
    own, ours = numpys(lambda: ufunc(x, out=out).copy())
    assert_alike(own, ours, most=2)


@many
@given(st.data(), shapes, dtypes)
def test_maximum_of_two(data, shape, dtype):
    left, right = (data.draw(layout(shape, dtype, special=True)) for _ in range(2))
    out = data.draw(st.none() | layout(shape, dtype, writeable=True))
    assert_alike(*numpys(lambda: np.maximum(left, right, out=out).copy()), most=0)


@many
@given(st.data(), shapes, dtypes, st.sampled_from([0.0, -0.0, 1.0, -np.inf, np.inf, np.nan]), st.booleans())
def test_maximum_with_one_number(data, shape, dtype, number, first):
    x, one = data.draw(layout(shape, dtype, special=True)), dtype(number)
    assert_alike(*numpys(lambda: np.maximum(one, x) if first else np.maximum(x, one)), most=0)


@many
@given(st.data(), shapes, dtypes, st.sampled_from([None, 0, -1]), st.booleans())
def test_the_largest(data, shape, dtype, axis, special):
    shape = tuple(size + 1 for size in shape)  # of nothing there is none
    x = data.draw(layout(shape, dtype, special=special))
    own, ours = numpys(lambda: np.asarray(x.max(axis=axis)))
    assert np.array_equal(own, ours, equal_nan=True)  # of 0 and -0 it may be another one
    for of in (lambda: np.maximum.accumulate(x, axis=-1), lambda: np.maximum.reduceat(x, [0, shape[0] // 2])):
        own, ours = numpys(of)
        assert np.array_equal(own, ours, equal_nan=True)


@pytest.mark.parametrize("ufunc", [np.exp, np.tanh, lambda x, out: np.maximum(x, 0, out=out)])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("ahead", [-70, -3, 0, 1, 4, 70])
def test_an_output_that_overlaps_its_input(ufunc, dtype, ahead):
    memory = np.linspace(-5, 5, 400, dtype=dtype)

    def work():
        both = memory.copy()
        ufunc(both[100:300], out=both[100 + ahead : 300 + ahead])
        return both

    assert_alike(*numpys(work), most=2)


def test_only_where(build):
    x, out = np.linspace(-3, 3, 100), np.full(100, 7.0)
    np.exp(x, where=x > 0, out=out)
    assert (out[x <= 0] == 7).all() and np.allclose(out[x > 0], [np.e**value for value in x[x > 0]])


def test_softmax_of_hidden_scores_is_exact(build):
    scores = np.where(np.tri(40) > 0, 1.0, -np.inf).astype(np.float32)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    assert np.array_equal(exp, np.tri(40))
    assert seeformer.fast.status()["enabled"]
