"""Products of every shape and layout against sums in higher precision."""

import numpy as np
import pytest
from arrays import DTYPES, assert_near, batches, core_sizes, layout
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

many = settings(
    max_examples=250, deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=True
)
dtypes = st.sampled_from(DTYPES)


pytestmark = pytest.mark.usefixtures("build")


@many
@given(st.data(), core_sizes(), dtypes)
def test_two_matrices(data, sizes, dtype):
    m, k, n = sizes
    left, right = data.draw(layout((m, k), dtype)), data.draw(layout((k, n), dtype))
    assert_near(left @ right, left, right)


@many
@given(st.data(), core_sizes(), dtypes)
def test_into_any_output(data, sizes, dtype):
    m, k, n = sizes
    left, right = data.draw(layout((m, k), dtype)), data.draw(layout((k, n), dtype))
    out = data.draw(layout((m, n), dtype, writeable=True))
    assert np.matmul(left, right, out=out) is out
    assert_near(out, left, right)


@many
@given(st.data(), core_sizes(most=20_000), batches(), dtypes)
def test_batches(data, sizes, shapes, dtype):
    (m, k, n), (left_batch, right_batch, both) = sizes, shapes
    left = data.draw(layout((*left_batch, m, k), dtype))
    right = data.draw(layout((*right_batch, k, n), dtype))
    out = data.draw(st.none() | layout((*both, m, n), dtype, writeable=True))
    got = np.matmul(left, right, out=out)
    assert got.shape == (*both, m, n)
    assert_near(got, left, right)


@many
@given(st.data(), core_sizes(most=100_000), dtypes)
def test_special_values(data, sizes, dtype):
    """0 times inf is nan, and nothing comes from numbers that do not belong to a sum."""
    m, k, n = sizes
    left, right = data.draw(layout((m, k), dtype, special=True)), data.draw(layout((k, n), dtype, special=True))
    assert_near(left @ right, left, right)


@many
@given(st.data(), st.integers(1, 40), dtypes)
def test_output_over_an_input(data, n, dtype):
    """NumPy copies what overlaps before it calls the loop: still so."""
    memory = data.draw(layout((3 * n, 2 * n), dtype, writeable=True))
    row, column, row_2 = (data.draw(st.integers(0, limit)) for limit in (2 * n, n, 2 * n))
    left, right = memory[row : row + n, column : column + n], memory[row_2 : row_2 + n, :n].T
    want_left, want_right = left.copy(), right.copy()
    out = data.draw(st.sampled_from([left, right, memory[n : 2 * n, n:], memory[n : 2 * n, :n][::-1]]))
    np.matmul(left, right, out=out)
    assert_near(out, want_left, want_right)


@many
@given(st.data(), core_sizes(most=100_000), dtypes, st.sampled_from(["left", "right", "both"]))
def test_vectors_with_at(data, sizes, dtype, which):
    m, k, n = sizes
    left = data.draw(layout((k,) if which != "right" else (m, k), dtype))
    right = data.draw(layout((k,) if which != "left" else (k, n), dtype))
    got = left @ right
    full = np.asarray(got).reshape((1 if which != "right" else m, 1 if which != "left" else n))
    assert_near(full, np.atleast_2d(left), right if which == "left" else right[:, None])


@many
@given(st.data(), core_sizes(most=50_000), batches(), dtypes, st.sampled_from(["matvec", "vecmat", "vecdot"]))
def test_the_ufuncs_of_vectors(data, sizes, shapes, dtype, name):
    if not hasattr(np, name):
        pytest.skip(f"NumPy {np.__version__} has no {name}")
    (m, k, n), (left_batch, right_batch, both) = sizes, shapes
    left = data.draw(layout((*left_batch, m, k) if name == "matvec" else (*left_batch, k), dtype))
    right = data.draw(layout((*right_batch, k, n) if name == "vecmat" else (*right_batch, k), dtype))
    core = {"matvec": (m,), "vecmat": (n,), "vecdot": ()}[name]
    out = data.draw(st.none() | layout((*both, *core), dtype, writeable=True))
    got = getattr(np, name)(left, right, out=out)
    assert np.shape(got) == (*both, *core)
    wide_left = left if name == "matvec" else left[..., None, :]
    wide_right = right if name == "vecmat" else right[..., None]
    full = {
        "matvec": lambda x: x[..., None],
        "vecmat": lambda x: x[..., None, :],
        "vecdot": lambda x: x[..., None, None],
    }
    assert_near(full[name](np.asarray(got)), wide_left, wide_right)
