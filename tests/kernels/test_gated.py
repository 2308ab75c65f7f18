"""The gated feed-forward network: an obvious oracle, its properties, and what it refuses."""

import numpy as np
import pytest
from arrays import assert_close, dtypes, normal, seeds
from gradients import assert_gradient
from hypothesis import given
from hypothesis import strategies as st

from seeformer.feedforward import ACTIVATIONS, feed_forward
from seeformer.gated import gated_feed_forward

activations = st.sampled_from(["relu", "gelu", "gelu_tanh"])


def network(seed, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return [normal(rng, *shape, dtype=dtype) for shape in ((2, 3, 4), (4, 6), (4, 6), (6, 4))]


@given(seeds, dtypes, activations)
def test_equals_its_formula(seed, dtype, activation):
    x, W_gate, W_1, W_2 = network(seed, dtype)
    expected = (ACTIVATIONS[activation](x @ W_gate) * (x @ W_1)) @ W_2
    assert_close(gated_feed_forward(x, W_gate, W_1, W_2, activation=activation), expected, dtype)


@given(seeds)
def test_a_gate_of_one_is_a_linear_layer(seed):
    """Far to the right an activation lets everything through, as much as went in."""
    x, _, W_1, W_2 = network(seed)
    ones = np.concatenate([x, np.ones((2, 3, 1))], axis=-1)
    gate = np.zeros((5, 6))
    gate[4] = 20
    wide = np.concatenate([W_1, np.zeros((1, 6))])
    assert_close(gated_feed_forward(ones, gate, wide, W_2) / 20, x @ W_1 @ W_2)


@given(seeds)
def test_equal_halves_square_what_relu_lets_through(seed):
    x, W, _, W_2 = network(seed)
    hidden = np.maximum(x @ W, 0)
    found = gated_feed_forward(x, W, W, W_2, activation="relu")
    assert_close(found, (hidden * hidden) @ W_2)
    assert not np.allclose(found, feed_forward(x, W, None, W_2, None))


def test_gradient():
    assert_gradient(gated_feed_forward, *network(1))


@pytest.mark.parametrize(
    ("name", "shape"), [("W_gate", (3, 6)), ("W_1", (4, 5)), ("W_1", (4,)), ("W_2", (5, 4)), ("x", ())]
)
def test_shapes_that_do_not_fit(name, shape):
    given = dict(zip(("x", "W_gate", "W_1", "W_2"), network(0), strict=True)) | {name: np.zeros(shape)}
    with pytest.raises(ValueError, match=f"^{name}="):
        gated_feed_forward(**given)


def test_an_activation_that_is_none():
    with pytest.raises(ValueError, match="^activation='swish' is unknown"):
        gated_feed_forward(*network(0), activation="swish")
