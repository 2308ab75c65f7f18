"""T5: an encoder-decoder for which every task is text to text (Raffel et al. 2020, section 2.1).

Pre-LN with RMSNorm, no biases, no scaling of the scores, and relative positions: a bias on the scores, which the first
layer's table gives to all layers of its stack. T5 1.1 has a gated feed-forward network and an output head of its own.
"""

from dataclasses import dataclass
from functools import partial

from ..checks import whole
from ..feedforward import feed_forward
from ..gated import gated_feed_forward
from ..mask import combine
from ..trace import scope, see
from .cache import Cache
from .embeddings import rows, self_mask, visible, whole_numbers
from .layers import Attention, Layer
from .parameters import attention_weights, check_weights, feed_forward_weights, linear_shapes, norm, norm_shapes
from .relative import relative_bias
from .seq2seq import Seq2Seq
from .stack import decode, encode

FEED_FORWARD = {"relu": "relu", "gated-gelu": "gelu_tanh"}


@dataclass(frozen=True)
class T5Config:
    """Field names and defaults of Hugging Face's T5Config, as far as they change what is computed."""

    vocab_size: int = 32128
    d_model: int = 512
    d_kv: int = 64
    d_ff: int = 2048
    num_layers: int = 6
    num_decoder_layers: int | None = None
    num_heads: int = 8
    relative_attention_num_buckets: int = 32
    relative_attention_max_distance: int = 128
    layer_norm_epsilon: float = 1e-6
    feed_forward_proj: str = "relu"
    tie_word_embeddings: bool = True
    scale_decoder_outputs: bool | None = None  # None: as tie_word_embeddings says, which is how T5 1.1 differs
    pad_token_id: int | None = 0
    eos_token_id: int | None = 1
    decoder_start_token_id: int | None = None  # None: pad_token_id


class T5(Seq2Seq):
    """T5ForConditionalGeneration.

    Seen beside the layers: ``{encoder,decoder}.embeddings.output``, ``….relative_bias``, ``….norm.…``.
    """

    Config = T5Config

    def __init__(self, config, weights):
        super().__init__(config, weights)
        check_weights(weights, self.shapes(config))
        self.layers = {side: [self._layer(side, i) for i in range(_depth(config, side))] for side in SIDES}

    @classmethod
    def shapes(cls, config):
        """name -> shape of every array of its file."""
        if config.feed_forward_proj not in FEED_FORWARD:
            known = ", ".join(FEED_FORWARD)
            raise ValueError(f"feed_forward_proj={config.feed_forward_proj!r} is not built: use one of {known}")
        d_model, width = config.d_model, whole("num_heads", config.num_heads, least=1) * config.d_kv
        shapes = {"shared.weight": (config.vocab_size, d_model)}
        for side in SIDES:
            for i in range(_depth(config, side)):
                attentions, ffn = _places(side, i)
                for at, norm_name in attentions:
                    for name in "qkv":
                        shapes |= linear_shapes(f"{at}.{name}", width, d_model, bias=False)
                    shapes |= linear_shapes(f"{at}.o", d_model, width, bias=False)
                    shapes |= norm_shapes(norm_name, d_model, bias=False)
                for name in ("wi",) if config.feed_forward_proj == "relu" else ("wi_0", "wi_1"):
                    shapes |= linear_shapes(f"{ffn}.DenseReluDense.{name}", config.d_ff, d_model, bias=False)
                shapes |= linear_shapes(f"{ffn}.DenseReluDense.wo", d_model, config.d_ff, bias=False)
                shapes |= norm_shapes(f"{ffn}.layer_norm", d_model, bias=False)
            shapes |= {BIAS.format(side): (config.relative_attention_num_buckets, config.num_heads)}
            shapes |= norm_shapes(f"{side}.final_layer_norm", d_model, bias=False)
        return shapes

    def encode(self, ids, *, attention_mask=None):
        """The source's vectors, the decoder's ``memory``: integer array [..., m] -> [..., m, d_model]."""
        ids = whole_numbers("ids", ids)
        with scope("encoder"):
            x, bias = self._embed("ids", ids), self._bias("encoder", ids.shape[-1])
        mask = combine(bias, visible(attention_mask, ids.shape))
        return encode(x, self.layers["encoder"], final_norm=self._norm("encoder.final_layer_norm"), mask=mask)

    def decode(self, decoder_ids, memory, *, attention_mask=None, decoder_attention_mask=None, cache=None, last=False):
        """What comes next after each target token; arguments as for ``Bart.decode``."""
        ids, past = whole_numbers("decoder_ids", decoder_ids), 0 if cache is None else cache.length
        n = ids.shape[-1]
        with scope("decoder"):
            x, bias = self._embed("decoder_ids", ids), self._bias("decoder", n, past + n)
        mask = self_mask(n, past, decoder_attention_mask, ids.shape[:-1], "decoder_attention_mask")
        masks = {"mask": combine(bias, mask), "memory_mask": visible(attention_mask, memory.shape[:-1])}
        final = self._norm("decoder.final_layer_norm")
        x = decode(x, self.layers["decoder"], memory, final_norm=final, cache=cache, **masks)
        return self.logits(x[..., -1 if last else 0 :, :])

    def logits(self, hidden):
        """[..., n, d_model] -> [..., n, vocab_size]"""
        scaled = self.config.scale_decoder_outputs
        if self.config.tie_word_embeddings if scaled is None else scaled:
            hidden = see("scaled", hidden * self.config.d_model**-0.5)
        own = self.weights.get("lm_head.weight")
        return see("logits", hidden @ (self.weights["shared.weight"] if own is None else own).T)

    def lens(self, hidden):
        """What the model would say if ``hidden``, of any decoder layer, were that of the last: its logits."""
        return self.logits(self._norm("decoder.final_layer_norm")(hidden))

    def new_cache(self):
        return Cache(_depth(self.config, "decoder"))

    def _embed(self, name, ids):
        with scope("embeddings"):
            return see("output", rows(name, self.weights["shared.weight"], ids))

    def _bias(self, side, n, m=None):
        far = self.config.relative_attention_max_distance
        table = self.weights[BIAS.format(side)]
        return see("relative_bias", relative_bias(table, n, m, both_ways=side == "encoder", max_distance=far))

    def _norm(self, name):
        return norm(self.weights, name, self.config.layer_norm_epsilon)

    def _layer(self, side, i):
        attentions, ffn = _places(side, i)
        parts = []
        for at, norm_name in attentions:
            weights = attention_weights(self.weights, *(f"{at}.{name}" for name in "qkvo"))
            parts += [Attention(weights, self.config.num_heads, 1.0), self._norm(norm_name)]
        cross = dict(zip(("cross_attention", "cross_norm"), parts[2:], strict=False))
        return Layer(*parts[:2], self._feed_forward(ffn), self._norm(f"{ffn}.layer_norm"), norm_first=True, **cross)

    def _feed_forward(self, at):
        bend, dense = FEED_FORWARD[self.config.feed_forward_proj], f"{at}.DenseReluDense"
        if self.config.feed_forward_proj == "relu":
            return partial(feed_forward, **feed_forward_weights(self.weights, f"{dense}.wi", f"{dense}.wo"))
        names = {"W_gate": "wi_0", "W_1": "wi_1", "W_2": "wo"}
        matrices = {ours: self.weights[f"{dense}.{theirs}.weight"].T for ours, theirs in names.items()}
        return partial(gated_feed_forward, **matrices, activation=bend)


SIDES = "encoder", "decoder"
BIAS = "{}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"


def _depth(config, side):
    other = config.num_decoder_layers if side == "decoder" else None
    return config.num_layers if other is None else other


def _places(side, i):
    """What a block's arrays are called: [(attention, its norm), …] and the feed-forward sublayer."""
    kinds = ("SelfAttention", "EncDecAttention") if side == "decoder" else ("SelfAttention",)
    at = f"{side}.block.{i}.layer"
    return [(f"{at}.{k}.{kind}", f"{at}.{k}.layer_norm") for k, kind in enumerate(kinds)], f"{at}.{len(kinds)}"
