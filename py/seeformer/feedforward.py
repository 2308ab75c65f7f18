"""The position-wise feed-forward network (Vaswani et al. 2017, section 3.3).

    FFN(x) = activation(x W_1 + b_1) W_2 + b_2

Column j of W_1 is what hidden unit j looks for in a vector, row j of W_2 what it adds to the output when it fires.
Each position goes through alone, all through the same matrices: attention is the only part of a Transformer where
positions meet.
"""

import math

import numpy as np

from .activation import gelu, gelu_tanh, relu
from .checks import finite, flag, floats, shaped, whole
from .trace import see

ACTIVATIONS = {"relu": relu, "gelu": gelu, "gelu_tanh": gelu_tanh}


def feed_forward(x, W_1, b_1, W_2, b_2, *, activation="relu"):
    """Widen each position's vector, bend it, and bring it back.

    Parameters
    ----------
    x : array [..., d_model]
    W_1 : array [d_model, d_ff]
    b_1 : array [d_ff] or None
    W_2 : array [d_ff, d_model]
        More generally [d_ff, d_out].
    b_2 : array [d_model] or None
    activation : {"relu", "gelu", "gelu_tanh"}
        Vaswani et al. 2017 have relu, BERT gelu, GPT-2 gelu_tanh (Hugging Face's "gelu_new").

    Returns
    -------
    array [..., d_model]

    Raises
    ------
    ValueError
        Naming the argument whose shape, dtype or value does not fit, and the remedy.

    Examples
    --------
    >>> x = np.array([[1.0, -1.0], [2.0, 0.0]])
    >>> W = np.array([[1.0, -1.0], [0.0, 1.0]])
    >>> feed_forward(x, W, None, W, None)
    array([[ 1., -1.],
           [ 2., -2.]])
    """
    x = floats("x", x, "d_model")
    _check_layer("1", W_1, b_1, x.shape[-1], f"x of shape {x.shape}")
    _check_layer("2", W_2, b_2, W_1.shape[1], f"W_1 of shape {W_1.shape}")
    if activation not in tuple(ACTIVATIONS):
        raise ValueError(f"activation={activation!r} is unknown: use one of {', '.join(ACTIVATIONS)}")

    pre_activation = see("pre_activation", _affine(x, W_1, b_1))  # [..., d_ff]
    hidden = see("hidden", ACTIVATIONS[activation](pre_activation))  # [..., d_ff]
    return see("output", _affine(hidden, W_2, b_2))


def _affine(x, W, b):
    return x @ W if b is None else x @ W + b


def _check_layer(number, W, b, rows, beside):
    W = floats(f"W_{number}", W, "rows", "columns")
    if W.ndim != 2 or W.shape[0] != rows:
        raise ValueError(f"W_{number}={shaped(W)} does not fit {beside}: give it two axes and {rows} rows")
    if b is not None and floats(f"b_{number}", b, "columns").shape != W.shape[1:]:
        raise ValueError(f"b_{number}={shaped(b)} does not fit W_{number} of shape {W.shape}: use {W.shape[1:]}")


def init_feed_forward(rng, d_model, d_ff, *, bias=True, scale=None, dtype=float):
    """Random W_1 and W_2, and biases of 0.

    Parameters
    ----------
    rng : numpy.random.Generator
    d_model, d_ff : int
    bias : bool
        False gives None for b_1 and b_2.
    scale : float, optional
        Standard deviation of the entries of both matrices; 1 / sqrt(rows) of each if None, which keeps the size of x.
    dtype : dtype

    Returns
    -------
    dict
        W_1 [d_model, d_ff], b_1 [d_ff], W_2 [d_ff, d_model], b_2 [d_model], ready for ``feed_forward(x, **weights)``.

    Examples
    --------
    >>> weights = init_feed_forward(np.random.default_rng(0), 16, 64)
    >>> [values.shape for values in weights.values()]
    [(16, 64), (64,), (64, 16), (16,)]
    """
    d_model, d_ff = whole("d_model", d_model, least=1), whole("d_ff", d_ff, least=1)
    scale = None if scale is None else finite("scale", scale, least=0)
    bias = flag("bias", bias)

    def layer(rows, columns):
        spread = 1 / math.sqrt(rows) if scale is None else scale
        W = (rng.standard_normal((rows, columns)) * spread).astype(dtype)
        return W, np.zeros(columns, dtype) if bias else None

    (W_1, b_1), (W_2, b_2) = layer(d_model, d_ff), layer(d_ff, d_model)
    return {"W_1": W_1, "b_1": b_1, "W_2": W_2, "b_2": b_2}
