"""The feed-forward network: a slow, obvious oracle, its properties, and what it refuses."""

import math

import numpy as np
import pytest
from arrays import assert_close, batches, dtypes, frozen, normal, seeds, sizes
from gradients import assert_gradient
from hypothesis import given
from hypothesis import strategies as st

from seeformer import feedforward
from seeformer.attention import init_attention, multi_head_attention
from seeformer.feedforward import feed_forward, gelu, gelu_tanh, init_feed_forward, relu
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

NAMES = ("relu", "gelu", "gelu_tanh")
activations = st.sampled_from(NAMES)
SLOW = {
    "relu": lambda z: max(0.0, z),
    "gelu": lambda z: z * (1 + math.erf(z / math.sqrt(2))) / 2,
    "gelu_tanh": lambda z: z * (1 + math.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3))) / 2,
}


def network(seed, *shape, dtype=np.float64, d_model=4, d_ff=6):
    """x and its four arrays, biases that are not 0 included."""
    rng = np.random.default_rng(seed)
    x = normal(rng, *shape, d_model, dtype=dtype)
    weights = init_feed_forward(rng, d_model, d_ff, dtype=dtype)
    return x, weights | {"b_1": normal(rng, d_ff, dtype=dtype), "b_2": normal(rng, d_model, dtype=dtype)}


def slowly(x, W_1, b_1, W_2, b_2, bend):
    """One vector, one hidden unit at a time."""
    output = list(b_2)
    for j in range(W_1.shape[1]):
        fires = bend(sum(value * weight for value, weight in zip(x, W_1[:, j], strict=True)) + b_1[j])
        output = [so_far + fires * adds for so_far, adds in zip(output, W_2[j], strict=True)]
    return output


@given(seeds, dtypes, batches, sizes, sizes, sizes, activations)
def test_it_is_the_slow_sum_for_every_batch(seed, dtype, batch, n, d_model, d_ff, activation):
    x, weights = network(seed, *batch, n, dtype=dtype, d_model=d_model, d_ff=d_ff)
    output = feed_forward(x, **weights, activation=activation)
    assert output.dtype == dtype and output.shape == x.shape
    wide = {name: value.astype(np.float64) for name, value in weights.items()}
    for at in np.ndindex(*batch, n):
        slow = slowly(x[at].astype(np.float64), **wide, bend=SLOW[activation])
        assert_close(output[at], np.array(slow).astype(dtype), dtype)


@given(seeds, dtypes, st.integers(2, 6), activations, st.data())
def test_change_one_position_and_only_its_row_changes(seed, dtype, n, activation, data):
    x, weights = network(seed, n, dtype=dtype)
    at = data.draw(st.integers(0, n - 1))
    other = x.copy()
    other[at] += 1
    changed = feed_forward(other, **weights, activation=activation) - feed_forward(x, **weights, activation=activation)
    assert_close(np.delete(changed, at, axis=0), np.zeros((n - 1, 4), dtype), dtype)
    assert abs(changed[at]).max() > 1e-3


@given(seeds, dtypes, sizes, activations)
def test_permute_the_positions_and_the_output_permutes(seed, dtype, n, activation):
    x, weights = network(seed, n, dtype=dtype)
    order = np.random.default_rng(seed).permutation(n)
    permuted = feed_forward(x[order], **weights, activation=activation)
    assert_close(permuted, feed_forward(x, **weights, activation=activation)[order], dtype)


@given(seeds, sizes)
def test_without_the_bend_two_matrices_are_one(seed, n):
    x, a = network(seed, n)
    straight = (x @ a["W_1"] + a["b_1"]) @ a["W_2"] + a["b_2"]
    assert_close(straight, x @ (a["W_1"] @ a["W_2"]) + (a["b_1"] @ a["W_2"] + a["b_2"]))


@given(seeds, dtypes, activations)
def test_a_bias_of_none_is_a_bias_of_zero(seed, dtype, activation):
    x, weights = network(seed, 3, dtype=dtype)
    zeros = weights | {"b_1": np.zeros(6, dtype), "b_2": np.zeros(4, dtype)}
    for without in ({"b_1": None, "b_2": None}, {"b_1": None}, {"b_2": None}):
        biased = feed_forward(x, **zeros | {name: weights[name] for name in {"b_1", "b_2"} - without.keys()})
        assert_close(feed_forward(x, **weights | without), biased, dtype)
    assert abs(feed_forward(x, **weights) - feed_forward(x, **zeros)).max() > 1e-3


@given(seeds)
def test_the_output_is_what_the_units_that_fire_add_up_to(seed):
    x, weights = network(seed, 3)
    with trace() as seen:
        output = feed_forward(x, **weights)
    each = seen["hidden"][..., None] * weights["W_2"]  # [n, d_ff, d_model]
    assert_close(each.sum(axis=-2) + weights["b_2"], output)
    silent = seen["pre_activation"] <= 0
    assert silent.any() and (each[silent] == 0).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("activation", NAMES)
def test_nothing_promotes_the_dtype(dtype, activation):
    x, weights = network(0, 3, dtype=dtype)
    with trace() as seen:
        feed_forward(x, **weights, activation=activation)
    assert {name: value.dtype for name, value in seen.items()} == dict.fromkeys(seen, np.dtype(dtype))


def test_the_trace_holds_every_step_in_order():
    x, weights = network(0, 3)
    with trace() as seen:
        output = feed_forward(x, **weights, activation="gelu")
    assert list(seen) == ["pre_activation", "gate", "hidden", "output"]
    assert_close(seen["pre_activation"], x @ weights["W_1"] + weights["b_1"])
    assert (seen["hidden"] == gelu(seen["pre_activation"])).all()
    assert seen["output"] is output


def test_nothing_is_written_into_what_was_shown(monkeypatch):
    """Arrays are frozen the moment they are shown; the arguments are frozen already."""

    def freeze(name, value):
        value.flags.writeable = False
        return value

    x, weights = network(0, 3)
    expected = feed_forward(x, **weights)
    monkeypatch.setattr(feedforward, "see", freeze)
    assert (feed_forward(x, **weights) == expected).all()


def test_the_activations_are_imported_from_here_too():
    assert {"relu": relu, "gelu": gelu, "gelu_tanh": gelu_tanh} == feedforward.ACTIVATIONS


def test_integers_are_taken_as_float64():
    ones = np.ones((2, 2), int)
    assert_close(feed_forward(ones, ones, ones[0], ones, None), np.full((2, 2), 6.0), np.float64)


@pytest.mark.parametrize("activation", NAMES)
def test_gradient_by_every_array(activation):
    x, weights = network(1, 2, 2)

    def forward(*arrays):
        return feed_forward(*arrays, activation=activation)

    with trace() as seen:
        forward(x, *weights.values())
    assert abs(seen["pre_activation"]).min() > 1e-3  # away from relu's kink
    assert_gradient(forward, x, *(frozen(value) for value in weights.values()))


def test_gradient_without_biases():
    x, weights = network(1, 2)
    assert_gradient(lambda x, W_1, W_2: feed_forward(x, W_1, None, W_2, None), x, weights["W_1"], weights["W_2"])


def test_init_feed_forward():
    first, again, other = (init_feed_forward(np.random.default_rng(seed), 32, 128) for seed in (0, 0, 1))
    assert {name: value.shape for name, value in first.items()} == {
        "W_1": (32, 128),
        "b_1": (128,),
        "W_2": (128, 32),
        "b_2": (32,),
    }
    assert all((first[name] == again[name]).all() for name in first)
    assert (first["W_1"] != other["W_1"]).any() and (first["b_1"] == 0).all() and (first["b_2"] == 0).all()
    for name in ("W_1", "W_2"):
        assert abs(first[name].std() * math.sqrt(len(first[name])) - 1) < 0.05  # 1 / sqrt(rows)
    small = init_feed_forward(np.random.default_rng(0), 32, 128, bias=False, scale=0.02, dtype=np.float32)
    assert small["b_1"] is None and small["b_2"] is None
    assert all(small[name].dtype == np.float32 and abs(small[name].std() - 0.02) < 1e-3 for name in ("W_1", "W_2"))


def test_with_d_ff_four_times_d_model_it_has_twice_the_numbers_of_attention():
    rng = np.random.default_rng(0)
    attention, weights = init_attention(rng, 16), init_feed_forward(rng, 16, 64, bias=False)
    count = weights["W_1"].size + weights["W_2"].size
    assert count == 2 * 16 * 64 == 2 * sum(W.size for W in attention.values())


@given(seeds)
def test_attention_mixes_positions_and_the_feed_forward_network_does_not(seed):
    x, weights = network(seed, 3)
    attention = init_attention(np.random.default_rng(seed), 4)
    other = x.copy()
    other[1] += 1
    mixed = multi_head_attention(other, **attention, num_heads=1) - multi_head_attention(x, **attention, num_heads=1)
    alone = feed_forward(other, **weights) - feed_forward(x, **weights)
    assert (abs(mixed).max(axis=-1) > 1e-9).all()
    assert (abs(alone).max(axis=-1) > 1e-9).tolist() == [False, True, False]


def ones(*shape):
    return np.ones(shape)


def ffn(x=None, **options):
    arrays = {"W_1": ones(2, 3), "b_1": ones(3), "W_2": ones(3, 2), "b_2": ones(2)}
    return feed_forward(ones(4, 2) if x is None else x, **arrays | options)


REFUSED = {
    "x=list object is not an array: wrap it in np.array(...)": lambda: ffn([[1.0, 2.0]]),
    "x=array of shape () has too few axes: give it [..., d_model]": lambda: ffn(np.array(1.0)),
    "W_1=list object is not an array: wrap it in np.array(...)": lambda: ffn(W_1=[[1.0]]),
    "W_1=array of shape (3, 3) does not fit x of shape (4, 2): give it two axes and 2 rows": lambda: ffn(
        W_1=ones(3, 3)
    ),
    "W_1=array of shape (2, 1, 3) does not fit x of shape (4, 2): give it two axes and 2 rows": lambda: ffn(
        W_1=ones(2, 1, 3)
    ),
    "W_2=array of shape (2, 2) does not fit W_1 of shape (2, 3): give it two axes and 3 rows": lambda: ffn(
        W_2=ones(2, 2)
    ),
    "b_1=array of shape (2,) does not fit W_1 of shape (2, 3): use (3,)": lambda: ffn(b_1=ones(2)),
    "b_1=array of shape (1, 3) does not fit W_1 of shape (2, 3): use (3,)": lambda: ffn(b_1=ones(1, 3)),
    "b_1=float object is not an array: wrap it in np.array(...)": lambda: ffn(b_1=0.0),
    "b_2=array of shape (3,) does not fit W_2 of shape (3, 2): use (2,)": lambda: ffn(b_2=ones(3)),
    "activation='swish' is unknown: use one of relu, gelu, gelu_tanh": lambda: ffn(activation="swish"),
    "activation=None is unknown: use one of relu, gelu, gelu_tanh": lambda: ffn(activation=None),
    "activation=['relu'] is unknown: use one of relu, gelu, gelu_tanh": lambda: ffn(activation=["relu"]),
    "d_model=0 is too small: use at least 1": lambda: init_feed_forward(np.random.default_rng(0), 0, 4),
    "d_ff=2.5 is not a whole number: use one such as 1": lambda: init_feed_forward(np.random.default_rng(0), 2, 2.5),
    "scale=-1 is too small: use at least 0": lambda: init_feed_forward(np.random.default_rng(0), 2, 4, scale=-1),
    "bias='no' is neither true nor false: use True or False": lambda: init_feed_forward(
        np.random.default_rng(0), 2, 4, bias="no"
    ),
}


@pytest.mark.parametrize(("message", "call"), REFUSED.items(), ids=REFUSED)
def test_refusal(message, call):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == message


def test_the_ordinary_calls_of_this_file_pass_and_a_single_vector_too():
    assert ffn().shape == (4, 2) and ffn(ones(2)).shape == (2,)
    assert ffn(W_2=ones(3, 5), b_2=ones(5)).shape == (4, 5)
