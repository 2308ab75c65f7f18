"""Which shapes fit together in attention, and what to say when they do not."""

import numpy as np

from .checks import additive, floats, head_width, shaped, whole


def check_axis(x, axis):
    axis = whole("axis", axis)
    if not -x.ndim <= axis < x.ndim:
        remedy = f"use {-x.ndim} to {x.ndim - 1}" if x.ndim else "give x at least one axis"
        raise ValueError(f"axis={axis} is not an axis of x, which has {x.ndim}: {remedy}")
    if x.shape[axis] == 0:
        raise ValueError(f"x={shaped(x)} has nothing along axis={axis}: give it at least one value there")


def check_attention(Q, K, V):
    """Q [..., n_q, d_k], K [..., n_k, d_k], V [..., n_k, d_v]."""
    if K.shape[-1] != Q.shape[-1]:
        raise ValueError(f"K={shaped(K)} does not fit Q of shape {Q.shape}: give both the same last axis d_k")
    if V.shape[-2] != K.shape[-2]:
        raise ValueError(f"V={shaped(V)} does not fit K of shape {K.shape}: give each key one value (axis -2)")
    if 0 in (Q.shape[-1], K.shape[-2]):
        raise ValueError(f"K={shaped(K)} has no keys or no columns: give it at least one of each")
    _check_batch("K", K, "Q", Q, 2)
    _check_batch("V", V, "Q", Q, 2)


def check_multi_head(X, context, W_Q, W_K, W_V, W_O, num_heads, **biases):
    """X [..., n, d_model] and context [..., m, d_context] against the matrices, and those against each other."""
    _check_batch("context", context, "X", X, 2)
    of_X, of_context = f"X of shape {X.shape}", f"{'X' if context is X else 'context'} of shape {context.shape}"
    _check_rows("W_Q", W_Q, X.shape[-1], of_X)
    _check_rows("W_K", W_K, context.shape[-1], of_context)
    _check_rows("W_V", W_V, context.shape[-1], of_context)
    if W_K.shape[1] != W_Q.shape[1]:
        raise ValueError(f"W_K={shaped(W_K)} does not fit W_Q of shape {W_Q.shape}: give both the same columns")
    head_width(W_Q.shape[1], num_heads)
    head_width(W_V.shape[1], num_heads)
    _check_rows("W_O", W_O, W_V.shape[1], f"W_V of shape {W_V.shape}")
    for (name, b), W in zip(biases.items(), (W_Q, W_K, W_V, W_O), strict=True):
        if b is not None and floats(name, b, "columns").shape != W.shape[1:]:
            raise ValueError(f"{name}={shaped(b)} does not fit W_{name[-1]} of shape {W.shape}: use {W.shape[1:]}")


def fit_mask(mask, scores):
    """The mask in the dtype of the scores (float64 would promote float32), if it broadcasts onto their shape."""
    mask = additive("mask", mask)
    try:
        fits = np.broadcast_shapes(mask.shape, scores.shape) == scores.shape
    except ValueError:
        fits = False
    if not fits:  # a mask that would enlarge the scores is a mistake too
        raise ValueError(f"mask={shaped(mask)} does not fit scores of shape {scores.shape}: make its axes equal or 1")
    return mask.astype(scores.dtype)


def _check_rows(name, W, rows, beside):
    W = floats(name, W, "rows", "columns")
    if W.ndim != 2 or W.shape[0] != rows:
        raise ValueError(f"{name}={shaped(W)} does not fit {beside}: give it two axes and {rows} rows")


def _check_batch(name, x, other, y, core):
    try:
        np.broadcast_shapes(x.shape[:-core], y.shape[:-core])
    except ValueError:
        remedy = "make the leading axes equal or 1"
        raise ValueError(f"{name}={shaped(x)} does not fit {other} of shape {y.shape}: {remedy}") from None
