"""GPT-2: a decoder alone, which reads from left to right and says what comes next (Radford et al. 2019, section 2.3).

Pre-LN layers under a causal mask, one more norm at the end, and the table of tokens once more as the output head.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from ..checks import head_width
from ..feedforward import feed_forward
from ..trace import scope, see
from . import activations
from .beam import beam_search, beam_steps
from .cache import Cache
from .embeddings import rows, self_mask, whole_numbers
from .layers import Attention, Layer
from .model import Model
from .parameters import check_weights, norm, norm_shapes
from .sampling import generate
from .stack import encode


@dataclass(frozen=True)
class GPT2Config:
    """Field names and defaults of Hugging Face's GPT2Config, as far as they change what is computed."""

    vocab_size: int = 50257
    n_positions: int = 1024
    n_embd: int = 768
    n_layer: int = 12
    n_head: int = 12
    n_inner: int | None = None
    activation_function: str = "gelu_new"
    layer_norm_epsilon: float = 1e-5
    scale_attn_weights: bool = True
    scale_attn_by_inverse_layer_idx: bool = False
    bos_token_id: int | None = 50256
    eos_token_id: int | None = 50256


class GPT2(Model):
    """GPT2LMHeadModel.

    Seen: ``embeddings.{token,position,output}``, ``decoder.{i}.…``, ``decoder.norm.…``, ``decoder.output``, ``logits``.
    """

    Config = GPT2Config

    def __init__(self, config, weights):
        """``weights``: the names of its file, with "transformer." before them or, as in the first ones, without."""
        super().__init__(config, weights)
        self.prefix = "transformer." if "transformer.wte.weight" in weights else ""
        check_weights(weights, self.shapes(config, prefix=self.prefix))
        self.layers = {"decoder": [self._layer(i) for i in range(config.n_layer)]}

    @classmethod
    def shapes(cls, config, *, prefix="transformer."):
        """name -> shape. GPT-2 stores its matrices as [in, out], unlike the other models."""
        d_model = config.n_embd
        d_ff = config.n_inner or 4 * d_model
        head_width(d_model, config.n_head)
        shapes = {
            f"{prefix}wte.weight": (config.vocab_size, d_model),
            f"{prefix}wpe.weight": (config.n_positions, d_model),
        }
        widths = {"attn.c_attn": (d_model, 3 * d_model), "attn.c_proj": (d_model, d_model)}
        widths |= {"mlp.c_fc": (d_model, d_ff), "mlp.c_proj": (d_ff, d_model)}
        for i in range(config.n_layer):
            layer = f"{prefix}h.{i}."
            shapes |= norm_shapes(f"{layer}ln_1", d_model) | norm_shapes(f"{layer}ln_2", d_model)
            for name, shape in widths.items():
                shapes |= {f"{layer}{name}.weight": shape, f"{layer}{name}.bias": shape[1:]}
        return shapes | norm_shapes(f"{prefix}ln_f", d_model)

    def forward(self, ids, *, attention_mask=None, positions=None, cache=None, last=False):
        """What comes next, at each position.

        Parameters
        ----------
        ids : integer array [..., n]
            With a cache, only what is new.
        attention_mask : array [..., n], optional
            1 for a token, 0 for filling; with a cache, over old and new positions.
        positions : integer array [..., n], optional
            Rows of the position table; None counts on from the cache. (Filling before a text shifts it.)
        cache : Cache, optional
            From ``new_cache``; it is brought up to date.
        last : bool
            Logits of the last position alone: the head is a third of the work for a short text.

        Returns
        -------
        array [..., n, vocab_size], or [..., 1, vocab_size]
        """
        ids = whole_numbers("ids", ids)
        n, past = ids.shape[-1], 0 if cache is None else cache.length
        x = self._embed(ids, np.arange(past, past + n) if positions is None else positions)
        mask = self_mask(n, past, attention_mask, ids.shape[:-1])
        x = encode(x, self.layers["decoder"], final_norm=self._norm("ln_f"), mask=mask, cache=cache, name="decoder")
        return self.logits(x[..., -1:, :] if last else x)

    def logits(self, hidden):
        """[..., n, d_model] -> [..., n, vocab_size]"""
        table = self.weights[self._head]
        return see("logits", hidden @ table.T)

    def lens(self, hidden):
        """What the model would say if ``hidden``, the output of any layer, were that of the last: its logits."""
        return self.logits(self._norm("ln_f")(hidden))

    def new_cache(self):
        return Cache(self.config.n_layer)

    def generate(self, ids, steps, **options):
        """Go on with a text, token by token; see ``sampling.generate`` for options and what is yielded."""
        ids = whole_numbers("ids", ids)
        options = {"eos": self.config.eos_token_id} | options
        return generate(self._reader(), ids, steps, most=self.config.n_positions, **options)

    def beam_search(self, ids, steps, **options):
        """The most probable continuations; see ``beam.beam_search``."""
        return beam_search(**self._search(ids, steps, options))

    def beam_steps(self, ids, steps, **options):
        """The search itself, step by step; see ``beam.beam_steps``."""
        return beam_steps(**self._search(ids, steps, options))

    def _search(self, ids, steps, options):
        cache = self.new_cache()
        given = {"read": self._reader(cache), "ids": ids, "steps": steps, "reorder": cache.select}
        return {"eos": self.config.eos_token_id} | options | given

    def _reader(self, cache=None):
        """ids [..., n], new ones only -> logits [..., vocab_size] of what follows them."""
        cache = self.new_cache() if cache is None else cache
        return lambda ids: self.forward(ids, cache=cache, last=True)[..., -1, :]

    @property
    def _head(self):
        return "lm_head.weight" if "lm_head.weight" in self.weights else f"{self.prefix}wte.weight"

    def _embed(self, ids, positions):
        with scope("embeddings"):
            token = see("token", rows("ids", self.weights[f"{self.prefix}wte.weight"], ids))
            position = see("position", rows("positions", self.weights[f"{self.prefix}wpe.weight"], positions))
            return see("output", token + position)

    def _norm(self, name):
        return norm(self.weights, f"{self.prefix}{name}", self.config.layer_norm_epsilon)

    def _layer(self, i):
        config, at = self.config, f"{self.prefix}h.{i}."
        affine = {name: (self.weights[f"{at}{name}.weight"], self.weights[f"{at}{name}.bias"]) for name in CONV}
        d_model = config.n_embd
        (W, b), attention = affine["attn.c_attn"], {}
        for place, letter in enumerate("QKV"):  # side by side in one matrix
            columns = slice(place * d_model, (place + 1) * d_model)
            attention |= {f"W_{letter}": W[:, columns], f"b_{letter}": b[columns]}
        attention["W_O"], attention["b_O"] = affine["attn.c_proj"]
        (W_1, b_1), (W_2, b_2) = affine["mlp.c_fc"], affine["mlp.c_proj"]
        bend = activations.kernel("activation_function", config.activation_function)
        ffn = partial(feed_forward, W_1=W_1, b_1=b_1, W_2=W_2, b_2=b_2, activation=bend)
        scale = (d_model // config.n_head) ** -0.5 if config.scale_attn_weights else 1.0
        scale = scale / (i + 1) if config.scale_attn_by_inverse_layer_idx else scale
        return Layer(
            Attention(attention, config.n_head, scale),
            self._norm(f"h.{i}.ln_1"),
            ffn,
            self._norm(f"h.{i}.ln_2"),
            norm_first=True,
        )


CONV = "attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"
