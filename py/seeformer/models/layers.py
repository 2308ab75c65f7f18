"""The two layers that all Transformers are stacked from (Vaswani et al. 2017, section 3.1).

An encoder layer is self-attention and a feed-forward network; a decoder layer has cross-attention between them, which
looks at what the encoder made. Around each of these stands the residual connection, with the norm after it ("post", as
in the paper, BERT and BART) or before what it leads around ("pre": GPT-2, T5, ViT; Xiong et al. 2020).

What is seen of a layer: ``self.…``, ``cross.…`` and ``ffn.…`` with everything the kernels name (``self.weights``,
``ffn.hidden``); in each ``norm.…`` and ``sum``, the residual stream behind it; and ``output``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from ..attention import multi_head_attention
from ..trace import scope, see
from .cache import attention_with_cache


@dataclass(frozen=True)
class Attention:
    """Multi-head attention with its parameters: W_Q … b_O as the kernel takes them."""

    weights: dict
    num_heads: int
    scale: float | None = None

    def __call__(self, x, *, context=None, mask=None, kept=None):
        """[..., n, d_model] -> [..., n, d_model]; ``kept`` is this layer's part of a Cache."""
        options = {**self.weights, "context": context, "mask": mask, "scale": self.scale}
        if kept is None:
            return multi_head_attention(x, num_heads=self.num_heads, **options)
        return attention_with_cache(x, num_heads=self.num_heads, kept=kept, **options)


@dataclass(frozen=True)
class Layer:
    """The parts of a layer. ``ffn`` and the norms are functions [..., n, d_model] -> [..., n, d_model]."""

    self_attention: Attention
    self_norm: Callable
    ffn: Callable
    ffn_norm: Callable
    cross_attention: Attention | None = field(default=None, kw_only=True)
    cross_norm: Callable | None = field(default=None, kw_only=True)
    norm_first: bool = field(default=False, kw_only=True)


def encoder_layer(x, layer, *, mask=None, kept=None):
    """Self-attention, then the feed-forward network. With a causal mask this is a layer of GPT.

    Parameters
    ----------
    x : array [..., n, d_model]
    layer : Layer
    mask : array, optional
        Additive, broadcast against [..., h, n, n].
    kept : dict, optional
        This layer's part of a Cache.

    Returns
    -------
    array [..., n, d_model]
    """
    x = _around("self", x, lambda x: layer.self_attention(x, mask=mask, kept=kept), layer.self_norm, layer)
    return see("output", _around("ffn", x, layer.ffn, layer.ffn_norm, layer))


def decoder_layer(x, layer, memory, *, mask=None, memory_mask=None, kept=None):
    """Self-attention, attention over ``memory`` (the encoder's output), then the feed-forward network.

    Parameters
    ----------
    x : array [..., n, d_model]
    layer : Layer with cross_attention
    memory : array [..., m, d_model]
    mask, memory_mask : array, optional
        Additive, broadcast against [..., h, n, n] and [..., h, n, m].
    kept : dict, optional
        This layer's part of a Cache.

    Returns
    -------
    array [..., n, d_model]
    """

    def look_at_memory(x):
        return layer.cross_attention(x, context=memory, mask=memory_mask, kept=kept)

    x = _around("self", x, lambda x: layer.self_attention(x, mask=mask, kept=kept), layer.self_norm, layer)
    x = _around("cross", x, look_at_memory, layer.cross_norm, layer)
    return see("output", _around("ffn", x, layer.ffn, layer.ffn_norm, layer))


def _around(name, x, sublayer, norm, layer):
    """The residual connection around a sublayer."""
    with scope(name):
        if layer.norm_first:
            with scope("norm"):
                normed = norm(x)
            return see("sum", x + sublayer(normed))
        total = see("sum", x + sublayer(x))
        with scope("norm"):
            return norm(total)
