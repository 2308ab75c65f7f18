"""Gradients through time against finite differences; and how far they reach, exactly."""

import numpy as np
import pytest
from arrays import normal
from gradients import assert_gradient

from seeformer.activation import sigmoid
from seeformer.attention import init_attention, multi_head_attention
from seeformer.learn.dependence import dependence
from seeformer.learn.gradients import LostGradient
from seeformer.recurrence import lstm, rnn
from seeformer.recurrence_weights import init_lstm, init_rnn


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize("batch", [(), (2,)])
def test_rnn(rng, batch):
    X, h = normal(rng, *batch, 4, 3), normal(rng, *batch, 2)
    parameters = normal(rng, 3, 2), normal(rng, 2, 2), normal(rng, 2)
    assert_gradient(lambda X, W_x, W_h, b, h: rnn(X, W_x, W_h, b, h=h), X, *parameters, h)
    assert_gradient(lambda X, W_x, W_h: rnn(X, W_x, W_h), X, *parameters[:2])


@pytest.mark.parametrize("output", [0, 1])
@pytest.mark.parametrize("batch", [(), (2,)])
def test_lstm(rng, batch, output):
    X, h, c = normal(rng, *batch, 3, 3), normal(rng, *batch, 2), normal(rng, *batch, 2)
    parameters = normal(rng, 3, 8), normal(rng, 2, 8), normal(rng, 8)
    assert_gradient(lambda X, W_x, W_h, b, h, c: lstm(X, W_x, W_h, b, h=h, c=c)[output], X, *parameters, h, c)


def test_sigmoid(rng):
    assert_gradient(sigmoid, normal(rng, 3, 4))


def by_hand(X, W_x, W_h, b):
    """‖∂h_t/∂x_s‖ of an RNN by the chain rule: W_x D_s W_h D_{s+1} … W_h D_t with D = diag(1 − h²)."""
    states = rnn(X, W_x, W_h, b)
    sizes = np.zeros((len(X), len(X)))
    for s in range(len(X)):
        chain = W_x * (1 - states[s] ** 2)
        for t in range(s, len(X)):
            chain = chain if t == s else chain @ W_h * (1 - states[t] ** 2)
            sizes[t, s] = np.linalg.norm(chain)
    return sizes


def test_dependence_is_the_chain_rule_written_out(rng):
    X, weights = normal(rng, 6, 3), init_rnn(rng, 3, 4, scale=1.3)
    np.testing.assert_allclose(dependence(lambda X: rnn(X, **weights), X), by_hand(X, **weights), rtol=1e-10)


@pytest.mark.parametrize("kind", ["lstm", "attention"])
def test_dependence_is_what_small_steps_measure(rng, kind):
    X, of_lstm, of_attention = normal(rng, 4, 3), init_lstm(rng, 3, 2), init_attention(rng, 3)
    f = {
        "lstm": lambda X: lstm(X, **of_lstm)[0],
        "attention": lambda X: multi_head_attention(X, **of_attention, num_heads=1),
    }[kind]
    step = 1e-6 * np.eye(12).reshape(12, 4, 3)
    slopes = (f(X + step) - f(X - step)) / 2e-6  # [12 numbers of the input, 4 outputs, width]
    measured = np.sqrt((slopes.reshape(4, 3, 4, -1) ** 2).sum(axis=(1, 3))).T
    np.testing.assert_allclose(dependence(f, X), measured, rtol=1e-6, atol=1e-9)


def test_dependence_may_have_other_lengths_and_widths(rng):
    assert dependence(lambda X: X[..., :2, :1] * 3, normal(rng, 4, 5)).tolist() == [[3, 0, 0, 0], [0, 3, 0, 0]]


def test_a_dependence_that_was_lost_is_an_error(rng):
    with pytest.raises(LostGradient):
        dependence(lambda X: np.zeros(X.shape), normal(rng, 2, 2))


@pytest.mark.parametrize("scale", [0.3, 0.9, 1.0])
def test_below_a_spectral_radius_of_1_every_step_back_takes_off_at_least_that_factor(rng, scale):
    X, weights = normal(rng, 12, 4), init_rnn(rng, 4, 4, scale=scale)
    sizes = dependence(lambda X: rnn(X, **weights), X)
    steps = np.arange(12)[:, None] - np.arange(12)
    bound = scale ** np.maximum(steps, 0) * np.linalg.norm(weights["W_x"])
    assert (sizes <= bound * (1 + 1e-12)).all()
