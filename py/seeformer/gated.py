"""The gated feed-forward network of T5 1.1 (Shazeer 2020, "GLU Variants Improve Transformer", equation 6).

    FFN(x) = (activation(x W_gate) * (x W_1)) W_2

Two layers look at the same vector: one says what to add, the other, entry by entry, how much of it. No biases.
"""

import numpy as np

from .activation import gelu, gelu_tanh, relu
from .checks import floats, shaped
from .trace import see

ACTIVATIONS = {"relu": relu, "gelu": gelu, "gelu_tanh": gelu_tanh}


def gated_feed_forward(x, W_gate, W_1, W_2, *, activation="gelu_tanh"):
    """Widen each position's vector twice, let one product gate the other, and bring it back.

    Parameters
    ----------
    x : array [..., d_model]
    W_gate, W_1 : array [d_model, d_ff]
    W_2 : array [d_ff, d_model]
    activation : {"gelu_tanh", "gelu", "relu"}
        "GEGLU" and "ReGLU" in the paper; T5 1.1 has gelu_tanh.

    Returns
    -------
    array [..., d_model]

    Raises
    ------
    ValueError
        Naming the argument whose shape, dtype or value does not fit, and the remedy.

    Examples
    --------
    >>> x = np.array([[1.0, -1.0], [2.0, 3.0]])
    >>> gated_feed_forward(x, np.eye(2), np.eye(2), np.eye(2), activation="relu")
    array([[1., 0.],
           [4., 9.]])
    """
    x = floats("x", x, "d_model")
    _check_matrix("W_gate", W_gate, (x.shape[-1], None), f"x of shape {x.shape}")
    _check_matrix("W_1", W_1, W_gate.shape, f"W_gate of shape {W_gate.shape}")
    _check_matrix("W_2", W_2, (W_1.shape[1], None), f"W_1 of shape {W_1.shape}")
    if activation not in tuple(ACTIVATIONS):
        raise ValueError(f"activation={activation!r} is unknown: use one of {', '.join(ACTIVATIONS)}")

    pre_activation = see("pre_activation", x @ W_gate)  # [..., d_ff]
    opening = see("opening", ACTIVATIONS[activation](pre_activation))  # [..., d_ff]
    linear = see("linear", x @ W_1)  # [..., d_ff]
    hidden = see("hidden", opening * linear)  # [..., d_ff]
    return see("output", hidden @ W_2)


def _check_matrix(name, W, shape, beside):
    W = floats(name, W, "rows", "columns")
    if np.ndim(W) != 2 or any(n not in (None, m) for n, m in zip(shape, W.shape, strict=True)):
        columns = "" if shape[1] is None else f" and {shape[1]} columns"
        raise ValueError(f"{name}={shaped(W)} does not fit {beside}: give it {shape[0]} rows{columns}")
