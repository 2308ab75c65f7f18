"""Multi-head attention (Vaswani et al. 2017, section 3.2).

    Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V
    MultiHead(X)       = Concat(head_1, ..., head_h) W_O,   head_i = Attention(X W_Q_i, X W_K_i, X W_V_i)

The projections of all heads lie side by side in one matrix, so W_Q_i is the i-th block of d_k columns of W_Q.
Leading axes ``...`` are batch axes everywhere. The dtype of the arrays is kept; integers are taken as float64.
"""

import numpy as np

from .attention_shapes import check_attention, check_axis, check_multi_head, fit_mask
from .checks import finite, floats, head_width, whole
from .trace import see


def softmax(x, axis=-1):
    """exp(x) / sum(exp(x)) along ``axis``: positive shares that sum to 1.

    Parameters
    ----------
    x : array [...]
    axis : int

    Returns
    -------
    array [...]
        The largest value is subtracted first, which changes nothing but keeps exp from overflowing. A row that is all
        -inf (nothing visible) gives zeros, for there is nothing to share. NaN or +inf make their whole row NaN.

    Examples
    --------
    >>> softmax(np.array([1.0, 2.0, 3.0]))
    array([0.09003057, 0.24472847, 0.66524096])
    """
    x = floats("x", x)
    check_axis(x, axis)
    peak = x.max(axis=axis, keepdims=True)
    peak = see("peak", np.where(peak == -np.inf, 0, peak))  # -inf - -inf would be NaN
    exp = see("exp", np.exp(x - peak))
    total = see("total", exp.sum(axis=axis, keepdims=True))
    return exp / np.where(total == 0, 1, total)


def split_heads(x, num_heads):
    """[..., n, d_model] -> [..., h, n, d_k]: head i takes the i-th block of d_k = d_model / num_heads columns.

    Examples
    --------
    >>> split_heads(np.arange(8.0).reshape(2, 4), 2)
    array([[[0., 1.],
            [4., 5.]],
           [[2., 3.],
            [6., 7.]]])
    """
    x = floats("x", x, "n", "d_model")
    d_k = head_width(x.shape[-1], num_heads)
    return x.reshape(*x.shape[:-1], num_heads, d_k).swapaxes(-3, -2)


def merge_heads(x):
    """[..., h, n, d_k] -> [..., n, h * d_k]: the inverse of ``split_heads``, "Concat" in the formula.

    Examples
    --------
    >>> heads = np.array([[[0.0, 1.0], [4.0, 5.0]], [[2.0, 3.0], [6.0, 7.0]]])
    >>> merge_heads(heads)
    array([[0., 1., 2., 3.],
           [4., 5., 6., 7.]])
    """
    x = floats("x", x, "h", "n", "d_k")
    h, n, d_k = x.shape[-3:]
    return x.swapaxes(-3, -2).reshape(*x.shape[:-3], n, h * d_k)


def scaled_dot_product_attention(Q, K, V, *, mask=None, scale=None):
    """Each query mixes the values by how well it matches their keys (Vaswani et al. 2017, equation 1).

    Parameters
    ----------
    Q : array [..., n_q, d_k]
    K : array [..., n_k, d_k]
    V : array [..., n_k, d_v]
    mask : array, optional
        Additive (0 visible, -inf hidden), broadcast against [..., n_q, n_k].
    scale : float, optional
        1 / sqrt(d_k) if None: without it the spread of the scores would grow with d_k and the softmax saturate.

    Returns
    -------
    array [..., n_q, d_v]
        A query that sees no key gets zeros.

    Raises
    ------
    ValueError
        Naming the argument whose shape, dtype or value does not fit, and the remedy.

    Examples
    --------
    >>> K = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> V = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    >>> scaled_dot_product_attention(4 * K, K, V).round(3)
    array([[2.   , 0.   ],
           [2.457, 0.   ],
           [2.841, 0.   ]])
    """
    Q, K, V = floats("Q", Q, "n_q", "d_k"), floats("K", K, "n_k", "d_k"), floats("V", V, "n_k", "d_v")
    check_attention(Q, K, V)
    scale = Q.shape[-1] ** -0.5 if scale is None else finite("scale", scale)

    scores = see("scores", see("dots", Q @ K.swapaxes(-1, -2)) * scale)  # [..., n_q, n_k]
    if mask is not None:
        scores = scores + fit_mask(mask, scores)
    weights = see("weights", softmax(see("masked", scores)))
    return see("heads", weights @ V)


def multi_head_attention(
    X, W_Q, W_K, W_V, W_O, num_heads, *, b_Q=None, b_K=None, b_V=None, b_O=None, context=None, mask=None, scale=None
):
    """num_heads attentions side by side, each with projections of its own (Vaswani et al. 2017, section 3.2.2).

    Parameters
    ----------
    X : array [..., n, d_model]
        Gives the queries.
    W_Q, W_K, W_V, W_O : array [d_model, d_model]
        More generally [d_model, h * d_k], [d_context, h * d_k], [d_context, h * d_v], [h * d_v, d_out].
    num_heads : int
    b_Q, b_K, b_V, b_O : array [columns of its W], optional
    context : array [..., m, d_context], optional
        Gives keys and values (cross-attention); X if None (self-attention).
    mask : array, optional
        Additive (0 visible, -inf hidden), broadcast against [..., h, n, m].
    scale : float, optional
        1 / sqrt(d_k) if None.

    Returns
    -------
    array [..., n, d_model]

    Raises
    ------
    ValueError
        Naming the argument whose shape, dtype or value does not fit, and the remedy.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((3, 4))
    >>> W_Q, W_K, W_V, W_O = rng.standard_normal((4, 4, 4))
    >>> multi_head_attention(X, W_Q, W_K, W_V, W_O, 2).round(3)
    array([[-0.344,  1.596,  2.379,  0.828],
           [-0.577,  4.274, -2.549, -0.648],
           [-0.476,  5.712, -7.051, -1.565]])
    """
    X = floats("X", X, "n", "d_model")
    context = X if context is None else floats("context", context, "m", "d_context")
    check_multi_head(X, context, W_Q, W_K, W_V, W_O, num_heads, b_Q=b_Q, b_K=b_K, b_V=b_V, b_O=b_O)

    Q = see("Q", split_heads(_project(X, W_Q, b_Q), num_heads))  # [..., h, n, d_k]
    K = see("K", split_heads(_project(context, W_K, b_K), num_heads))  # [..., h, m, d_k]
    V = see("V", split_heads(_project(context, W_V, b_V), num_heads))  # [..., h, m, d_v]
    heads = scaled_dot_product_attention(Q, K, V, mask=mask, scale=scale)  # [..., h, n, d_v]
    concat = see("concat", merge_heads(heads))  # [..., n, h * d_v]
    return see("output", _project(concat, W_O, b_O))


def _project(x, W, b):
    return x @ W if b is None else x @ W + b


def init_attention(rng, d_model, *, scale=None, dtype=float):
    """Random W_Q, W_K, W_V, W_O for self-attention.

    Parameters
    ----------
    rng : numpy.random.Generator
    d_model : int
    scale : float, optional
        Standard deviation of the entries; 1 / sqrt(d_model) if None, which keeps the size of X in Q, K and V.
    dtype : dtype

    Returns
    -------
    dict
        name -> array [d_model, d_model], ready for ``multi_head_attention(X, **weights, num_heads=...)``.

    Examples
    --------
    >>> weights = init_attention(np.random.default_rng(0), 64)
    >>> weights["W_Q"].shape
    (64, 64)
    >>> weights["W_Q"].std().round(3)
    np.float64(0.125)
    """
    d_model = whole("d_model", d_model, least=1)
    scale = d_model**-0.5 if scale is None else finite("scale", scale, least=0)
    names = ("W_Q", "W_K", "W_V", "W_O")
    return {name: (rng.standard_normal((d_model, d_model)) * scale).astype(dtype) for name in names}
