"""ALiBi against the paper's definition and the rule of the authors' released code, written out here the slow way."""

import math

import numpy as np
import pytest
from arrays import assert_close
from hypothesis import given
from hypothesis import strategies as st

from seeformer import positional
from seeformer.alibi import alibi, alibi_slopes
from seeformer.attention import scaled_dot_product_attention, softmax
from seeformer.mask import causal, combine

pytestmark = pytest.mark.filterwarnings("error")


def released_slopes(n):
    """get_slopes of the authors' code (ofirpress/attention_with_linear_biases), in its own words' order."""

    def power_of_two(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]

    if math.log2(n).is_integer():
        return power_of_two(n)
    closest = 2 ** math.floor(math.log2(n))
    return power_of_two(closest) + released_slopes(2 * closest)[0::2][: n - closest]


def test_the_slopes_of_the_paper():
    """Section 3: for 8 heads 1/2, 1/4, ..., 1/256; for 16 the geometric means between them come in."""
    assert alibi_slopes(8).tolist() == [2.0**-i for i in range(1, 9)]
    assert_close(alibi_slopes(16), np.array([2 ** (-i / 2) for i in range(1, 17)]))
    assert alibi_slopes(1).tolist() == [2.0**-8]


@given(st.integers(1, 130))
def test_other_numbers_of_heads_as_in_the_released_code(heads):
    assert_close(alibi_slopes(heads), np.array(released_slopes(heads)))


def test_twelve_heads_by_hand():
    """The eight of 8 heads, then every second of 16: 2^-0.5, 2^-1.5, 2^-2.5, 2^-3.5."""
    assert_close(alibi_slopes(12), np.array([2.0**-i for i in range(1, 9)] + [2.0**-e for e in (0.5, 1.5, 2.5, 3.5)]))


@given(st.integers(1, 9), st.integers(0, 6))
def test_slope_times_distance_entry_by_entry(heads, n):
    bias, slopes = alibi(heads, n), released_slopes(heads)
    assert bias.shape == (heads, n, n) and bias.dtype == np.float64
    for head, i, j in np.ndindex(bias.shape):
        assert bias[head, i, j] == pytest.approx(-slopes[head] * abs(i - j))


@given(st.integers(1, 9), st.integers(1, 6))
def test_with_the_causal_mask_it_is_what_the_paper_adds(heads, n):
    """Section 3: softmax(q_i K^T + m * [-(i - 1), ..., -2, -1, 0]) over the i keys so far."""
    masked = combine(alibi(heads, n), causal(n))
    assert masked.shape == (heads, n, n)
    for head, slope in enumerate(released_slopes(heads)):
        for i in range(n):
            assert_close(masked[head, i, : i + 1], slope * np.arange(-i, 1.0))
            assert (masked[head, i, i + 1 :] == -np.inf).all()


@given(st.integers(1, 4), st.integers(2, 5))
def test_adding_slope_times_j_as_the_released_code_does_gives_the_same_weights(heads, n):
    """A number added to a whole row is nothing to softmax."""
    released = alibi_slopes(heads)[:, None, None] * np.arange(n)
    assert_close(softmax(combine(released, causal(n))), softmax(combine(alibi(heads, n), causal(n))))


def test_attention_takes_it_as_a_mask_in_its_own_dtype():
    x = np.ones((3, 4, 2), np.float32)  # [h, n, d_k]
    output = scaled_dot_product_attention(x, x, x, mask=combine(alibi(3, 4), causal(4)))
    assert output.dtype == np.float32 and output.shape == x.shape


def test_it_is_found_in_positional():
    assert positional.alibi is alibi


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: alibi(0, 4), "num_heads=0 is too small: use at least 1"),
        (lambda: alibi(2.5, 4), "num_heads=2.5 is not a whole number: use one such as 1"),
        (lambda: alibi(2, -1), "n=-1 is too small: use at least 0"),
        (lambda: alibi(2, "4"), "n='4' is not a whole number: use one such as 1"),
    ],
)
def test_what_it_refuses(call, message):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == message
