import numpy as np
import pytest
from arrays import sizes
from hypothesis import given
from hypothesis import strategies as st

from seeformer.mask import causal, combine, padding, sliding_window

pytestmark = pytest.mark.filterwarnings("error")


def drawn(mask):
    """1 where visible, 0 where hidden; anything else in the mask fails."""
    assert mask.dtype == np.float64 and np.isin(mask, [0.0, -np.inf]).all()
    return (mask == 0).astype(int).tolist()


def test_causal_by_hand():
    assert drawn(causal(3)) == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert drawn(causal(2, 4)) == [[1, 1, 1, 0], [1, 1, 1, 1]]  # the last two of four positions ask


@given(sizes, sizes)
def test_causal_for_the_last_queries_is_the_end_of_the_square(n, before):
    m = n + before
    assert (causal(n, m) == causal(m)[before:]).all()


def test_padding_by_hand():
    assert drawn(padding(2, 3)) == [[[1, 1, 0]]]
    assert drawn(padding([0, 3], 3)) == [[[[0, 0, 0]]], [[[1, 1, 1]]]]
    assert padding(np.array([[1, 2]]), 4).shape == (1, 2, 1, 1, 4)


def test_sliding_window_by_hand():
    assert drawn(sliding_window(4, 1)) == np.eye(4, dtype=int).tolist()
    assert drawn(sliding_window(4, 2)) == [[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1]]
    assert drawn(combine(causal(4), sliding_window(4, 2))) == [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]


@given(sizes, sizes)
def test_a_causal_window_shows_at_most_w_keys_and_always_oneself(n, w):
    visible = combine(causal(n), sliding_window(n, w)) == 0
    assert visible.sum(axis=-1).tolist() == [min(i + 1, w) for i in range(n)]
    assert visible.diagonal().all()
    assert (sliding_window(n, w) == sliding_window(n, w).T).all()


@given(st.lists(st.integers(0, 5), min_size=1, max_size=3))
def test_combined_masks_show_what_all_show(lengths):
    both = combine(causal(5), None, padding(lengths, 5))
    assert both.shape == (len(lengths), 1, 5, 5)
    assert ((both == 0) == ((causal(5) == 0) & (padding(lengths, 5) == 0))).all()
    assert np.isin(both, [0.0, -np.inf]).all()


def test_no_mask_is_no_mask():
    assert combine() is None and combine(None, None) is None
    assert (combine(None, causal(3)) == causal(3)).all()


def test_combine_leaves_its_arguments_alone():
    mask = causal(3)
    mask.flags.writeable = False
    assert combine(mask, mask) is not mask


def test_empty_sequences():
    assert causal(0).shape == (0, 0) and padding(0, 0).shape == (1, 1, 0) and sliding_window(0, 1).shape == (0, 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: causal(-1), "n=-1 is too small: use at least 0"),
        (lambda: causal(2.0), "n=2.0 is not a whole number: use one such as 1"),
        (lambda: causal(3, 2), "m=2 is less than n=3, so that the first queries would see no key: use m >= n"),
        (lambda: causal(3, "4"), "m='4' is not a whole number: use one such as 1"),
        (lambda: padding(4, 3), "lengths=4 must be whole numbers from 0 to n=3: count the real tokens"),
        (lambda: padding([1, -1], 3), "lengths=[1, -1] must be whole numbers from 0 to n=3: count the real tokens"),
        (lambda: padding([1.5], 3), "lengths=[1.5] must be whole numbers from 0 to n=3: count the real tokens"),
        (lambda: padding([[1], [1, 2]], 3), "lengths=[[1], [1, 2]] is ragged: give rows of equal length"),
        (lambda: padding(1, -3), "n=-3 is too small: use at least 0"),
        (lambda: sliding_window(3, 0), "w=0 is too small: use at least 1"),
        (lambda: sliding_window(3, 1.5), "w=1.5 is not a whole number: use one such as 1"),
        (lambda: combine(causal(3), causal(2)), "masks=(3, 3), (2, 2) do not fit together: make their axes equal or 1"),
        (
            lambda: combine(causal(3), causal(3) == 0),
            "masks=array of dtype bool is not an additive mask: use np.where(visible, 0.0, -np.inf)",
        ),
    ],
)
def test_what_they_refuse(call, message):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == message
