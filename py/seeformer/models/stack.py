"""Layers on top of each other: the encoder and the decoder (Vaswani et al. 2017, figure 1).

What is seen: ``encoder.0.…`` for each layer, ``encoder.norm.…`` where a norm ends the stack (the pre-LN models), and
``encoder.output``; likewise ``decoder``.
"""

from ..trace import scope, see
from .layers import decoder_layer, encoder_layer


def encode(x, layers, *, final_norm=None, mask=None, cache=None, name="encoder"):
    """Encoder layers one after the other; also GPT's decoder, whose layers are the same under a causal mask.

    Parameters
    ----------
    x : array [..., n, d_model]
    layers : list of Layer
    final_norm : callable, optional
    mask : array, optional
        Additive, broadcast against [..., h, n, n].
    cache : Cache, optional

    Returns
    -------
    array [..., n, d_model]
    """

    def run(x, layer, kept):
        return encoder_layer(x, layer, mask=mask, kept=kept)

    return _stack(x, layers, name, final_norm, cache, run)


def decode(x, layers, memory, *, final_norm=None, mask=None, memory_mask=None, cache=None, name="decoder"):
    """Decoder layers one after the other, each looking at the same ``memory`` [..., m, d_model].

    Parameters as for ``encode``; ``memory_mask`` is broadcast against [..., h, n, m].
    """

    def run(x, layer, kept):
        return decoder_layer(x, layer, memory, mask=mask, memory_mask=memory_mask, kept=kept)

    return _stack(x, layers, name, final_norm, cache, run)


def _stack(x, layers, name, final_norm, cache, run):
    with scope(name):
        for number, layer in enumerate(layers):
            with scope(number):
                x = run(x, layer, kept=None if cache is None else cache.layers[number])
        if final_norm is not None:
            with scope("norm"):
                x = final_norm(x)
        return see("output", x)
