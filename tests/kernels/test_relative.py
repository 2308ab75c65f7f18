"""T5's relative bias: near distances apart, far ones together, the same wherever one stands."""

import numpy as np
import pytest
from arrays import normal, seeds
from gradients import assert_gradient
from hypothesis import given
from hypothesis import strategies as st

from seeformer.models.relative import buckets, relative_bias

sizes = st.integers(1, 40)


@given(sizes, st.booleans())
def test_the_bucket_depends_on_the_distance_alone(n, both_ways):
    table = buckets(n, both_ways=both_ways)
    for step in range(-n + 1, n):
        assert len(set(np.diagonal(table, step))) == 1


@given(sizes, sizes, st.booleans())
def test_the_last_queries_of_a_longer_row(n, more, both_ways):
    assert (buckets(n, n + more, both_ways=both_ways) == buckets(n + more, both_ways=both_ways)[more:]).all()


def test_buckets_widen_with_distance_and_end():
    row = buckets(1, 400, both_ways=False)[0, ::-1]  # distance 0, 1, 2 …
    assert (row[:16] == np.arange(16)).all()
    assert (np.diff(row) >= 0).all() and (row[128:] == 31).all() and row[112] < 31
    counts = np.bincount(row)[16:31]
    assert (np.diff(counts) >= -1).all() and counts[-1] > counts[0]


def test_left_and_right_have_halves_of_their_own():
    table = buckets(50)
    assert set(table[np.triu_indices(50, 1)]).isdisjoint(table[np.tril_indices(50)])
    assert (buckets(50, both_ways=False)[np.triu_indices(50, 1)] == 0).all()


@given(seeds)
def test_each_head_looks_up_its_own_number(seed):
    table = normal(np.random.default_rng(seed), 32, 3)
    bias = relative_bias(table, 5, 9)
    assert bias.shape == (3, 5, 9)
    assert all(bias[h, i, j] == table[buckets(5, 9)[i, j], h] for h, i, j in np.ndindex(bias.shape))


def test_gradient():
    assert_gradient(lambda table: relative_bias(table, 3, 5, max_distance=6), normal(np.random.default_rng(0), 8, 2))


@pytest.mark.parametrize("options", [{"m": 2}, {"num_buckets": 1}, {"max_distance": 3}])
def test_buckets_that_are_none(options):
    with pytest.raises(ValueError, match=f"^{next(iter(options))}="):
        buckets(3, **options)
