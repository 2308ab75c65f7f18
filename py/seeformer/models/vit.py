"""ViT: an encoder that reads a picture as a row of patches (Dosovitskiy et al. 2021, section 3.1).

A patch is flattened and projected as a word is looked up; a class token is put before them; learned positions are
added; pre-LN layers follow, and the class token's last vector is what the picture is.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from ..checks import floats, head_width, shaped
from ..feedforward import feed_forward
from ..trace import scope, see
from . import activations
from .embeddings import visible
from .layers import Attention, Layer
from .model import Model
from .parameters import (
    attention_weights,
    check_weights,
    feed_forward_weights,
    linear,
    linear_shapes,
    norm,
    norm_shapes,
)
from .stack import encode


@dataclass(frozen=True)
class ViTConfig:
    """Field names and defaults of Hugging Face's ViTConfig, as far as they change what is computed.

    ``num_labels`` is not written into a config.json: it is the length of ``id2label`` there.
    """

    hidden_size: int = 768
    num_hidden_layers: int = 12
    num_attention_heads: int = 12
    intermediate_size: int = 3072
    hidden_act: str = "gelu"
    layer_norm_eps: float = 1e-12
    image_size: int = 224
    patch_size: int = 16
    num_channels: int = 3
    qkv_bias: bool = True
    num_labels: int = 2


class ViT(Model):
    """ViTForImageClassification, or ViTModel where the weights have no classifier.

    Seen: ``embeddings.{patches,projected,class,position,output}``, ``encoder.{i}.…``, ``encoder.output``,
    ``norm.…``, ``logits``.
    """

    Config = ViTConfig

    def __init__(self, config, weights):
        super().__init__(config, weights)
        self.has_head = "classifier.weight" in weights
        check_weights(weights, self.shapes(config, head=self.has_head))
        numbers = range(config.num_hidden_layers)
        self.layers = {"encoder": [self._layer(f"vit.encoder.layer.{i}") for i in numbers]}

    @classmethod
    def shapes(cls, config, *, head=True):
        """name -> shape of every array of its file; without ``head``, of a ViTModel's."""
        d_model, d_ff, size = config.hidden_size, config.intermediate_size, config.patch_size
        head_width(d_model, config.num_attention_heads)
        if config.image_size % size:
            raise ValueError(f"patch_size={size} does not divide image_size={config.image_size}: use a divisor of it")
        patches = (config.image_size // size) ** 2
        shapes = {"vit.embeddings.cls_token": (1, 1, d_model)}
        shapes |= {"vit.embeddings.position_embeddings": (1, patches + 1, d_model)}
        shapes |= {f"{PATCHES}.weight": (d_model, config.num_channels, size, size), f"{PATCHES}.bias": (d_model,)}
        for i in range(config.num_hidden_layers):
            layer = f"vit.encoder.layer.{i}"
            shapes |= norm_shapes(f"{layer}.layernorm_before", d_model)
            for name in ("query", "key", "value"):
                shapes |= linear_shapes(f"{layer}.attention.attention.{name}", d_model, d_model, bias=config.qkv_bias)
            shapes |= linear_shapes(f"{layer}.attention.output.dense", d_model, d_model)
            shapes |= norm_shapes(f"{layer}.layernorm_after", d_model)
            shapes |= linear_shapes(f"{layer}.intermediate.dense", d_ff, d_model)
            shapes |= linear_shapes(f"{layer}.output.dense", d_model, d_ff)
        shapes |= norm_shapes("vit.layernorm", d_model)
        return shapes | linear_shapes("classifier", config.num_labels, d_model) if head else shapes

    def forward(self, pixels, *, attention_mask=None):
        """A score for each label; what ``hidden`` returns, if there is no classifier.

        Parameters
        ----------
        pixels : array [..., num_channels, image_size, image_size]
        attention_mask : array [..., 1 + patches], optional
            1 where a token may be looked at, 0 where not; the class token stands first. Hugging Face's ViT has none.

        Returns
        -------
        array [..., num_labels]
        """
        hidden = self.hidden(pixels, attention_mask=attention_mask)
        return self.logits(hidden) if self.has_head else hidden

    def hidden(self, pixels, *, attention_mask=None):
        """The vectors behind the last layer, not yet normed: [..., 1 + patches, d_model], the class token first."""
        x = self._embed(pixels)
        return encode(x, self.layers["encoder"], mask=visible(attention_mask, x.shape[:-1]))

    def logits(self, hidden):
        """[..., n, d_model] -> [..., num_labels], from the class token alone."""
        if not self.has_head:
            raise ValueError("weights='classifier.weight' is missing: these weights have no classifier")
        with scope("norm"):
            normed = self._norm("vit.layernorm")(hidden[..., 0, :])
        W, b = linear(self.weights, "classifier")
        return see("logits", normed @ W + b)

    def lens(self, hidden):
        """What the model would say if ``hidden``, the output of any layer, were that of the last: its logits."""
        return self.logits(hidden)

    def _embed(self, pixels):
        config, pixels = self.config, floats("pixels", pixels, "channels", "height", "width")
        if pixels.shape[-3:] != (config.num_channels, config.image_size, config.image_size):
            wanted = f"[..., {config.num_channels}, {config.image_size}, {config.image_size}]"
            raise ValueError(f"pixels={shaped(pixels)} is no picture of this model: give it {wanted}")
        kernel = self.weights[f"{PATCHES}.weight"]  # a convolution that never overlaps is one product a patch
        with scope("embeddings"):
            flat = see("patches", patches(pixels, config.patch_size))
            projected = flat @ kernel.reshape(config.hidden_size, -1).T + self.weights[f"{PATCHES}.bias"]
            projected = see("projected", projected)
            first = see("class", self.weights["vit.embeddings.cls_token"][0])  # [1, d_model]
            first = first + np.zeros((*projected.shape[:-2], 1, 1), projected.dtype)  # the same one for each picture
            position = see("position", self.weights["vit.embeddings.position_embeddings"][0])
            return see("output", np.concatenate([first, projected], axis=-2) + position)

    def _norm(self, name):
        return norm(self.weights, name, self.config.layer_norm_eps)

    def _layer(self, at):
        projections = (*(f"{at}.attention.attention.{name}" for name in ("query", "key", "value")),)
        attention = attention_weights(self.weights, *projections, f"{at}.attention.output.dense")
        ffn = feed_forward_weights(self.weights, f"{at}.intermediate.dense", f"{at}.output.dense")
        bend = activations.kernel("hidden_act", self.config.hidden_act)
        return Layer(
            Attention(attention, self.config.num_attention_heads),
            self._norm(f"{at}.layernorm_before"),
            partial(feed_forward, **ffn, activation=bend),
            self._norm(f"{at}.layernorm_after"),
            norm_first=True,
        )


PATCHES = "vit.embeddings.patch_embeddings.projection"


def patches(pixels, size):
    """Cut a picture into squares, row by row, and flatten each.

    Parameters
    ----------
    pixels : array [..., channels, height, width]
    size : int

    Returns
    -------
    array [..., patches, channels * size * size]

    Examples
    --------
    >>> patches(np.arange(8.0).reshape(1, 2, 4), 2)
    array([[0., 1., 4., 5.],
           [2., 3., 6., 7.]])
    """
    *batch, channels, height, width = pixels.shape
    down, across = height // size, width // size
    cut = pixels.reshape(*batch, channels, down, size, across, size)
    cut = cut.swapaxes(-3, -2)  # [..., channels, down, across, size, size]
    cut = cut.swapaxes(-5, -4).swapaxes(-4, -3)  # [..., down, across, channels, size, size]
    return cut.reshape(*batch, down * across, channels * size * size)
