"""Normalization, and the residual connection that it is used with.

    LayerNorm(x) = (x - mean) / sqrt(variance + eps) * gamma + beta

with the mean and the (biased) variance of each token's own features (Ba et al. 2016, section 3; eps as in Ioffe &
Szegedy 2015, algorithm 1). Every function keeps the shape and the dtype of x [..., d_model]; integers are taken as
float64. gamma and beta [d_model] are learned, one entry a feature; None leaves them out (all ones, all zeros).
"""

import numpy as np

from .checks import floats, positive, same_shape, shaped
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

    Examples
    --------
    >>> x = np.array([[1.0, 1.0, 5.0, 5.0], [0.0, 40.0, 0.0, 40.0]])
    >>> layer_norm(x).round(4)
    array([[-1., -1.,  1.,  1.],
           [-1.,  1., -1.,  1.]])
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

    Examples
    --------
    >>> x = np.array([[1.0, 10.0], [3.0, 30.0], [5.0, 50.0]])
    >>> batch_norm(x).round(4)
    array([[-1.2247, -1.2247],
           [ 0.    ,  0.    ],
           [ 1.2247,  1.2247]])
    """
    x = floats("x", x, "n", "d_model")
    return _standardize(x, gamma, beta, eps, axis=tuple(range(x.ndim - 1)))


def _standardize(x, gamma, beta, eps, axis):
    _check_shapes(x, gamma=gamma, beta=beta)
    eps = positive("eps", eps, x.dtype)
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

    Examples
    --------
    >>> rms_norm(np.array([[3.0, 4.0], [30.0, 40.0]])).round(4)
    array([[0.8485, 1.1314],
           [0.8485, 1.1314]])
    """
    x = floats("x", x, "d_model")
    _check_shapes(x, gamma=gamma)
    eps = positive("eps", eps, x.dtype)
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

    Examples
    --------
    >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
    >>> residual(x, lambda x: 2 * x, norm="none")
    array([[ 3.,  6.],
           [ 9., 15.]])
    >>> residual(x, lambda x: 2 * x, norm="post").round(4)
    array([[-1.,  1.],
           [-1.,  1.]])
    """
    x = floats("x", x, "d_model")
    _check_residual(sublayer, norm)
    if norm == "pre":
        normed = see("normed", layer_norm(x, gamma, beta, eps))
        change = see("change", same_shape(sublayer(normed), x))
        return see("sum", x + change)
    change = see("change", same_shape(sublayer(x), x))
    total = see("sum", x + change)
    return see("normed", layer_norm(total, gamma, beta, eps)) if norm == "post" else total


def _scale_and_shift(normalized, gamma, beta):
    scaled = normalized if gamma is None else normalized * gamma
    return scaled if beta is None else scaled + beta


def _check_shapes(x, **parameters):
    if 0 in x.shape:
        raise ValueError(f"x={shaped(x)} is empty: give it at least one token and one feature")
    for name, p in parameters.items():
        if p is not None and floats(name, p, "d_model").shape != x.shape[-1:]:
            raise ValueError(f"{name}={shaped(p)} does not fit x of shape {x.shape}: use {x.shape[-1:]}")


def _check_residual(sublayer, norm):
    if norm not in NORMS:
        raise ValueError(f"norm={norm!r} is unknown: use one of {', '.join(NORMS)}")
    if not callable(sublayer):
        raise ValueError(f"sublayer={type(sublayer).__name__} object cannot be called: give a function of one array")
