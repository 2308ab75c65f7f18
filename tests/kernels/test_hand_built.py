"""The hand-built heads do what their names say, on any text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer.attention import multi_head_attention
from seeformer.hand_built import hand_built_heads, hand_built_vectors, head_names, widths
from seeformer.mask import causal, padding
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

words = st.text(max_size=3)
texts = st.one_of(
    st.lists(words, min_size=1, max_size=128),
    st.lists(words, min_size=1, max_size=4, unique=True).flatmap(  # a few words, many times
        lambda few: st.lists(st.sampled_from(few), min_size=1, max_size=128)
    ),
)
lengths = st.integers(2, 128)
seeds = st.integers(0, 9)


def weights_of(tokens, d_model=64, num_heads=4, *, seed=0, positional=True, mask=None):
    """Name of the head -> its weights [n, n], as multi_head_attention computes them."""
    identity, code = hand_built_vectors(tokens, d_model, num_heads, seed=seed, positional=positional)
    with trace() as seen:
        multi_head_attention(identity + code, **hand_built_heads(d_model, num_heads), num_heads=num_heads, mask=mask)
    return dict(zip(head_names(num_heads), seen["weights"], strict=True))


@given(texts, seeds)
def test_same_gives_equal_tokens_three_times_the_uniform_weight(tokens, seed):
    """Where that is possible: m equal tokens among n can get 1/m each at most, and never 3/n if 3m >= n."""
    n = len(tokens)
    weights = weights_of(tokens, seed=seed)["same"]
    equal = np.array([[a == b for b in tokens] for a in tokens])
    m = equal.sum(axis=1, keepdims=True)
    fair = np.where(3 * m < n, 3 / n, 0.95 / m)
    assert (weights >= fair)[equal].all()


@given(lengths, seeds, st.sampled_from([(64, 4), (128, 8), (64, 2), (256, 4)]))
def test_previous_first_and_next_find_their_token(n, seed, sizes):
    weights = weights_of([f"w{i}" for i in range(n)], *sizes, seed=seed)
    i = np.arange(1, n)
    assert (weights["previous"][i, i - 1] > 0.9).all()
    assert (weights["first"][:, 0] > 0.9).all()
    for name, steps in ("next", 1), ("back_2", -2), ("back_5", -5):
        if name in weights:
            at = np.arange(max(0, -steps), n - max(0, steps))
            assert (weights[name][at, at + steps] > 0.9).all()


def test_names():
    assert head_names(1) == ["previous"]
    assert head_names(7) == ["previous", "first", "same", "next", "back_2", "back_3", "back_4"]


@given(texts, seeds)
def test_without_positions_the_heads_that_need_them_are_uniform(tokens, seed):
    n = len(tokens)
    weights = weights_of(tokens, num_heads=8, seed=seed, positional=False)
    for name in ("previous", "first", "next", "back_2"):
        np.testing.assert_allclose(weights[name], np.full((n, n), 1 / n))
    np.testing.assert_allclose(weights["same"], weights_of(tokens, num_heads=8, seed=seed)["same"])


def test_masks_apply_as_to_any_other_head():
    tokens = ["a", "b", "a", "c", "d"]
    weights = weights_of(tokens, mask=causal(5) + padding(4, 5)[0])
    for head in weights.values():
        np.testing.assert_allclose(head.sum(axis=-1), 1)
        assert (np.triu(head, 1) == 0).all() and (head[:, 4] == 0).all()
    assert weights["same"][0, 0] == 1  # its twin is in the future
    assert weights["same"][2, 0] > 0.45
    assert weights["previous"][2, 1] > 0.9


@given(texts, seeds, st.sampled_from([(64, 4), (63, 3), (8, 2)]))
def test_x_holds_identity_and_position_side_by_side(tokens, seed, sizes):
    s, p = widths(*sizes)
    identity, code = hand_built_vectors(tokens, *sizes, seed=seed)
    assert identity.shape == code.shape == (len(tokens), sizes[0])
    assert (identity[:, s:] == 0).all() and (code[:, :s] == 0).all() and (code[:, s + p :] == 0).all()
    np.testing.assert_allclose(np.linalg.norm(identity, axis=1), np.sqrt(s / 2))
    np.testing.assert_allclose(np.linalg.norm(code, axis=1), np.sqrt(p / 2))
    for a, x in zip(tokens, identity, strict=True):
        assert (x == identity[tokens.index(a)]).all()


def test_values_are_the_identities_and_the_output_is_the_heads():
    tokens = ["a", "b", "c"]
    identity, code = hand_built_vectors(tokens, 64, 4)
    with trace() as seen:
        output = multi_head_attention(identity + code, **hand_built_heads(64, 4), num_heads=4)
    for V in seen["V"]:
        np.testing.assert_allclose(V, identity[:, :16])
    assert (output == seen["concat"]).all()


@pytest.mark.parametrize("sizes", [(1, 1), (2, 1), (2, 2), (3, 1), (3, 3), (5, 5), (7, 1), (8, 2), (16, 16), (1024, 1)])
def test_every_size_works(sizes):
    for weights in weights_of(["a", "b", "a"], *sizes).values():
        np.testing.assert_allclose(weights.sum(axis=-1), 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hand_built_heads(10, 4), "d_model=10 is not divisible by num_heads=4: use a multiple of 4"),
        (lambda: head_names(0), "num_heads=0 is too small: use at least 1"),
        (lambda: hand_built_vectors(["a"], 8, 2, seed=-1), "seed=-1 is too small: use at least 0"),
        (
            lambda: hand_built_vectors(["a"], 8, 2, positional="no"),
            "positional='no' is neither true nor false: use True or False",
        ),
    ],
)
def test_what_they_refuse(call, message):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == message
