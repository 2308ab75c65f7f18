"""Which model the ViT lab runs, and what it reads: the one place that knows where weights come from."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..checkpoints import held
from ..checks import finite, flag, whole
from ..drawings import resized
from ..models.initial import initial_weights
from ..models.vit import ViT, ViTConfig

LABELS = tuple("0123456789")
MOST_LAYERS, MOST_HEADS, WIDEST = 12, 16, 256
POSITIONS = "vit.embeddings.position_embeddings"


class Chosen(NamedTuple):
    model: ViT
    labels: list  # labels[i] is what class i is called
    picture: np.ndarray  # [size, size] as large as the model's, 0 paper and 1 ink

    def pixels(self, picture):
        """A picture as the model reads it: [channels, size, size].

        With one channel ink is 1 and paper 0. With more each has the same grey, white 1 and black -1, as photographs
        are prepared for ViT (mean and standard deviation 0.5).
        """
        channels = self.model.config.num_channels
        if channels == 1:
            return picture[None]
        return np.repeat(1 - 2 * picture[None], channels, axis=0)


def choose(drawing, checkpoint, patch_size, num_layers, num_heads, d_model, spread, seed, positional):
    """The model for the lab's parameters, and the reader's drawing [n, n] as large as its pictures are.

    The weights are random, unless the reader brought a ``checkpoint``. What was trained is one more branch here.
    """
    if not checkpoint:
        model = model_for(len(drawing), patch_size, num_layers, num_heads, d_model, spread, seed, positional)
        return Chosen(model, list(LABELS), drawing)
    _, model, labels = held(checkpoint)
    if not flag("positional", positional):
        model = ViT(model.config, without_positions(model.weights))
    return Chosen(model, labels, resized(drawing, model.config.image_size).astype(model.dtype))


def model_for(size, patch_size, num_layers, num_heads, d_model, spread, seed, positional):
    """The random model that these parameters ask for, in float64."""
    whole("patch_size", patch_size, least=1, most=size)
    config = ViTConfig(
        hidden_size=whole("d_model", d_model, least=1, most=WIDEST),
        num_hidden_layers=whole("num_layers", num_layers, least=1, most=MOST_LAYERS),
        num_attention_heads=whole("num_heads", num_heads, least=1, most=MOST_HEADS),
        intermediate_size=4 * d_model,
        image_size=size,
        patch_size=patch_size,
        num_channels=1,
        num_labels=len(LABELS),
    )
    weights = _random(config, whole("seed", seed, least=0), finite("spread", spread, least=0, most=2))
    return ViT(config, weights if flag("positional", positional) else without_positions(weights))


def without_positions(weights):
    return dict(weights) | {POSITIONS: np.zeros_like(weights[POSITIONS])}


@lru_cache(maxsize=2)  # drawing, choosing a head and hiding ask for the same weights again and again
def _random(config, seed, spread):
    weights = initial_weights(ViT.shapes(config), seed, spread)
    return {name: values.astype(float) for name, values in weights.items()}
