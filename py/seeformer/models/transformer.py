"""The Transformer itself, of any shape and small (Vaswani et al. 2017, section 3), for looking at how it is built.

The encoder, the decoder or both; post-LN as in the paper or pre-LN. Its arrays are called as what is seen is:
``encoder.0.self.W_Q`` makes ``encoder.0.self.Q``.
"""

import math
from dataclasses import dataclass
from functools import partial

from ..checks import head_width, whole
from ..feedforward import ACTIVATIONS, feed_forward
from ..norm import layer_norm
from ..positional import sinusoidal
from ..trace import scope, see
from .cache import Cache
from .embeddings import rows, self_mask, visible, whole_numbers
from .layers import Attention, Layer
from .model import Model
from .parameters import check_weights
from .stack import decode, encode

KINDS = {"both": ("encoder", "decoder"), "encoder": ("encoder",), "decoder": ("decoder",)}
SUBLAYERS = {"encoder": ("self", "ffn"), "decoder": ("self", "cross", "ffn")}


@dataclass(frozen=True)
class TransformerConfig:
    """``kind``: "both" as in the paper and T5, "encoder" as BERT, "decoder" as GPT. ``norm``: "post" or "pre"."""

    vocab_size: int = 64
    d_model: int = 32
    num_heads: int = 4
    d_ff: int = 64
    num_layers: int = 2
    kind: str = "both"
    norm: str = "post"
    activation: str = "relu"


class Transformer(Model):
    """Logits for each position: of the decoder where there is one, else of the encoder.

    Seen: ``{encoder,decoder}.embeddings.{token,position,output}``, the layers, ``….norm.…`` (pre-LN), ``….output``,
    ``logits``.
    """

    Config = TransformerConfig

    def __init__(self, config, weights):
        super().__init__(config, weights)
        check_weights(weights, self.shapes(config))
        numbers = range(config.num_layers)
        self.layers = {stack: [self._layer(stack, i) for i in numbers] for stack in KINDS[config.kind]}

    @classmethod
    def random(cls, config, seed=0, *, spread=None):
        """Seeded weights; standard deviation 1 / sqrt(d_model) if ``spread`` is None, which keeps the size of x."""
        return super().random(config, seed, spread=config.d_model**-0.5 if spread is None else spread)

    @classmethod
    def shapes(cls, config):
        """name -> shape of every array. Matrices are [in, out]."""
        if config.kind not in KINDS:
            raise ValueError(f"kind={config.kind!r} is unknown: use one of {', '.join(KINDS)}")
        if config.norm not in ("post", "pre"):
            raise ValueError(f"norm={config.norm!r} is unknown: use post or pre")
        if config.activation not in ACTIVATIONS:
            raise ValueError(f"activation={config.activation!r} is unknown: use one of {', '.join(ACTIVATIONS)}")
        head_width(config.d_model, config.num_heads)
        d_model, d_ff = config.d_model, whole("d_ff", config.d_ff, least=1)
        gain = {"norm.gamma": (d_model,), "norm.beta": (d_model,)}
        attention = {f"W_{letter}": (d_model, d_model) for letter in "QKVO"} | gain
        ffn = {"W_1": (d_model, d_ff), "b_1": (d_ff,), "W_2": (d_ff, d_model), "b_2": (d_model,)} | gain
        shapes = {"embedding": (whole("vocab_size", config.vocab_size, least=1), d_model)}
        for stack in KINDS[config.kind]:
            for i in range(whole("num_layers", config.num_layers, least=1)):
                for sublayer in cls._sublayers(config, stack):
                    parts = ffn if sublayer == "ffn" else attention
                    shapes |= {f"{stack}.{i}.{sublayer}.{name}": shape for name, shape in parts.items()}
            if config.norm == "pre":
                shapes |= {f"{stack}.{name}": shape for name, shape in gain.items()}
        return shapes

    def forward(self, ids, decoder_ids=None, *, attention_mask=None):
        """What the model says.

        Parameters
        ----------
        ids : integer array [..., m]
            What the encoder reads; what the decoder has written, if there is only a decoder.
        decoder_ids : integer array [..., n], optional
            What the decoder has written, if there are both.
        attention_mask : array [..., m], optional
            Of ``ids``: 1 for a token, 0 for filling.

        Returns
        -------
        array [..., n or m, vocab_size]
        """
        ids = whole_numbers("ids", ids)
        if self.config.kind == "encoder":
            return self.logits(self.encode(ids, attention_mask=attention_mask))
        if self.config.kind == "decoder":
            return self.logits(self.decode(ids, decoder_attention_mask=attention_mask))
        if decoder_ids is None:
            raise ValueError(
                "decoder_ids=None is missing: an encoder-decoder needs what the decoder has written so far"
            )
        memory = self.encode(ids, attention_mask=attention_mask)
        return self.logits(self.decode(decoder_ids, memory, attention_mask=attention_mask))

    def encode(self, ids, *, attention_mask=None):
        """[..., m] -> [..., m, d_model]"""
        x, mask = self._embed("encoder", "ids", ids), visible(attention_mask, ids.shape)
        return encode(x, self.layers["encoder"], final_norm=self._final_norm("encoder"), mask=mask)

    def decode(self, decoder_ids, memory=None, *, attention_mask=None, decoder_attention_mask=None, cache=None):
        """[..., n] and, if there is an encoder, its output [..., m, d_model] -> [..., n, d_model]"""
        before = "" if self.config.kind == "decoder" else "decoder_"  # what forward() calls them
        ids, past = whole_numbers(f"{before}ids", decoder_ids), 0 if cache is None else cache.length
        x = self._embed("decoder", f"{before}ids", ids, past)
        mask = self_mask(ids.shape[-1], past, decoder_attention_mask, ids.shape[:-1], f"{before}attention_mask")
        options = {"final_norm": self._final_norm("decoder"), "mask": mask, "cache": cache}
        if memory is None:
            return encode(x, self.layers["decoder"], name="decoder", **options)
        memory_mask = visible(attention_mask, memory.shape[:-1])
        return decode(x, self.layers["decoder"], memory, memory_mask=memory_mask, **options)

    def logits(self, hidden):
        """[..., n, d_model] -> [..., n, vocab_size], by the table of tokens (section 3.4)."""
        return see("logits", hidden @ self.weights["embedding"].T)

    def new_cache(self):
        return Cache(self.config.num_layers)

    @staticmethod
    def _sublayers(config, stack):
        return [one for one in SUBLAYERS[stack] if config.kind == "both" or one != "cross"]

    def _embed(self, stack, name, ids, past=0):
        with scope(stack), scope("embeddings"):
            token = see("token", rows(name, self.weights["embedding"], ids) * math.sqrt(self.config.d_model))
            position = sinusoidal(ids.shape[-1], self.config.d_model, offset=past).astype(token.dtype)
            return see("output", token + see("position", position))

    def _norm(self, at):
        return partial(layer_norm, gamma=self.weights[f"{at}.norm.gamma"], beta=self.weights[f"{at}.norm.beta"])

    def _final_norm(self, stack):
        return self._norm(stack) if self.config.norm == "pre" else None

    def _layer(self, stack, i):
        def part(sublayer, *names):
            return {name: self.weights[f"{stack}.{i}.{sublayer}.{name}"] for name in names}

        def attention(sublayer):
            return Attention(part(sublayer, "W_Q", "W_K", "W_V", "W_O"), self.config.num_heads)

        crossing = "cross" in self._sublayers(self.config, stack)
        return Layer(
            attention("self"),
            self._norm(f"{stack}.{i}.self"),
            partial(feed_forward, **part("ffn", "W_1", "b_1", "W_2", "b_2"), activation=self.config.activation),
            self._norm(f"{stack}.{i}.ffn"),
            cross_attention=attention("cross") if crossing else None,
            cross_norm=self._norm(f"{stack}.{i}.cross") if crossing else None,
            norm_first=self.config.norm == "pre",
        )
