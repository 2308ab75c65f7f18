"""Activations: the bend between two linear layers, without which both would be one. Entry by entry.

    relu(x)      = max(0, x)                                         (Glorot, Bordes & Bengio 2011)
    gelu(x)      = x Phi(x)                                          (Hendrycks & Gimpel 2016)
    gelu_tanh(x) = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2   (their approximation)

Phi(x) = (1 + erf(x / sqrt(2))) / 2 is the share of a standard normal distribution that lies below x: where relu
opens or closes a gate, gelu turns it gradually. BERT has gelu; GPT-2 gelu_tanh, Hugging Face's "gelu_new". The gates
of an LSTM are sigmoids.
"""

import math

import numpy as np

from .checks import floats
from .erf import erf
from .trace import see

# From here on both gates of gelu are exactly 0 or 1 in float64, so that inputs may be clipped: x^3 cannot overflow
# then, and -inf gives -0 instead of -inf * 0 = NaN.
SATURATED = 10.0


def relu(x):
    """max(0, x): what is negative becomes 0.

    Parameters
    ----------
    x : array [...]

    Returns
    -------
    array [...]
        At 0 itself, where the slope jumps from 0 to 1, autograd takes 1/2.

    Examples
    --------
    >>> relu(np.array([-2.0, -0.5, 0.0, 3.0]))
    array([0., 0., 0., 3.])
    """
    return np.maximum(floats("x", x), 0)


def gelu(x):
    """x Phi(x), exactly.

    Parameters
    ----------
    x : array [...]

    Returns
    -------
    array [...]
        Never below -0.17 (at x = -0.75).

    Examples
    --------
    >>> gelu(np.array([-2.0, -0.5, 0.0, 3.0])).round(4)
    array([-0.0455, -0.1543,  0.    ,  2.996 ])
    """
    x = floats("x", x)
    gate = see("gate", (1 + erf(_near(x) / math.sqrt(2))) / 2)
    return np.maximum(x, -SATURATED) * gate


def gelu_tanh(x):
    """x Phi(x) by the tanh formula, which differs from ``gelu`` by less than 0.0005.

    Parameters
    ----------
    x : array [...]

    Returns
    -------
    array [...]

    Examples
    --------
    >>> gelu_tanh(np.array([-2.0, -0.5, 0.0, 3.0])).round(4)
    array([-0.0454, -0.1543,  0.    ,  2.9964])
    """
    x = floats("x", x)
    near = _near(x)
    gate = see("gate", (1 + np.tanh(math.sqrt(2 / math.pi) * (near + 0.044715 * near * near * near))) / 2)
    return np.maximum(x, -SATURATED) * gate


def _near(x):
    return np.clip(x, -SATURATED, SATURATED)


def sigmoid(x):
    """1 / (1 + exp(-x)): a gate between 0 and 1, as recurrent cells have it (Hochreiter & Schmidhuber 1997).

    Parameters
    ----------
    x : array [...]

    Returns
    -------
    array [...]
        By tanh, which is the same curve and never overflows.

    Examples
    --------
    >>> sigmoid(np.array([-1000.0, 0.0, 2.0])).round(4)
    array([0.    , 0.5   , 0.8808])
    """
    return (1 + np.tanh(floats("x", x) / 2)) / 2
