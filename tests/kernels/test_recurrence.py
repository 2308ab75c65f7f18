"""RNN and LSTM by their formulas, by what their gates promise, and what they refuse."""

import numpy as np
import pytest
from arrays import assert_close, batches, dtypes, frozen, normal, seeds, sizes
from hypothesis import given
from hypothesis import strategies as st

from seeformer.activation import sigmoid
from seeformer.attention import init_attention, multi_head_attention
from seeformer.recurrence import lstm, lstm_cell, rnn, rnn_cell
from seeformer.recurrence_weights import init_lstm, init_rnn, orthogonal
from seeformer.trace import trace


def weights(rng, d_in, d_hidden, gates, dtype=np.float64):
    shapes = {"W_x": (d_in, gates * d_hidden), "W_h": (d_hidden, gates * d_hidden), "b": (gates * d_hidden,)}
    return {name: normal(rng, *shape, dtype=dtype) for name, shape in shapes.items()}


@given(seeds, dtypes, batches, sizes, sizes, sizes)
def test_rnn_by_its_formula(seed, dtype, batch, n, d_in, d_hidden):
    rng = np.random.default_rng(seed)
    X, w, h = normal(rng, *batch, n, d_in, dtype=dtype), weights(rng, d_in, d_hidden, 1, dtype), 0
    states = rnn(X, **w)
    assert states.shape == (*batch, n, d_hidden)
    for t in range(n):
        h = np.tanh(X[..., t, :] @ w["W_x"] + (h @ w["W_h"] if t else 0) + w["b"])
        assert_close(states[..., t, :], h, dtype)


@given(seeds, dtypes, batches, sizes, sizes, sizes)
def test_lstm_by_its_formula(seed, dtype, batch, n, d_in, d_hidden):
    """With the gates' blocks in PyTorch's order: i, f, g, o."""
    rng = np.random.default_rng(seed)
    X, w = normal(rng, *batch, n, d_in, dtype=dtype), weights(rng, d_in, d_hidden, 4, dtype)
    states, cells = lstm(X, **w)
    h = c = np.zeros((*batch, d_hidden), dtype)
    for t in range(n):
        blocks = np.split(X[..., t, :] @ w["W_x"] + h @ w["W_h"] + w["b"], 4, axis=-1)
        i, f, o = (1 / (1 + np.exp(-blocks[at])) for at in (0, 1, 3))
        c = f * c + i * np.tanh(blocks[2])
        h = o * np.tanh(c)
        assert_close(states[..., t, :], h, dtype)
        assert_close(cells[..., t, :], c, dtype)


@given(seeds, dtypes, batches)
def test_cell_by_cell_is_the_whole(seed, dtype, batch):
    rng = np.random.default_rng(seed)
    X = normal(rng, *batch, 4, 3, dtype=dtype)
    of_rnn, of_lstm = weights(rng, 3, 2, 1, dtype), weights(rng, 3, 2, 4, dtype)
    r = h = c = np.zeros((*batch, 2), dtype)
    states, cells = lstm(X, **of_lstm)
    for t in range(4):
        r = rnn_cell(X[..., t, :], r, **of_rnn)
        h, c = lstm_cell(X[..., t, :], h, c, **of_lstm)
        assert_close(r, rnn(X, **of_rnn)[..., t, :], dtype)
        assert_close(h, states[..., t, :], dtype)
        assert_close(c, cells[..., t, :], dtype)


@given(seeds, st.integers(1, 4))
def test_a_sequence_can_be_read_in_two_parts(seed, cut):
    rng = np.random.default_rng(seed)
    X, of_rnn, of_lstm = normal(rng, 2, 5, 3), weights(rng, 3, 2, 1), weights(rng, 3, 2, 4)
    first, rest = X[:, :cut], X[:, cut:]
    assert_close(rnn(rest, **of_rnn, h=rnn(first, **of_rnn)[:, -1]), rnn(X, **of_rnn)[:, cut:])
    (h, c), (states, cells) = (lstm(each, **of_lstm) for each in (first, X))
    again = lstm(rest, **of_lstm, h=h[:, -1], c=c[:, -1])
    assert_close(again[0], states[:, cut:])
    assert_close(again[1], cells[:, cut:])


@given(seeds)
def test_what_comes_later_changes_nothing_before(seed):
    rng = np.random.default_rng(seed)
    X, of_rnn, of_lstm = normal(rng, 5, 3), weights(rng, 3, 2, 1), weights(rng, 3, 2, 4)
    other = np.concatenate([X[:3], X[3:] + 1])
    assert (rnn(other, **of_rnn)[:3] == rnn(X, **of_rnn)[:3]).all()
    assert (lstm(other, **of_lstm)[0][:3] == lstm(X, **of_lstm)[0][:3]).all()


def test_a_wide_open_forget_gate_keeps_the_cell_and_a_shut_one_empties_it():
    X, c = np.zeros((6, 1)), np.array([3.0])
    for bias, kept in ((40.0, 1.0), (-40.0, 0.0)):
        _, cells = lstm(X, np.zeros((1, 4)), np.zeros((1, 4)), np.array([-40.0, bias, 0.0, 0.0]), c=c)
        np.testing.assert_allclose(cells[-1], kept * c, atol=1e-12)


def test_the_input_half_needs_no_waiting_and_is_one_product_for_all_steps():
    rng = np.random.default_rng(0)
    X, of_rnn, of_lstm = normal(rng, 5, 3), weights(rng, 3, 2, 1), weights(rng, 3, 2, 4)
    with trace() as seen:
        rnn(X, **of_rnn)
        lstm(X, **of_lstm)
    assert_close(seen["from_input"], X @ of_rnn["W_x"] + of_rnn["b"])
    assert_close(seen["gates_from_input"], X @ of_lstm["W_x"] + of_lstm["b"])


def test_n_steps_wait_for_each_other_and_attention_s_outputs_for_none():
    """Every state is computed from the one before it; an output of attention never from another output."""
    rng = np.random.default_rng(0)
    X, w, attention = normal(rng, 6, 3), weights(rng, 3, 3, 1), init_attention(rng, 3)
    states = rnn(X, **w)
    for t in range(1, 6):
        assert_close(rnn(X[t:], **w, h=states[t - 1])[0], states[t])
        alone = multi_head_attention(X[t : t + 1], **attention, num_heads=1, context=X)
        assert_close(alone[0], multi_head_attention(X, **attention, num_heads=1)[t])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_nothing_promotes_the_dtype_and_inputs_stay_as_they_are(dtype):
    rng = np.random.default_rng(0)
    X, of_rnn, of_lstm = normal(rng, 2, 4, 3, dtype=dtype), weights(rng, 3, 2, 1, dtype), weights(rng, 3, 2, 4, dtype)
    with trace() as seen:
        outputs = [rnn(X, **of_rnn), *lstm(X, **of_lstm)]
    assert {each.dtype for each in outputs} == {each.dtype for each in seen.values()} == {np.dtype(dtype)}
    for made in (init_rnn(rng, 3, 2, dtype=dtype), init_lstm(rng, 3, 2, dtype=dtype)):
        assert {each.dtype for each in made.values()} == {np.dtype(dtype)}


def test_integers_are_taken_as_float64():
    assert rnn(np.array([[1], [0]]), np.ones((1, 1)), np.ones((1, 1))).dtype == np.float64


def test_sigmoid_neither_overflows_nor_leaves_0_to_1():
    with np.errstate(all="raise"):
        x = np.array([-1e6, -30, -1, 0, 1, 30, 1e6])
        assert_close(sigmoid(x)[1:6], 1 / (1 + np.exp(-x[1:6])))
        assert (sigmoid(x)[[0, 3, 6]] == [0, 0.5, 1]).all()
        assert sigmoid(x.astype(np.float32)).dtype == np.float32


@given(seeds, sizes, st.floats(0, 3))
def test_w_h_multiplies_every_length_by_the_spectral_radius(seed, d, scale):
    rng = np.random.default_rng(seed)
    np.testing.assert_allclose(orthogonal(rng, d) @ orthogonal(np.random.default_rng(seed), d).T, np.eye(d), atol=1e-9)
    W_h = init_rnn(rng, 3, d, scale=scale)["W_h"]
    np.testing.assert_allclose(abs(np.linalg.eigvals(W_h)), scale, atol=1e-9)
    for block in np.split(init_lstm(rng, 3, d, scale=scale)["W_h"], 4, axis=1):
        np.testing.assert_allclose(np.linalg.svd(block)[1], scale, atol=1e-9)


def test_the_forget_bias_stands_in_its_block():
    b = init_lstm(np.random.default_rng(0), 3, 2, forget_bias=-1.5)["b"]
    assert b.tolist() == [0, 0, -1.5, -1.5, 0, 0, 0, 0]


ONE, FOUR = np.ones((2, 2)), np.ones((2, 8))
ERRORS = {
    "X=list object is not an array: wrap it in np.array(...)": lambda: rnn([[1.0]], ONE, ONE),
    "X=array of shape (2,) has too few axes: give it [..., n, d_in]": lambda: lstm(np.ones(2), FOUR, FOUR),
    "X=array of shape (0, 2) has no steps: give it at least one": lambda: rnn(np.ones((0, 2)), ONE, ONE),
    "W_h=array of shape (2, 3) is no recurrent matrix: give it two axes and as many columns as rows": lambda: rnn(
        ONE, ONE, np.ones((2, 3))
    ),
    "W_h=array of shape (2, 2) is no recurrent matrix: give it two axes and 4 times as many columns as rows": (
        lambda: lstm(ONE, FOUR, ONE)
    ),
    "W_x=array of shape (3, 2) does not fit X of shape (4, 2): use (2, 2)": lambda: rnn(
        np.ones((4, 2)), np.ones((3, 2)), ONE
    ),
    "W_x=array of shape (3, 2) does not fit x of shape (2,): use (2, 2)": lambda: rnn_cell(
        np.ones(2), np.ones(2), np.ones((3, 2)), ONE
    ),
    "b=array of shape (2,) does not fit W_h of shape (2, 8): use (8,)": lambda: lstm(ONE, FOUR, FOUR, np.ones(2)),
    "h=array of shape (3,) does not fit W_h of shape (2, 2): give it 2 columns": lambda: rnn(
        ONE, ONE, ONE, h=np.ones(3)
    ),
    "c=array of shape (2, 2) does not fit the batch (3,): make the leading axes equal or 1": lambda: lstm(
        np.ones((3, 4, 2)), FOUR, FOUR, c=np.ones((2, 2))
    ),
    "h=float object is not an array: wrap it in np.array(...)": lambda: rnn_cell(np.ones(2), 0.0, ONE, ONE),
    "scale=-1 is too small: use at least 0": lambda: init_rnn(np.random.default_rng(0), 2, 2, scale=-1),
    "d_hidden=0 is too small: use at least 1": lambda: init_lstm(np.random.default_rng(0), 2, 0),
    "d_in=0 is too small: use at least 1": lambda: init_rnn(np.random.default_rng(0), 0, 2),
    "forget_bias='open' is not a finite number: use one such as 1.0": lambda: init_lstm(
        np.random.default_rng(0), 2, 2, forget_bias="open"
    ),
}


@pytest.mark.parametrize("message", ERRORS)
def test_refusal(message):
    with pytest.raises(ValueError) as refusal:
        ERRORS[message]()
    assert str(refusal.value) == message


def test_arrays_may_be_read_only():
    X = frozen(np.ones((3, 2)))
    assert rnn(X, frozen(ONE * 0.1), frozen(ONE * 0.1), h=frozen(np.zeros(2))).shape == (3, 2)
