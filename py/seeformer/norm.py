"""Normalization, and the residual connection that it is used with.

    LayerNorm(x) = (x - mean) / sqrt(variance + eps) * gamma + beta

with the mean and the (biased) variance of each token's own features (Ba et al. 2016, section 3; eps as in Ioffe &
Szegedy 2015, algorithm 1). Every function keeps the shape and the dtype of x [..., d_model]; integers are taken as
float64. gamma and beta [d_model] are learned, one entry a feature; None leaves them out (all ones, all zeros).
"""

import numpy as np

from .checks import finite, floats, shaped
from .trace import see

NORMS = ("post", "pre", "none")


def layer_norm(x, gamma=None, beta=None, eps=1e-5):
    """Each token by itself: mean and variance over its features, the last axis.

    Parameters
    ----------
    x : array [..., d_model]
    gamma, beta : array [d_model], optional
    eps : float
        Keeps a token whose features are all equal from a division by zero: it comes out as beta.

    Returns
    -------
    array [..., d_model]

    Raises
    ------
    ValueError
        Naming the argument whose shape, dtype or value does not fit, and the remedy.
    """
    x = floats("x", x, "d_model")
    return _standardize(x, gamma, beta, eps, axis=-1)


def batch_norm(x, gamma=None, beta=None, eps=1e-5):
    """Each feature by itself: mean and variance over everything else, that is all tokens of the batch.

    Ioffe & Szegedy 2015, algorithm 1, with the statistics of this batch as in training. (For inference they collect
    a running mean and variance, which is left out here.) A batch of one token has no spread and comes out as beta.

    Parameters
    ----------
    x : array [..., n, d_model]
    gamma, beta : array [d_model], optional
    eps : float

    Returns
    -------
    array [..., n, d_model]

    Raises
    ------
    ValueError
        Naming the argument whose shape, dtype or value does not fit, and the remedy.
    """
    x = floats("x", x, "n", "d_model")
    return _standardize(x, gamma, beta, eps, axis=tuple(range(x.ndim - 1)))


def _standardize(x, gamma, beta, eps, axis):
    eps = _check(x, eps, gamma=gamma, beta=beta)
    x = see("before", x)
    mean = see("mean", x.mean(axis=axis, keepdims=True))
    centred = see("centred", x - mean)
    variance = see("variance", (centred**2).mean(axis=axis, keepdims=True))
    normalized = see("normalized", centred / np.sqrt(variance + eps))
    return see("output", _scale_and_shift(normalized, gamma, beta))


def rms_norm(x, gamma=None, eps=1e-5):
    """LayerNorm without the centring: x / sqrt(mean(x^2) + eps) * gamma (Zhang & Sennrich 2019, equation 4).

    The paper has no eps; it is put where LayerNorm has it, as in PyTorch and Llama.

    Parameters
    ----------
    x : array [..., d_model]
    gamma : array [d_model], optional
    eps : float

    Returns
    -------
    array [..., d_model]

    Raises
    ------
    ValueError
        Naming the argument whose shape, dtype or value does not fit, and the remedy.
    """
    x = floats("x", x, "d_model")
    eps = _check(x, eps, gamma=gamma)
    x = see("before", x)
    mean_square = see("mean_square", (x**2).mean(axis=-1, keepdims=True))
    normalized = see("normalized", x / np.sqrt(mean_square + eps))
    return see("output", _scale_and_shift(normalized, gamma, None))


def residual(x, sublayer, gamma=None, beta=None, *, norm="post", eps=1e-5):
    """The way around a sublayer: its output is added to what went in.

    ==========  ================================  =========================================================
    norm        returns                           source
    ==========  ================================  =========================================================
    "post"      layer_norm(x + sublayer(x))       Vaswani et al. 2017, sections 3.1 and 5.4
    "pre"       x + sublayer(layer_norm(x))       Xiong et al. 2020, section 3.1 ("Pre-LN"); GPT-2
    "none"      x + sublayer(x)                   He et al. 2016, equation 1
    ==========  ================================  =========================================================

    Parameters
    ----------
    x : array [..., d_model]
    sublayer : callable, [..., d_model] -> [..., d_model]
        Attention or a feed-forward network, say.
    gamma, beta : array [d_model], optional
        Those of the layer_norm; "none" has none and leaves them alone, so that one call can try all three.
    norm : {"post", "pre", "none"}
    eps : float

    Returns
    -------
    array [..., d_model]

    Raises
    ------
    ValueError
        Naming the argument whose shape, dtype or value does not fit, and the remedy.
    """
    x = floats("x", x, "d_model")
    _check_residual(sublayer, norm)
    if norm == "pre":
        normed = see("normed", layer_norm(x, gamma, beta, eps))
        change = see("change", _same_shape(sublayer(normed), x))
        return see("sum", x + change)
    change = see("change", _same_shape(sublayer(x), x))
    total = see("sum", x + change)
    return see("normed", layer_norm(total, gamma, beta, eps)) if norm == "post" else total


def _scale_and_shift(normalized, gamma, beta):
    scaled = normalized if gamma is None else normalized * gamma
    return scaled if beta is None else scaled + beta


def _check(x, eps, **parameters):
    """eps as a float that x's dtype can hold, after a look at the shapes."""
    if 0 in x.shape:
        raise ValueError(f"x={shaped(x)} is empty: give it at least one token and one feature")
    for name, p in parameters.items():
        if p is not None and floats(name, p, "d_model").shape != x.shape[-1:]:
            raise ValueError(f"{name}={shaped(p)} does not fit x of shape {x.shape}: use {x.shape[-1:]}")
    number = finite("eps", eps)
    if x.dtype.type(number) <= 0:  # 0 itself, or lost in a short dtype
        raise ValueError(f"eps={eps!r} does not keep equal numbers from a division by zero: use one such as 1e-05")
    return number


def _check_residual(sublayer, norm):
    if norm not in NORMS:
        raise ValueError(f"norm={norm!r} is unknown: use one of {', '.join(NORMS)}")
    if not callable(sublayer):
        raise ValueError(f"sublayer={type(sublayer).__name__} object cannot be called: give a function of one array")


def _same_shape(change, x):
    """What a sublayer gave back, if it can be added to x."""
    if getattr(change, "shape", None) != x.shape:
        gave = f"an {shaped(change)}" if hasattr(change, "shape") else f"{type(change).__name__}"
        raise ValueError(f"sublayer=function that returns {gave}, but x has shape {x.shape}: return that shape")
    return change
