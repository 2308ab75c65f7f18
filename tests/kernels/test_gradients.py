"""Gradients: right where there are any, an error where one would be lost."""

import numpy as np
import pytest
from arrays import frozen, normal
from gradients import assert_gradient

from seeformer.attention import (
    init_attention,
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from seeformer.learn.gradients import LostGradient, grad, value_and_grad
from seeformer.mask import causal, combine, padding, sliding_window
from seeformer.positional import rotation, sinusoidal

MASKS = {
    "none": None,
    "causal": causal(4),
    "padding": padding(3, 4),
    "window": sliding_window(4, 2),
    "all": combine(causal(4), padding([2, 4], 4), sliding_window(4, 3)),
    "first row empty": np.where(np.arange(4)[:, None] == 0, -np.inf, causal(4)),
}


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.mark.parametrize("axis", [-1, 0])
def test_softmax(rng, axis):
    assert_gradient(lambda x: softmax(x, axis=axis), normal(rng, 3, 4))


def test_softmax_where_some_or_all_is_hidden(rng):
    hidden = np.array([[0, -np.inf, 0], [-np.inf] * 3])
    assert_gradient(lambda x: softmax(x + hidden), normal(rng, 2, 3))


def test_split_and_merge_heads(rng):
    assert_gradient(lambda x: split_heads(x, 2), normal(rng, 3, 4))
    assert_gradient(merge_heads, normal(rng, 2, 3, 2))


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
def test_scaled_dot_product_attention(rng, mask):
    Q, K, V = normal(rng, 2, 1, 4, 3), normal(rng, 2, 1, 4, 3), normal(rng, 2, 1, 4, 2)
    assert_gradient(lambda *qkv: scaled_dot_product_attention(*qkv, mask=mask, scale=0.7), Q, K, V)


def test_multi_head_attention_by_every_array(rng):
    X, context = normal(rng, 3, 4), normal(rng, 5, 4)
    arrays = *init_attention(rng, 4).values(), *(normal(rng, 4) for _ in range(3))

    def attend(X, context, W_Q, W_K, W_V, W_O, b_Q, b_V, b_O):  # b_K shifts a whole row of scores: no gradient at all
        biases = {"b_Q": b_Q, "b_V": b_V, "b_O": b_O}
        return multi_head_attention(X, W_Q, W_K, W_V, W_O, 2, context=context, **biases)

    assert_gradient(attend, X, context, *arrays)


def test_causal_self_attention_with_positions(rng):
    X, weights = normal(rng, 4, 4), init_attention(rng, 4)
    turned = sinusoidal(4, 4) @ rotation(4, 2)
    assert_gradient(lambda X: multi_head_attention(X + turned, **weights, num_heads=2, mask=causal(4)), X)


def test_dtype_and_form_are_kept():
    given = {"a": [frozen(np.ones(2, np.float32))], "b": (frozen(np.full((2, 1), 3.0)),)}
    value, found = value_and_grad(lambda p: (p["a"][0] * p["b"][0]).sum())(given)
    assert value == 12
    assert found["a"][0].dtype == np.float32 and found["b"][0].dtype == np.float64
    np.testing.assert_array_equal(found["a"][0], [6, 6])
    np.testing.assert_array_equal(found["b"][0], [[2], [2]])


def test_plain_numpy_functions_keep_the_gradient(rng):
    """Each of these loses it in silence without the hook."""
    x = normal(rng, 4)
    assert_gradient(lambda x: np.concatenate([x, 2 * x]), x)
    assert_gradient(lambda x: np.stack([x, x * x], axis=-1), x)
    assert_gradient(lambda x: np.where(x > 0, x, 3 * x), x)
    assert_gradient(lambda x: np.einsum("i,j->ij", x, x), x)
    assert_gradient(lambda x: np.linalg.norm(x), x)


def test_a_value_that_does_not_depend_is_an_error(rng):
    with pytest.raises(LostGradient, match="does not depend"):
        grad(lambda x: np.ones(3).sum())(normal(rng, 3))
    with pytest.raises(LostGradient, match="does not depend"):
        grad(lambda x: np.ones_like(x).sum())(normal(rng, 3))


def test_a_function_without_a_gradient_is_an_error(rng):
    with pytest.raises(LostGradient, match="isin"):
        grad(lambda x: np.isin(x, x).sum() + x.sum())(normal(rng, 3))
    with pytest.raises(LostGradient, match="use other NumPy functions"):
        grad(lambda x: np.median(x))(normal(rng, 3))


def test_more_than_one_number_is_an_error(rng):
    with pytest.raises(ValueError, match=r"returns an array of shape \(3,\): make it one number"):
        grad(lambda x: 2 * x)(normal(rng, 3))


def test_whole_numbers_are_an_error():
    with pytest.raises(ValueError, match=r"argnums=0 holds int64 values: use \.astype\(float\)"):
        grad(lambda x: (1.5 * x).sum())(np.arange(3, dtype=np.int64))
    with pytest.raises(ValueError, match="argnums=1 holds"):
        grad(lambda x, y: y["a"].sum(), 1)(np.ones(2), {"a": np.arange(3)})
