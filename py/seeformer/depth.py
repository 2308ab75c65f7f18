"""How large numbers and gradients are, layer by layer, in a deep stack that nobody has trained yet.

Each layer has the two sublayers of a Transformer: multi-head attention, then a feed-forward relu(x W_1) W_2. What
differs is what stands around each of them:

============  ===========================  ==============================================================
variant       one sublayer                 which is
============  ===========================  ==============================================================
post          layer_norm(x + f(x))         the original Transformer (Vaswani et al. 2017)
pre           x + f(layer_norm(x))         Pre-LN, with one layer_norm more at the end (Xiong et al. 2020)
no_residual   layer_norm(f(x))             post without the way around
no_norm       x + f(x)                     either, without normalization
neither       f(x)                         the bare sublayers
============  ===========================  ==============================================================

The entries of every weight matrix are normal with variance 1 / (number of its rows), the same ones in all variants.
"""

import math

import numpy as np

from .attention import init_attention, multi_head_attention
from .checks import head_width, whole
from .learn.gradients import grad
from .norm import layer_norm, residual

VARIANTS = {
    "post": lambda x, f: residual(x, f, norm="post"),
    "pre": lambda x, f: residual(x, f, norm="pre"),
    "no_residual": lambda x, f: layer_norm(f(x)),
    "no_norm": lambda x, f: residual(x, f, norm="none"),
    "neither": lambda x, f: f(x),
}
DEEPEST = 96


def signal_sizes(variant, depth, *, n=8, d_model=32, num_heads=4, seed=0):
    """The size (root mean square) of the numbers between the layers, and of the gradients there.

    Parameters
    ----------
    variant : {"post", "pre", "no_residual", "no_norm", "neither"}
    depth : int
        Layers, of two sublayers each.
    n, d_model, num_heads, seed : int

    Returns
    -------
    activations : ndarray [depth + 1]
        Of the input, a standard normal [n, d_model], and after each layer.
    gradients : ndarray [depth + 1]
        Of the loss with respect to the same arrays. The loss is sum(output * target) with a standard normal target,
        so that the gradient at the output is the target itself, of size about 1, in every variant.
    """
    if variant not in VARIANTS:
        raise ValueError(f"variant={variant!r} is unknown: use one of {', '.join(VARIANTS)}")
    depth, n = whole("depth", depth, least=1, most=DEEPEST), whole("n", n, least=1)
    head_width(d_model, num_heads)
    rng = np.random.default_rng(whole("seed", seed, least=0))
    X, target = rng.standard_normal((2, n, d_model))
    layers = [(_attention(rng, d_model, num_heads), _feed_forward(rng, d_model)) for _ in range(depth)]
    around = VARIANTS[variant]

    def between_layers(nudges):
        """X and what each layer makes of it, each moved by a nudge of its own."""
        x = X + nudges[0]
        passed = [x]
        for sublayers, nudge in zip(layers, nudges[1:], strict=True):
            for f in sublayers:
                x = around(x, f)
            x = x + nudge
            passed.append(x)
        return passed

    def loss(nudges):
        x = between_layers(nudges)[-1]
        return ((layer_norm(x) if variant == "pre" else x) * target).sum()

    still = [np.zeros((n, d_model)) for _ in range(depth + 1)]  # a nudge of zero changes nothing and has a gradient
    return _size(between_layers(still)), _size(grad(loss)(still))


def _attention(rng, d_model, num_heads):
    weights = init_attention(rng, d_model)
    return lambda x: multi_head_attention(x, **weights, num_heads=num_heads)


def _feed_forward(rng, d_model):
    d_ff = 4 * d_model
    W_1 = rng.standard_normal((d_model, d_ff)) / math.sqrt(d_model)
    W_2 = rng.standard_normal((d_ff, d_model)) / math.sqrt(d_ff)
    return lambda x: np.maximum(x @ W_1, 0) @ W_2


def _size(arrays):
    return np.sqrt((np.array(arrays) ** 2).mean(axis=(-2, -1)))
