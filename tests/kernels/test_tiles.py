"""The tiles of a matrix product: each finished before the next, and all together A B."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer.tiles import tiled_product

SIZE = st.integers(1, 9)


@given(SIZE, SIZE, SIZE, SIZE, SIZE)
def test_all_tiles_are_the_product(m, k, n, rows, columns):
    random = np.random.default_rng(m * k * n)
    A, B = random.integers(-9, 9, (m, k)), random.integers(-9, 9, (k, n))
    assert (tiled_product(A, B, rows, columns) == A @ B).all()


@pytest.mark.parametrize("tiles", range(1, 7))
@pytest.mark.parametrize("steps", range(1, 6))
def test_a_tile_is_done_before_the_next_begins(tiles, steps):
    ones = np.ones((4, 5)), np.ones((5, 6))
    C = tiled_product(*ones, 2, 2, tiles=tiles, steps=steps)
    by_tile = C.reshape(2, 2, 3, 2).swapaxes(1, 2).reshape(6, 4)
    assert (by_tile[: tiles - 1] == 5).all() and (by_tile[tiles - 1] == steps).all() and (by_tile[tiles:] == 0).all()


def test_it_keeps_the_dtype_and_its_arguments():
    A, B = np.ones((3, 3), np.float32), np.ones((3, 3), np.float32)
    assert tiled_product(A, B, 2, 2).dtype == np.float32
    assert (A == 1).all() and (B == 1).all()
