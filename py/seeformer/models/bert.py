"""BERT: an encoder that reads both ways and fills gaps (Devlin et al. 2019).

Token, segment and position vectors are added and normed; then come post-LN encoder layers. The masked-language head
(section 3.1, task 1) turns each vector into one score for every word, by the very table that turned words into vectors.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from ..checks import head_width
from ..feedforward import ACTIVATIONS, feed_forward
from ..positional import look_up
from ..trace import scope, see
from . import activations
from .embeddings import rows, visible, whole_numbers
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
class BertConfig:
    """Field names and defaults of Hugging Face's BertConfig, as far as they change what is computed."""

    vocab_size: int = 30522
    hidden_size: int = 768
    num_hidden_layers: int = 12
    num_attention_heads: int = 12
    intermediate_size: int = 3072
    hidden_act: str = "gelu"
    max_position_embeddings: int = 512
    type_vocab_size: int = 2
    layer_norm_eps: float = 1e-12
    pad_token_id: int | None = 0


class Bert(Model):
    """BertModel, or BertForMaskedLM where the weights have its head.

    Seen: ``embeddings.{word,segment,position,sum,norm.…,output}``, ``encoder.{i}.…``, ``encoder.output``, ``pooled``,
    ``head.{pre_activation,hidden,norm.…}``, ``logits``.
    """

    Config = BertConfig

    def __init__(self, config, weights):
        """``weights``: the names of a BertModel's file, with "bert." before them and "cls." beside them or without."""
        super().__init__(config, weights)
        self.prefix = "bert." if "bert.embeddings.word_embeddings.weight" in weights else ""
        self.has_head = "cls.predictions.bias" in weights
        self.has_pooler = f"{self.prefix}pooler.dense.weight" in weights
        shapes = self.shapes(config, head=self.has_head, prefix=self.prefix, pooler=self.has_pooler)
        check_weights(weights, shapes)
        numbers = range(config.num_hidden_layers)
        self.layers = {"encoder": [self._layer(f"{self.prefix}encoder.layer.{i}") for i in numbers]}

    @classmethod
    def shapes(cls, config, *, head=True, prefix=None, pooler=None):
        """name -> shape of a BertForMaskedLM's file; without ``head``, of a BertModel's."""
        d_model, d_ff = config.hidden_size, config.intermediate_size
        head_width(d_model, config.num_attention_heads)
        prefix, pooler = ("bert." if head else "") if prefix is None else prefix, not head if pooler is None else pooler
        tables = {
            "word": config.vocab_size,
            "position": config.max_position_embeddings,
            "token_type": config.type_vocab_size,
        }
        shapes = {f"{prefix}embeddings.{name}_embeddings.weight": (size, d_model) for name, size in tables.items()}
        shapes |= norm_shapes(f"{prefix}embeddings.LayerNorm", d_model)
        for i in range(config.num_hidden_layers):
            layer = f"{prefix}encoder.layer.{i}"
            for name in ("query", "key", "value"):
                shapes |= linear_shapes(f"{layer}.attention.self.{name}", d_model, d_model)
            shapes |= linear_shapes(f"{layer}.attention.output.dense", d_model, d_model)
            shapes |= norm_shapes(f"{layer}.attention.output.LayerNorm", d_model)
            shapes |= linear_shapes(f"{layer}.intermediate.dense", d_ff, d_model)
            shapes |= linear_shapes(f"{layer}.output.dense", d_model, d_ff)
            shapes |= norm_shapes(f"{layer}.output.LayerNorm", d_model)
        if pooler:
            shapes |= linear_shapes(f"{prefix}pooler.dense", d_model, d_model)
        if head:
            shapes |= linear_shapes("cls.predictions.transform.dense", d_model, d_model)
            shapes |= norm_shapes("cls.predictions.transform.LayerNorm", d_model)
            shapes |= {"cls.predictions.bias": (config.vocab_size,)}
        return shapes

    def forward(self, ids, *, segments=None, attention_mask=None):
        """The logits [..., n, vocab_size]; what ``hidden`` returns, if there is no head. Arguments as there."""
        hidden = self.hidden(ids, segments=segments, attention_mask=attention_mask)
        return self.logits(hidden) if self.has_head else hidden

    def hidden(self, ids, *, segments=None, attention_mask=None):
        """The vectors behind the last layer.

        Parameters
        ----------
        ids : integer array [..., n]
        segments : integer array [..., n], optional
            Which sentence a token belongs to ("token_type_ids"); all 0 if None.
        attention_mask : array [..., n], optional
            1 for a token, 0 for the filling behind a sentence, which nothing looks at.

        Returns
        -------
        array [..., n, d_model]
        """
        ids = whole_numbers("ids", ids)
        x = self._embed(ids, np.zeros_like(ids) if segments is None else segments)
        return encode(x, self.layers["encoder"], mask=visible(attention_mask, ids.shape))

    def pool(self, hidden):
        """tanh of a linear layer of the first token's vector: [..., n, d_model] -> [..., d_model]."""
        if not self.has_pooler:
            raise ValueError("weights='pooler.dense.weight' is missing: a masked-language model has no pooler")
        W, b = linear(self.weights, f"{self.prefix}pooler.dense")
        return see("pooled", np.tanh(hidden[..., 0, :] @ W + b))

    def logits(self, hidden):
        """A score for each word of the vocabulary at each position: [..., n, d_model] -> [..., n, vocab_size]."""
        if not self.has_head:
            raise ValueError("weights='cls.predictions.bias' is missing: these weights have no masked-language head")
        W, b = linear(self.weights, "cls.predictions.transform.dense")
        with scope("head"):
            bend = ACTIVATIONS[activations.kernel("hidden_act", self.config.hidden_act)]
            hidden = see("hidden", bend(see("pre_activation", hidden @ W + b)))
            with scope("norm"):
                hidden = norm(self.weights, "cls.predictions.transform.LayerNorm", self.config.layer_norm_eps)(hidden)
        own = self.weights.get("cls.predictions.decoder.weight")
        table = self._table("word") if own is None else own
        return see("logits", hidden @ table.T + self.weights["cls.predictions.bias"])

    def lens(self, hidden):
        """What the model would say if ``hidden``, the output of any layer, were that of the last: its logits."""
        return self.logits(hidden)

    def _table(self, name):
        return self.weights[f"{self.prefix}embeddings.{name}_embeddings.weight"]

    def _embed(self, ids, segments):
        with scope("embeddings"):
            word = see("word", rows("ids", self._table("word"), ids))
            segment = see("segment", rows("segments", self._table("token_type"), segments))
            position = see("position", look_up(self._table("position"), ids.shape[-1]))
            total = see("sum", word + segment + position)
            with scope("norm"):
                normed = norm(self.weights, f"{self.prefix}embeddings.LayerNorm", self.config.layer_norm_eps)(total)
            return see("output", normed)

    def _layer(self, at):
        self_, output = f"{at}.attention.self", f"{at}.attention.output"
        projections = f"{self_}.query", f"{self_}.key", f"{self_}.value", f"{output}.dense"
        ffn = feed_forward_weights(self.weights, f"{at}.intermediate.dense", f"{at}.output.dense")
        bend, eps = activations.kernel("hidden_act", self.config.hidden_act), self.config.layer_norm_eps
        return Layer(
            Attention(attention_weights(self.weights, *projections), self.config.num_attention_heads),
            norm(self.weights, f"{output}.LayerNorm", eps),
            partial(feed_forward, **ffn, activation=bend),
            norm(self.weights, f"{at}.output.LayerNorm", eps),
        )
