"""Random weights for recurrent cells, with the size of what is carried on under control.

W_h is a scaled orthogonal matrix (Saxe, McClelland & Ganguli 2014; Le, Jaitly & Hinton 2015): it turns the state and
multiplies its length by exactly ``scale``, so that all its singular values and its spectral radius are ``scale``.
"""

import numpy as np

from .checks import finite, whole


def orthogonal(rng, d):
    """A random rotation or reflection [d, d], by the QR decomposition of a normal matrix.

    Parameters
    ----------
    rng : numpy.random.Generator
    d : int

    Returns
    -------
    ndarray [d, d], float64

    Examples
    --------
    >>> W = orthogonal(np.random.default_rng(0), 3)
    >>> abs(W.T @ W - np.eye(3)).max() < 1e-12
    np.True_
    """
    Q, R = np.linalg.qr(rng.standard_normal((d, d)))
    return Q * np.sign(np.diag(R))


def init_rnn(rng, d_in, d_hidden, *, scale=1.0, dtype=float):
    """Random W_x, W_h and a bias of 0.

    Parameters
    ----------
    rng : numpy.random.Generator
    d_in, d_hidden : int
    scale : float
        The spectral radius of W_h.
    dtype : dtype

    Returns
    -------
    dict
        W_x [d_in, d_hidden] with variance 1 / d_in, W_h [d_hidden, d_hidden], b [d_hidden], ready for
        ``rnn(X, **weights)``.

    Examples
    --------
    >>> weights = init_rnn(np.random.default_rng(0), 3, 2, scale=0.5)
    >>> np.linalg.svd(weights["W_h"])[1].round(4)
    array([0.5, 0.5])
    """
    return _init(rng, d_in, d_hidden, 1, scale, np.zeros(whole("d_hidden", d_hidden, least=1)), dtype)


def init_lstm(rng, d_in, d_hidden, *, scale=1.0, forget_bias=1.0, dtype=float):
    """The same for an LSTM: four blocks side by side, and a bias that holds the forget gate open.

    Parameters
    ----------
    rng : numpy.random.Generator
    d_in, d_hidden : int
    scale : float
        The spectral radius of each of the four blocks of W_h.
    forget_bias : float
        b of the forget gate (Gers, Schmidhuber & Cummins 2000; 1 by Jozefowicz, Zaremba & Sutskever 2015).
    dtype : dtype

    Returns
    -------
    dict
        W_x [d_in, 4 * d_hidden], W_h [d_hidden, 4 * d_hidden], b [4 * d_hidden], ready for ``lstm(X, **weights)``.

    Examples
    --------
    >>> init_lstm(np.random.default_rng(0), 3, 2, forget_bias=4.0)["b"]
    array([0., 0., 4., 4., 0., 0., 0., 0.])
    """
    d_hidden, forget_bias = whole("d_hidden", d_hidden, least=1), finite("forget_bias", forget_bias)
    return _init(rng, d_in, d_hidden, 4, scale, np.repeat([0, forget_bias, 0, 0], d_hidden), dtype)


def _init(rng, d_in, d_hidden, gates, scale, b, dtype):
    d_in, scale = whole("d_in", d_in, least=1), finite("scale", scale, least=0)
    W_x = rng.standard_normal((d_in, gates * d_hidden)) * d_in**-0.5
    W_h = scale * np.concatenate([orthogonal(rng, d_hidden) for _ in range(gates)], axis=1)
    return {"W_x": W_x.astype(dtype), "W_h": W_h.astype(dtype), "b": b.astype(dtype)}
