"""One small model of each family, with weights that nobody can write into."""

import numpy as np
from arrays import frozen

from seeformer.models.bart import Bart, BartConfig
from seeformer.models.bert import Bert, BertConfig
from seeformer.models.gpt import GPT2, GPT2Config
from seeformer.models.t5 import T5, T5Config
from seeformer.models.transformer import Transformer, TransformerConfig
from seeformer.models.vit import ViT, ViTConfig

VOCAB = 19
CONFIGS = {
    "bert": (Bert, BertConfig(VOCAB, 12, 2, 3, 10, max_position_embeddings=9)),
    "gpt2": (GPT2, GPT2Config(VOCAB, 14, 12, 2, 3, eos_token_id=2)),
    "bart": (
        Bart,
        BartConfig(
            VOCAB,
            14,
            12,
            **{
                f"{s}_{n}": v
                for s in ("encoder", "decoder")
                for n, v in [("layers", 2), ("ffn_dim", 10), ("attention_heads", 3)]
            },
        ),
    ),
    "t5": (
        T5,
        T5Config(VOCAB, 12, 5, 10, 2, None, 3, relative_attention_num_buckets=6, relative_attention_max_distance=9),
    ),
    "t5_gated": (T5, T5Config(VOCAB, 12, 5, 10, 1, 2, 3, feed_forward_proj="gated-gelu", tie_word_embeddings=False)),
    "vit": (ViT, ViTConfig(12, 2, 3, 10, image_size=6, patch_size=3, num_channels=2, num_labels=4)),
    "transformer": (Transformer, TransformerConfig(VOCAB, 12, 3, 10, 2)),
    "transformer_pre": (Transformer, TransformerConfig(VOCAB, 12, 3, 10, 2, norm="pre")),
    "transformer_encoder": (Transformer, TransformerConfig(VOCAB, 12, 3, 10, 2, kind="encoder")),
    "transformer_decoder": (Transformer, TransformerConfig(VOCAB, 12, 3, 10, 2, kind="decoder", norm="pre")),
}
WITH_CROSS = "bart", "t5", "t5_gated", "transformer", "transformer_pre"
WRITERS = "gpt2", "bart", "t5", "t5_gated"


def small(family, seed=0):
    """With weights large enough that attention is uneven and texts vary."""
    kind, config = CONFIGS[family]
    one = kind.random(config, seed, spread=0.4)
    for values in one.weights.values():
        frozen(values)
    return one


def given(family, seed=0, batch=(2,)):
    """Arguments for ``forward``."""
    rng = np.random.default_rng(seed)
    if family == "vit":
        return {"pixels": frozen(rng.standard_normal((*batch, 2, 6, 6)).astype(np.float32))}
    ids = {"ids": frozen(rng.integers(0, VOCAB, (*batch, 7)))}
    return ids | ({"decoder_ids": frozen(rng.integers(0, VOCAB, (*batch, 5)))} if family in WITH_CROSS else {})
