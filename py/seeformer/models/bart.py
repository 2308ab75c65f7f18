"""BART: an encoder-decoder close to the first Transformer, post-LN (Lewis et al. 2020, section 2.1).

Learned absolute positions, GELU, one table of tokens for encoder, decoder and output head.
"""

import math
from dataclasses import dataclass
from functools import partial

from ..checks import head_width
from ..feedforward import feed_forward
from ..positional import look_up
from ..trace import scope, see
from . import activations
from .cache import Cache
from .embeddings import rows, self_mask, visible, whole_numbers
from .layers import Attention, Layer
from .parameters import attention_weights, check_weights, feed_forward_weights, linear_shapes, norm, norm_shapes
from .seq2seq import Seq2Seq
from .stack import decode, encode

EPS = 1e-5  # PyTorch's default, which BART's config does not name
BIAS = "final_logits_bias"
OFFSET = 2  # the first row of its position tables that is used


@dataclass(frozen=True)
class BartConfig:
    """Field names and defaults of Hugging Face's BartConfig, as far as they change what is computed."""

    vocab_size: int = 50265
    max_position_embeddings: int = 1024
    d_model: int = 1024
    encoder_layers: int = 12
    encoder_ffn_dim: int = 4096
    encoder_attention_heads: int = 16
    decoder_layers: int = 12
    decoder_ffn_dim: int = 4096
    decoder_attention_heads: int = 16
    activation_function: str = "gelu"
    scale_embedding: bool = False
    pad_token_id: int | None = 1
    bos_token_id: int | None = 0
    eos_token_id: int | None = 2
    decoder_start_token_id: int | None = 2
    forced_eos_token_id: int | None = 2


class Bart(Seq2Seq):
    """BartForConditionalGeneration.

    Seen beside the layers: ``encoder.embeddings.{token,position,sum,norm.…,output}``, the decoder's likewise.
    """

    Config = BartConfig

    def __init__(self, config, weights):
        super().__init__(config, weights)
        shapes = self.shapes(config)
        if BIAS not in weights:  # a BartModel's file has none: it is 0
            del shapes[BIAS]
        check_weights(weights, shapes)
        self.layers = {
            side: [self._layer(f"model.{side}.layers.{i}", side) for i in range(getattr(config, f"{side}_layers"))]
            for side in ("encoder", "decoder")
        }

    @classmethod
    def shapes(cls, config):
        """name -> shape of every array of its file."""
        d_model = config.d_model
        shapes = {"model.shared.weight": (config.vocab_size, d_model)}
        for side in ("encoder", "decoder"):
            at = f"model.{side}."
            head_width(d_model, getattr(config, f"{side}_attention_heads"))
            shapes |= {f"{at}embed_positions.weight": (config.max_position_embeddings + OFFSET, d_model)}
            shapes |= norm_shapes(f"{at}layernorm_embedding", d_model)
            for i in range(getattr(config, f"{side}_layers")):
                shapes |= cls._layer_shapes(f"{at}layers.{i}", d_model, getattr(config, f"{side}_ffn_dim"), side)
        return shapes | {BIAS: (1, config.vocab_size)}

    @staticmethod
    def _layer_shapes(at, d_model, d_ff, side):
        shapes = {}
        for attention in ("self_attn", "encoder_attn") if side == "decoder" else ("self_attn",):
            for name in PROJECTIONS:
                shapes |= linear_shapes(f"{at}.{attention}.{name}", d_model, d_model)
            shapes |= norm_shapes(f"{at}.{attention}_layer_norm", d_model)
        shapes |= linear_shapes(f"{at}.fc1", d_ff, d_model) | linear_shapes(f"{at}.fc2", d_model, d_ff)
        return shapes | norm_shapes(f"{at}.final_layer_norm", d_model)

    @property
    def longest(self):
        return self.config.max_position_embeddings

    def encode(self, ids, *, attention_mask=None):
        """The source's vectors, the decoder's ``memory``: integer array [..., m] -> [..., m, d_model]."""
        ids = whole_numbers("ids", ids)
        with scope("encoder"):
            x = self._embed("encoder", "ids", ids)
        return encode(x, self.layers["encoder"], mask=visible(attention_mask, ids.shape))

    def decode(self, decoder_ids, memory, *, attention_mask=None, decoder_attention_mask=None, cache=None, last=False):
        """What comes next after each target token.

        Parameters
        ----------
        decoder_ids : integer array [..., n]
            With a cache, only what is new.
        memory : array [..., m, d_model]
        attention_mask, decoder_attention_mask : array [..., m] and [..., n (old ones included)], optional
        cache : Cache, optional
            From ``new_cache``, and then always with the same memory.
        last : bool
            Logits of the last position alone.

        Returns
        -------
        array [..., n, vocab_size], or [..., 1, vocab_size]
        """
        ids, past = whole_numbers("decoder_ids", decoder_ids), 0 if cache is None else cache.length
        with scope("decoder"):
            x = self._embed("decoder", "decoder_ids", ids, past)
        mask = self_mask(ids.shape[-1], past, decoder_attention_mask, ids.shape[:-1], "decoder_attention_mask")
        masks = {"mask": mask, "memory_mask": visible(attention_mask, memory.shape[:-1])}
        return self.logits(decode(x, self.layers["decoder"], memory, cache=cache, **masks)[..., -1 if last else 0 :, :])

    def logits(self, hidden):
        """[..., n, d_model] -> [..., n, vocab_size]"""
        own = self.weights.get("lm_head.weight")
        table = self.weights["model.shared.weight"] if own is None else own
        logits, bias = hidden @ table.T, self.weights.get(BIAS)
        return see("logits", logits if bias is None else logits + bias[0])

    def lens(self, hidden):
        """What the model would say if ``hidden``, of any decoder layer, were that of the last: its logits."""
        return self.logits(hidden)

    def new_cache(self):
        return Cache(self.config.decoder_layers)

    def _embed(self, side, name, ids, past=0):
        with scope("embeddings"):
            token = rows(name, self.weights["model.shared.weight"], ids)
            token = see("token", token * math.sqrt(self.config.d_model) if self.config.scale_embedding else token)
            table = self.weights[f"model.{side}.embed_positions.weight"][OFFSET:]
            position = see("position", look_up(table, ids.shape[-1], offset=past))
            total = see("sum", token + position)
            with scope("norm"):
                normed = norm(self.weights, f"model.{side}.layernorm_embedding", EPS)(total)
            return see("output", normed)

    def _layer(self, at, side):
        heads = getattr(self.config, f"{side}_attention_heads")

        def attention(name):
            return Attention(attention_weights(self.weights, *(f"{at}.{name}.{part}" for part in PROJECTIONS)), heads)

        bend = activations.kernel("activation_function", self.config.activation_function)
        crossing = side == "decoder"
        return Layer(
            attention("self_attn"),
            norm(self.weights, f"{at}.self_attn_layer_norm", EPS),
            partial(feed_forward, **feed_forward_weights(self.weights, f"{at}.fc1", f"{at}.fc2"), activation=bend),
            norm(self.weights, f"{at}.final_layer_norm", EPS),
            cross_attention=attention("encoder_attn") if crossing else None,
            cross_norm=norm(self.weights, f"{at}.encoder_attn_layer_norm", EPS) if crossing else None,
        )


PROJECTIONS = "q_proj", "k_proj", "v_proj", "out_proj"
