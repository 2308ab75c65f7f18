"""Sizes at the ends: nothing, one, and as far as 32 bits go; memory that grows between two products."""

import numpy as np
import pytest

import seeformer.fast


@pytest.fixture(autouse=True)
def enabled():
    assert seeformer.fast.enable()["enabled"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "m, k, n",
    [
        (0, 3, 4),
        (3, 0, 4),
        (3, 4, 0),
        (0, 0, 0),
        (1, 0, 1),
        (1, 1, 1),
        (1, 1, 9),
        (9, 1, 1),
        (1, 0, 200),
        (20, 0, 20),
    ],
)
def test_nothing_and_one(m, k, n, dtype):
    got = np.matmul(np.full((m, k), 2, dtype), np.full((k, n), 3, dtype), out=np.full((m, n), 7, dtype))
    assert got.dtype == dtype and (got == 6 * k).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_sum_over_almost_all_that_32_bits_can_count(dtype):
    """Strides of 0, so that the numbers need no memory; the sum is more than float32 can count in ones."""
    k = 2**31 // np.dtype(dtype).itemsize - 8
    ones = np.broadcast_to(np.ones((1, 1), dtype), (1, k))
    assert abs(float((ones @ ones.T)[0, 0]) / k - 1) < 1e-3


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("k", [7, 8])  # number by number, and in registers
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_very_many_rows(dtype, k, turned):
    """More than fit into 24 bits, of a size that arrays of their own could not have."""
    m = 2**27 // np.dtype(dtype).itemsize + 1
    tall = np.broadcast_to(np.arange(1.0, k + 1, dtype=dtype), (m, k))
    right = np.arange(2 * k, dtype=dtype).reshape(k, 2)
    got = (right.T @ tall.T).T if turned else tall @ right
    assert (got == np.arange(1.0, k + 1) @ right.astype(float)).all()


def test_memory_that_grows_between_and_during():
    """The wasm memory is another buffer afterwards; addresses in it are still right."""
    random = np.random.default_rng(0)
    left, right = random.standard_normal((2, 150, 150)).astype(np.float32)
    want = left.astype(float) @ right.astype(float)
    kept = []
    for _ in range(12):
        kept.append(np.ones(2**24, np.uint8))
        assert np.abs(left @ right - want).max() < 1e-3
    big = np.ones((1500, 1500), np.float32)  # the output alone makes it grow
    kept.append([big @ big for _ in range(12)])
    assert all((product == 1500).all() for product in kept[-1])
    assert np.abs(left @ right - want).max() < 1e-3


def test_a_symmetric_product_is_symmetric():
    x = np.random.default_rng(1).standard_normal((77, 301)).astype(np.float32)
    assert np.array_equal(x @ x.T, (x @ x.T).T)


@pytest.mark.parametrize(
    "dtype", ["int32", "int64", "complex64", "complex128", "float16", "bool", "O", ">f4", "longdouble"]
)
def test_other_types_are_numpy_s_own(dtype):
    left, right = np.arange(12).reshape(3, 4).astype(dtype), np.arange(20).reshape(4, 5).astype(dtype)
    fast = left @ right
    seeformer.fast.disable()
    own = left @ right
    assert fast.dtype == own.dtype and np.array_equal(fast, own)


def test_types_that_meet():
    left, right = np.ones((3, 4), np.float32), np.ones((4, 5), np.float64)
    assert (left @ right).dtype == np.float64 and (left @ right == 4).all()
    assert np.matmul(left, right, dtype=np.float32, casting="same_kind").dtype == np.float32


def test_linalg_matmul_goes_the_same_way():
    if hasattr(np.linalg, "matmul"):
        assert (np.linalg.matmul(np.ones((9, 9)), np.ones((9, 9))) == 9).all()
