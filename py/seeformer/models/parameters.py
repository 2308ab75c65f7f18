"""The flat dict of a model's arrays: is everything there, in its shape? And single layers taken out of it.

Nothing is copied. PyTorch stores the matrix of a linear layer as [out, in] and multiplies by its transpose, which
here is ``.T``: the same memory seen the other way round.
"""

import numpy as np

from ..norm import layer_norm, rms_norm

FIRST = 3  # so many are named; a wrong config makes all of them wrong


def check_weights(weights, shapes):
    """ValueError that names what is missing or does not fit.

    Parameters
    ----------
    weights : dict
        name -> array of floats; more than the model needs may be in it.
    shapes : dict
        name -> tuple of int
    """
    wrong = []
    for name, shape in shapes.items():
        if name not in weights:
            wrong.append(f"{name!r} of shape {shape} is missing")
        elif np.shape(weights[name]) != shape:
            wrong.append(f"{name!r} has shape {np.shape(weights[name])}, expected {shape}")
        elif weights[name].dtype.kind != "f":
            wrong.append(f"{name!r} has dtype {weights[name].dtype}, expected a floating one")
    if wrong:
        more = f"; {len(wrong) - FIRST} more" if len(wrong) > FIRST else ""
        raise ValueError(f"weights={'; '.join(wrong[:FIRST])}{more}: take config and weights from the same model")


def linear(weights, name):
    """The W [in, out] and b [out] (None if there is none) of a layer that is stored as ``name``.weight [out, in]."""
    return weights[f"{name}.weight"].T, weights.get(f"{name}.bias")


def linear_shapes(name, columns, rows, *, bias=True):
    """What ``linear`` needs, for a layer from ``rows`` to ``columns`` features."""
    shapes = {f"{name}.weight": (columns, rows)}
    return shapes | {f"{name}.bias": (columns,)} if bias else shapes


def norm(weights, name, eps):
    """The LayerNorm ``name``, a function of x; RMSNorm if it has no bias (T5)."""
    gamma, beta = weights[f"{name}.weight"], weights.get(f"{name}.bias")
    if beta is None:
        return lambda x: rms_norm(x, gamma, eps)
    return lambda x: layer_norm(x, gamma, beta, eps)


def norm_shapes(name, d_model, *, bias=True):
    return {f"{name}.weight": (d_model,)} | ({f"{name}.bias": (d_model,)} if bias else {})


def feed_forward_weights(weights, first, second):
    """What the kernel ``feed_forward`` takes, of two linear layers."""
    (W_1, b_1), (W_2, b_2) = linear(weights, first), linear(weights, second)
    return {"W_1": W_1, "b_1": b_1, "W_2": W_2, "b_2": b_2}


def attention_weights(weights, query, key, value, output):
    """What the kernel ``multi_head_attention`` takes, of four linear layers."""
    found = {}
    for letter, name in zip("QKVO", (query, key, value, output), strict=True):
        found[f"W_{letter}"], found[f"b_{letter}"] = linear(weights, name)
    return found
