"""Properties of scaled_dot_product_attention and multi_head_attention, and a slow, obvious oracle."""

import math

import numpy as np
import pytest
from arrays import assert_close, batches, dtypes, normal, seeds, sizes
from hypothesis import given
from hypothesis import strategies as st

from seeformer.attention import (
    init_attention,
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from seeformer.mask import causal, padding
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")


def attend_slowly(Q, K, V, mask, scale):
    """One query at a time, one key at a time: Q [n_q, d_k], K [n_k, d_k], V [n_k, d_v], mask [n_q, n_k]."""
    rows = []
    for i, q in enumerate(Q):
        shares = [math.exp(scale * sum(a * b for a, b in zip(q, k, strict=True)) + mask[i, j]) for j, k in enumerate(K)]
        rows.append(sum(share * v for share, v in zip(shares, V, strict=True)) / (sum(shares) or 1.0))
    return np.array(rows)


@given(seeds, dtypes, batches, sizes, sizes, sizes, sizes, st.sampled_from([None, 0.0, 0.3, 2]))
def test_attention_is_the_slow_sum_for_every_batch(seed, dtype, batch, n_q, n_k, d_k, d_v, scale):
    rng = np.random.default_rng(seed)
    Q, K, V = (normal(rng, *batch, n, d, dtype=dtype) for n, d in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))
    mask = np.where(rng.random((*batch, n_q, n_k)) < 0.7, rng.standard_normal((*batch, n_q, n_k)), -np.inf)
    output = scaled_dot_product_attention(Q, K, V, mask=mask, scale=scale)
    assert output.dtype == dtype and output.shape == (*batch, n_q, d_v)
    for at in np.ndindex(batch):
        slow = attend_slowly(Q[at], K[at], V[at], mask[at], 1 / math.sqrt(d_k) if scale is None else scale)
        assert_close(output[at], slow.astype(dtype), dtype)


def attention(seed, dtype=np.float64, batch=(), n=4, num_heads=2, d_k=3):
    """X and the arguments of multi_head_attention, biases included."""
    rng = np.random.default_rng(seed)
    d_model = num_heads * d_k
    X = normal(rng, *batch, n, d_model, dtype=dtype)
    weights = init_attention(rng, d_model, dtype=dtype)
    biases = {name: normal(rng, d_model, dtype=dtype) for name in ("b_Q", "b_K", "b_V", "b_O")}
    return X, {**weights, **biases, "num_heads": num_heads}


@given(seeds, dtypes, batches, sizes, sizes, st.integers(1, 3))
def test_a_batch_is_a_loop_and_heads_are_separate(seed, dtype, batch, n, num_heads, d_k):
    X, a = attention(seed, dtype, batch, n, num_heads, d_k)
    output = multi_head_attention(X, **a, mask=causal(n))
    assert output.dtype == dtype and output.shape == X.shape
    for at in np.ndindex(batch):
        heads = []
        for i in range(num_heads):
            own = slice(i * d_k, (i + 1) * d_k)  # the block of columns of head i
            Q, K, V = (X[at] @ a[f"W_{x}"][:, own] + a[f"b_{x}"][own] for x in "QKV")
            heads.append(scaled_dot_product_attention(Q, K, V, mask=causal(n)))
        assert_close(output[at], np.concatenate(heads, axis=-1) @ a["W_O"] + a["b_O"], dtype)


@given(seeds, dtypes, batches, sizes, sizes)
def test_weights_sum_to_one(seed, dtype, batch, n, num_heads):
    X, a = attention(seed, dtype, batch, n, num_heads)
    with trace() as seen:
        multi_head_attention(X, **a)
    assert seen["weights"].shape == (*batch, num_heads, n, n)
    assert_close(seen["weights"].sum(axis=-1), np.ones((*batch, num_heads, n), dtype), dtype)


@given(seeds, dtypes, st.integers(2, 6), st.data())
def test_under_a_causal_mask_nothing_depends_on_the_future(seed, dtype, n, data):
    X, a = attention(seed, dtype, n=n)
    now = data.draw(st.integers(0, n - 2))
    other = X.copy()
    other[now + 1 :] += 10
    before, after = (multi_head_attention(x, **a, mask=causal(n)) for x in (X, other))
    assert_close(after[: now + 1], before[: now + 1], dtype)
    assert abs(after[now + 1 :] - before[now + 1 :]).max() > 0.01  # the change was there to be seen
    with trace() as seen:
        multi_head_attention(X, **a, mask=causal(n))
    assert (np.triu(seen["weights"], 1) == 0).all()


@given(seeds, dtypes, sizes)
def test_without_positions_the_output_only_permutes(seed, dtype, n):
    X, a = attention(seed, dtype, n=n)
    order = np.random.default_rng(seed).permutation(n)
    assert_close(multi_head_attention(X[order], **a), multi_head_attention(X, **a)[order], dtype)


@given(seeds, dtypes, st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_padding_is_as_if_the_sequence_ended(seed, dtype, lengths):
    X, a = attention(seed, dtype, batch=(len(lengths),), n=4)
    output = multi_head_attention(X, **a, mask=padding(lengths, 4))
    for x, y, length in zip(X, output, lengths, strict=True):
        assert_close(y[:length], multi_head_attention(x[:length], **a), dtype)


@given(seeds, dtypes, sizes, sizes)
def test_cross_attention_asks_with_x_and_reads_from_context(seed, dtype, n, m):
    X, a = attention(seed, dtype, n=n)
    rng = np.random.default_rng(seed)
    context = normal(rng, m, 5, dtype=dtype)  # of another width
    a |= {"W_K": normal(rng, 5, 6, dtype=dtype), "W_V": normal(rng, 5, 6, dtype=dtype)}
    with trace() as seen:
        output = multi_head_attention(X, **a, context=context)
    assert seen["weights"].shape == (2, n, m)
    assert_close(seen["Q"], split_heads(X @ a["W_Q"] + a["b_Q"], 2), dtype)
    assert_close(seen["K"], split_heads(context @ a["W_K"] + a["b_K"], 2), dtype)
    order = rng.permutation(m)  # the order of keys does not matter, as long as values follow
    assert_close(multi_head_attention(X, **a, context=context[order]), output, dtype)


def test_context_may_be_shared_by_a_batch():
    X, a = attention(0, batch=(3,))
    shared = normal(np.random.default_rng(1), 5, 6)
    together = multi_head_attention(X, **a, context=shared)
    assert_close(together, np.stack([multi_head_attention(x, **a, context=shared) for x in X]))


def test_a_query_that_sees_nothing_gets_zeros():
    X, a = attention(0)
    mask = np.zeros((4, 4))
    mask[2] = -np.inf
    with trace() as seen:
        output = multi_head_attention(X, **a, mask=mask)
    assert (seen["heads"][:, 2] == 0).all() and (seen["total"][:, 2] == 0).all()
    assert_close(output[2], a["b_O"])
    assert_close(output[[0, 1, 3]], multi_head_attention(X, **a)[[0, 1, 3]])


@given(seeds, dtypes)
def test_biases(seed, dtype):
    X, a = attention(seed, dtype)
    bare = {name: value for name, value in a.items() if not name.startswith("b_")}
    zeros = {f"b_{x}": np.zeros(6, dtype) for x in "QKVO"}
    assert_close(multi_head_attention(X, **bare, **zeros), multi_head_attention(X, **bare), dtype)
    # The weights sum to 1, so a bias of the values goes through unchanged; one of the keys shifts whole rows of scores.
    shifted = multi_head_attention(X, **bare, b_V=a["b_V"], b_K=a["b_K"])
    keyless = multi_head_attention(X, **bare) + a["b_V"] @ a["W_O"]
    assert_close(shifted, keyless, dtype)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("mask", [None, causal(4), padding(3, 4), np.full((4, 1), np.float32(-1))])
@pytest.mark.parametrize("scale", [None, 2, np.float64(0.5)])
def test_nothing_promotes_the_dtype(dtype, mask, scale):
    X, a = attention(0, dtype)
    with trace() as seen:
        output = multi_head_attention(X, **a, mask=mask, scale=scale)
    assert output.dtype == dtype
    assert {name: value.dtype for name, value in seen.items()} == dict.fromkeys(seen, np.dtype(dtype))


def test_integers_are_taken_as_float64():
    X = np.array([[1, 0], [0, 2]])
    same = multi_head_attention(X, X, X, X, X, 1)
    assert_close(same, multi_head_attention(*[X.astype(float)] * 5, 1), np.float64)


def test_scale():
    rng = np.random.default_rng(0)
    Q, K, V = normal(rng, 3, 4), normal(rng, 5, 4), normal(rng, 5, 2)
    assert_close(scaled_dot_product_attention(Q, K, V), scaled_dot_product_attention(Q, K, V, scale=0.5))
    assert_close(scaled_dot_product_attention(Q, K, V, scale=0), np.tile(V.mean(axis=0), (3, 1)))
    assert_close(scaled_dot_product_attention(2 * Q, K, V, scale=1), scaled_dot_product_attention(Q, K, V, scale=2))
    winner = (Q @ K.T).argmax(axis=-1)
    assert_close(scaled_dot_product_attention(Q, K, V, scale=1e4), V[winner])


def test_keys_may_be_shared_by_heads():
    rng = np.random.default_rng(0)
    Q, K, V = normal(rng, 2, 3, 4), normal(rng, 1, 5, 4), normal(rng, 1, 5, 4)
    both = scaled_dot_product_attention(Q, K, V)
    assert_close(both, np.stack([scaled_dot_product_attention(q, K[0], V[0]) for q in Q]))


@given(seeds, dtypes, batches, sizes, sizes, sizes)
def test_merging_undoes_splitting(seed, dtype, batch, n, num_heads, d_k):
    X = normal(np.random.default_rng(seed), *batch, n, num_heads * d_k, dtype=dtype)
    heads = split_heads(X, num_heads)
    assert heads.dtype == dtype and heads.shape == (*batch, num_heads, n, d_k)
    assert (heads[..., 0, :, :] == X[..., :d_k]).all() and (heads[..., -1, :, :] == X[..., -d_k:]).all()
    assert (merge_heads(heads) == X).all()


def test_the_trace_holds_every_step_in_order():
    X, a = attention(0)
    mask = causal(4)
    with trace() as seen:
        output = multi_head_attention(X, **a, mask=mask)
    assert list(seen) == [
        *("Q", "K", "V", "dots", "scores", "masked", "peak", "exp", "total", "weights", "heads", "concat", "output")
    ]
    assert_close(seen["dots"], seen["Q"] @ seen["K"].swapaxes(-1, -2))
    assert_close(seen["scores"], seen["dots"] / np.sqrt(3))
    assert (seen["masked"] == seen["scores"] + mask).all()
    assert (seen["weights"] == softmax(seen["masked"])).all()
    assert_close(seen["heads"], seen["weights"] @ seen["V"])
    assert (seen["concat"] == merge_heads(seen["heads"])).all()
    assert seen["output"] is output


def test_nothing_is_written_into_what_was_shown(monkeypatch):
    """Arrays are frozen the moment they are shown; the arguments are frozen already."""
    import seeformer.attention as module

    def freeze(name, value):
        value.flags.writeable = False
        return value

    X, a = attention(0)
    expected = multi_head_attention(X, **a, mask=causal(4))
    monkeypatch.setattr(module, "see", freeze)
    assert (multi_head_attention(X, **a, mask=causal(4)) == expected).all()


def test_init_attention():
    first, again, other = (init_attention(np.random.default_rng(seed), 64) for seed in (0, 0, 1))
    assert list(first) == ["W_Q", "W_K", "W_V", "W_O"]
    assert all((first[name] == again[name]).all() and (first[name] != other[name]).any() for name in first)
    assert not np.allclose(first["W_Q"], first["W_K"])
    assert all(W.shape == (64, 64) and abs(W.std() * 8 - 1) < 0.05 for W in first.values())  # 1 / sqrt(64)
    small = init_attention(np.random.default_rng(0), 64, scale=0.01, dtype=np.float32)
    assert all(W.dtype == np.float32 and abs(W.std() - 0.01) < 5e-4 for W in small.values())
