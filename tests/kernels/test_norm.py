"""Normalization: what it undoes, what it leaves, which numbers share a mean; the residual connection in its three orders."""

import numpy as np
import pytest
from arrays import assert_close, batches, dtypes, frozen, normal, seeds, sizes
from hypothesis import given
from hypothesis import strategies as st

from seeformer.norm import NORMS, batch_norm, layer_norm, residual, rms_norm
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

TINY = 1e-12  # an eps that can be neglected beside a variance near 1
wide = st.integers(2, 6)


def parameters(rng, d_model, dtype=np.float64):
    return normal(rng, d_model, dtype=dtype), normal(rng, d_model, dtype=dtype)


@given(seeds, dtypes, batches, sizes, wide)
def test_layer_norm_by_hand_one_token_at_a_time(seed, dtype, batch, n, d_model):
    rng = np.random.default_rng(seed)
    x = normal(rng, *batch, n, d_model, dtype=dtype)
    gamma, beta = parameters(rng, d_model, dtype)
    output = layer_norm(x, gamma, beta)
    assert output.dtype == dtype and output.shape == x.shape
    for token in np.ndindex(x.shape[:-1]):
        row = x[token].astype(float)
        variance = sum((value - row.mean()) ** 2 for value in row) / d_model
        assert np.allclose(output[token], gamma * (row - row.mean()) / (variance + 1e-5) ** 0.5 + beta, atol=2e-4)


@given(seeds, dtypes, batches, wide, sizes)
def test_batch_norm_by_hand_one_feature_at_a_time(seed, dtype, batch, n, d_model):
    rng = np.random.default_rng(seed)
    x = normal(rng, *batch, n, d_model, dtype=dtype)
    gamma, beta = parameters(rng, d_model, dtype)
    output = batch_norm(x, gamma, beta)
    assert output.dtype == dtype and output.shape == x.shape
    for j in range(d_model):
        column = x[..., j].astype(float)
        expected = gamma[j] * (column - column.mean()) / (column.var() + 1e-5) ** 0.5 + beta[j]
        assert np.allclose(output[..., j], expected, atol=2e-4)


@given(seeds, batches, sizes, wide)
def test_batch_norm_is_layer_norm_of_the_transpose(seed, batch, n, d_model):
    x = normal(np.random.default_rng(seed), *batch, n, d_model)
    tokens = x.reshape(-1, d_model)
    assert_close(batch_norm(x).reshape(-1, d_model), layer_norm(tokens.T).T)


def spread(rng, *shape):
    """Rows and columns of a variance that eps cannot be seen beside."""
    x = rng.standard_normal(shape)
    x[..., 0] += 3 * np.arange(x[..., 0].size).reshape(x[..., 0].shape)
    return frozen(x + 3 * np.arange(shape[-1]))


@given(seeds, batches, wide, wide)
def test_mean_0_and_variance_1(seed, batch, n, d_model):
    x = spread(np.random.default_rng(seed), *batch, n, d_model)
    rows, columns, lengths = layer_norm(x, eps=TINY), batch_norm(x, eps=TINY), rms_norm(x, eps=TINY)
    everything_else = tuple(range(x.ndim - 1))
    for normalized, axis in ((rows, -1), (columns, everything_else)):
        np.testing.assert_allclose(normalized.mean(axis=axis), 0, atol=1e-9)
        np.testing.assert_allclose(normalized.var(axis=axis), 1, atol=1e-6)
    np.testing.assert_allclose((lengths**2).mean(axis=-1), 1, atol=1e-9)


@given(seeds, st.floats(0.1, 100), st.floats(-50, 50))
def test_layer_norm_undoes_a_scale_and_a_shift_of_each_token(seed, scale, shift):
    rng = np.random.default_rng(seed)
    x = spread(rng, 4, 5)
    np.testing.assert_allclose(layer_norm(scale * x + shift, eps=TINY), layer_norm(x, eps=TINY), atol=1e-6)
    one = np.array([[1.0], [scale], [1.0], [1.0]])
    np.testing.assert_allclose(layer_norm(x * one, eps=TINY), layer_norm(x, eps=TINY), atol=1e-6)


@given(seeds, st.floats(0.1, 100))
def test_rms_norm_undoes_a_scale_but_not_a_shift(seed, scale):
    x = spread(np.random.default_rng(seed), 3, 5)
    np.testing.assert_allclose(rms_norm(scale * x, eps=TINY), rms_norm(x, eps=TINY), atol=1e-9)
    assert abs(rms_norm(x + 100) - rms_norm(x)).max() > 0.1


@given(seeds, wide)
def test_rms_norm_is_layer_norm_where_the_mean_is_0(seed, d_model):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((3, d_model))
    x = x - x.mean(axis=-1, keepdims=True)
    gamma = normal(rng, d_model)
    assert_close(rms_norm(x, gamma), layer_norm(x, gamma))


@given(seeds)
def test_a_token_of_layer_norm_does_not_depend_on_the_others_one_of_batch_norm_does(seed):
    rng = np.random.default_rng(seed)
    x = normal(rng, 4, 6)
    other = np.concatenate([x[:3], x[3:] + 10 * rng.standard_normal((1, 6))])
    for norm in (layer_norm, rms_norm):
        assert (norm(other)[:3] == norm(x)[:3]).all()
    assert abs(batch_norm(other)[:3] - batch_norm(x)[:3]).max() > 1e-3


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("value", [0, 0.1, -3, 7.3, 100])
def test_equal_features_give_beta_and_no_nan(dtype, value):
    x, gamma, beta = np.full((2, 5), value, dtype), np.full(5, 2, dtype), np.arange(5, dtype=dtype)
    tolerance = {np.float16: 0.05, np.float32: 1e-2, np.float64: 1e-9}[dtype]
    np.testing.assert_allclose(layer_norm(x, gamma, beta), np.tile(beta, (2, 1)), atol=tolerance)
    np.testing.assert_allclose(batch_norm(x, gamma, beta), np.tile(beta, (2, 1)), atol=tolerance)
    assert (rms_norm(np.zeros((2, 5), dtype), gamma) == 0).all()


def test_a_batch_of_one_token_gives_beta():
    beta = np.arange(4.0)
    assert (batch_norm(np.array([[5.0, -2, 0, 1e6]]), None, beta) == beta).all()


@given(seeds, dtypes)
def test_without_gamma_and_beta_is_with_ones_and_zeros(seed, dtype):
    x = normal(np.random.default_rng(seed), 3, 4, dtype=dtype)
    ones, zeros = np.ones(4, dtype), np.zeros(4, dtype)
    for norm in (layer_norm, batch_norm):
        assert_close(norm(x), norm(x, ones, zeros), dtype)
        assert_close(norm(x, None, ones), norm(x, ones, ones), dtype)
        assert_close(norm(x, ones), norm(x, ones, zeros), dtype)
    assert_close(rms_norm(x), rms_norm(x, ones), dtype)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("eps", [1e-5, 1, np.float64(1e-3)])
def test_nothing_promotes_the_dtype(dtype, eps):
    rng = np.random.default_rng(0)
    x, (gamma, beta) = normal(rng, 3, 4, dtype=dtype), parameters(rng, 4, dtype)
    for call in (
        lambda: layer_norm(x, gamma, beta, eps),
        lambda: batch_norm(x, gamma, beta, eps),
        lambda: rms_norm(x, gamma, eps),
        *(lambda norm=norm: residual(x, np.tanh, norm=norm, eps=eps) for norm in NORMS),
    ):
        with trace() as seen:
            output = call()
        assert output.dtype == dtype
        assert {name: value.dtype for name, value in seen.items()} == dict.fromkeys(seen, np.dtype(dtype))


def test_integers_are_taken_as_float64():
    x = np.array([[1, 1, 5, 5]])
    np.testing.assert_allclose(layer_norm(x, eps=TINY), [[-1, -1, 1, 1]], atol=1e-9)
    assert_close(residual(x, lambda x: x, norm="none"), 2.0 * x, np.float64)


def test_the_trace_holds_every_step_in_order():
    rng = np.random.default_rng(0)
    x, (gamma, beta) = normal(rng, 2, 3, 4), parameters(rng, 4)
    for norm, stat_shape in ((layer_norm, (2, 3, 1)), (batch_norm, (1, 1, 4))):
        with trace() as seen:
            output = norm(x, gamma, beta)
        assert list(seen) == ["before", "mean", "centred", "variance", "normalized", "output"]
        assert seen["before"] is x and seen["output"] is output
        assert seen["mean"].shape == seen["variance"].shape == stat_shape
        assert_close(seen["centred"], x - seen["mean"])
        assert_close(seen["normalized"], seen["centred"] / np.sqrt(seen["variance"] + 1e-5))
        assert_close(output, seen["normalized"] * gamma + beta)
    with trace() as seen:
        output = rms_norm(x, gamma)
    assert list(seen) == ["before", "mean_square", "normalized", "output"]
    assert_close(seen["mean_square"], (x**2).mean(axis=-1, keepdims=True))
    assert seen["output"] is output


def test_nothing_is_written_into_what_was_shown(monkeypatch):
    import seeformer.norm as module

    def freeze(name, value):
        value.flags.writeable = False
        return value

    x = normal(np.random.default_rng(0), 3, 4)
    expected = [norm(x) for norm in (layer_norm, batch_norm, rms_norm)]
    monkeypatch.setattr(module, "see", freeze)
    for norm, before in zip((layer_norm, batch_norm, rms_norm), expected, strict=True):
        assert (norm(x) == before).all()


# The residual connection


@given(seeds, dtypes, batches)
def test_residual_by_its_formula(seed, dtype, batch):
    rng = np.random.default_rng(seed)
    x, W = normal(rng, *batch, 3, 4, dtype=dtype), normal(rng, 4, 4, dtype=dtype)
    gamma, beta = parameters(rng, 4, dtype)

    def f(x):
        return np.tanh(x @ W)

    assert_close(residual(x, f, gamma, beta), layer_norm(x + f(x), gamma, beta), dtype)
    assert_close(residual(x, f, gamma, beta, norm="post"), layer_norm(x + f(x), gamma, beta), dtype)
    assert_close(residual(x, f, gamma, beta, norm="pre"), x + f(layer_norm(x, gamma, beta)), dtype)
    assert_close(residual(x, f, norm="none"), x + f(x), dtype)
    assert_close(residual(x, f, norm="post", eps=0.5), layer_norm(x + f(x), eps=0.5), dtype)


def test_a_sublayer_that_says_nothing_leaves_x():
    x = normal(np.random.default_rng(0), 3, 4)
    assert (residual(x, np.zeros_like, norm="none") == x).all()
    assert (residual(x, np.zeros_like, 2 + x[0], x[0], norm="none") == x).all(), "gamma and beta belong to the norm"
    assert (residual(x, np.zeros_like, norm="pre") == x).all()
    assert (residual(x, np.zeros_like, norm="post") == layer_norm(x)).all()


@pytest.mark.parametrize(
    ("norm", "order", "reads"),
    [
        ("post", ["change", "sum", "normed"], "x"),
        ("pre", ["normed", "change", "sum"], "normed"),
        ("none", ["change", "sum"], "x"),
    ],
)
def test_each_order_is_seen_as_it_is_computed(norm, order, reads):
    """Post: the residual first, then the norm. Pre: the norm first, then the sublayer, and x goes round both."""
    given = []
    x = normal(np.random.default_rng(0), 3, 4)
    with trace() as seen:
        output = residual(x, lambda x: given.append(x) or np.tanh(x), norm=norm)
    assert [name for name in seen if name in ("change", "sum", "normed")] == order
    assert given[0] is (x if reads == "x" else seen["normed"])
    assert (seen["sum"] == x + seen["change"]).all()
    assert output is seen[order[-1]]
    if norm != "none":
        assert seen["before"] is (seen["sum"] if norm == "post" else x)


ERRORS = {
    "x=list object is not an array: wrap it in np.array(...)": lambda: layer_norm([1.0, 2.0]),
    "x=array of shape () has too few axes: give it [..., d_model]": lambda: layer_norm(np.array(1.0)),
    "x=array of shape (4,) has too few axes: give it [..., n, d_model]": lambda: batch_norm(np.ones(4)),
    "x=array of dtype complex128 does not hold real numbers: use x.astype(float)": lambda: rms_norm(np.ones(3) * 1j),
    "x=array of shape (3, 0) is empty: give it at least one token and one feature": lambda: layer_norm(np.ones((3, 0))),
    "x=array of shape (0, 3) is empty: give it at least one token and one feature": lambda: batch_norm(np.ones((0, 3))),
    "gamma=array of shape (3,) does not fit x of shape (2, 4): use (4,)": lambda: layer_norm(
        np.ones((2, 4)), np.ones(3)
    ),
    "beta=array of shape (1, 4) does not fit x of shape (2, 4): use (4,)": lambda: batch_norm(
        np.ones((2, 4)), np.ones(4), np.ones((1, 4))
    ),
    "gamma=array of shape () has too few axes: give it [..., d_model]": lambda: rms_norm(np.ones(4), np.array(2.0)),
    "gamma=float object is not an array: wrap it in np.array(...)": lambda: layer_norm(np.ones(4), 1.0),
    "eps=0 does not keep equal numbers from a division by zero: use one such as 1e-05": lambda: layer_norm(
        np.ones(4), eps=0
    ),
    "eps=-1.0 does not keep equal numbers from a division by zero: use one such as 1e-05": lambda: rms_norm(
        np.ones(4), eps=-1.0
    ),
    "eps=1e-60 does not keep equal numbers from a division by zero: use one such as 1e-05": lambda: batch_norm(
        np.ones((2, 4), np.float32), eps=1e-60
    ),
    "eps='small' is not a finite number: use one such as 1.0": lambda: layer_norm(np.ones(4), eps="small"),
    "norm='both' is unknown: use one of post, pre, none": lambda: residual(np.ones(4), np.tanh, norm="both"),
    "sublayer=ndarray object cannot be called: give a function of one array": lambda: residual(np.ones(4), np.ones(4)),
    "sublayer=function that returns an array of shape (3,), but x has shape (4,): return that shape": lambda: residual(
        np.ones(4), lambda x: x[:3]
    ),
    "sublayer=function that returns NoneType, but x has shape (4,): return that shape": lambda: residual(
        np.ones(4), lambda x: None, norm="pre"
    ),
}


@pytest.mark.parametrize("message", ERRORS)
def test_refusal(message):
    with pytest.raises(ValueError) as refusal:
        ERRORS[message]()
    assert str(refusal.value) == message
