"""Which model the seq2seq lab runs: the one place that knows where weights and vocabulary come from."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..checkpoints import held
from ..checks import finite, head_width, whole
from ..models.bart import Bart, BartConfig
from ..models.initial import initial_weights
from ..models.seq2seq import Seq2Seq
from ..models.t5 import T5, T5Config

LONGEST = 64  # characters of a source or a target, and tokens of a brought model
MOST_STEPS = 48
MOST = {"num_layers": 6, "num_heads": 16, "d_model": 256}
STYLES = ("bart", "t5")
FEED_FORWARD = ("relu", "gated-gelu")
SPECIAL = {
    "bart": ("<s>", "<pad>", "</s>", "<unk>"),
    "t5": ("<pad>", "</s>", "<unk>"),
}  # at the numbers of the originals
BUCKETS, FAR = 8, 16  # T5 has 32 and 128; texts are short here


class Chosen(NamedTuple):
    model: Seq2Seq
    names: list  # the vocabulary: names[id] is a token's text
    source: np.ndarray  # [m], what the encoder reads
    target: np.ndarray  # [n], what the decoder should write, the end token included


def choose(
    source,
    target,
    style,
    feed_forward,
    *,
    num_layers,
    num_heads,
    d_model,
    seed,
    sharpness,
    checkpoint="",
    source_ids=(),
    target_ids=(),
):
    """The model for the lab's parameters, and both texts as its tokens.

    The weights are random, unless the reader brought a ``checkpoint``: then ``source_ids`` and ``target_ids`` are the
    texts in its vocabulary. What was trained is one more branch here: nothing else in this lab asks where model and
    tokens came from.
    """
    if checkpoint:
        return _brought(held(checkpoint), source_ids, target_ids)
    for name, text in (("source", source), ("target", target)):
        if not isinstance(text, str) or not 1 <= len(text) <= LONGEST:
            length = len(text) if isinstance(text, str) else repr(text)
            raise ValueError(f"{name}={length} characters are too few or too many: use 1 to {LONGEST}")
    for name, value, known in (("style", style, STYLES), ("feed_forward", feed_forward, FEED_FORWARD)):
        if value not in known:
            raise ValueError(f"{name}={value!r} is unknown: use one of {', '.join(known)}")
    sizes = {"num_layers": num_layers, "num_heads": num_heads, "d_model": d_model}
    sizes = {name: whole(name, size, least=1, most=MOST[name]) for name, size in sizes.items()}
    head_width(sizes["d_model"], sizes["num_heads"])
    names = list(
        dict.fromkeys([*SPECIAL[style], *source, *target])
    )  # a letter more at the end leaves the rest in place
    made = _random(
        style,
        feed_forward if style == "t5" else "",
        len(names),
        *sizes.values(),
        whole("seed", seed, least=0),
        finite("sharpness", sharpness, least=0, most=10),
    )
    first = ["<s>"] if style == "bart" else []
    ids = ([names.index(token) for token in [*first, *text, "</s>"]] for text in (source, target))
    return Chosen(made, names, *map(np.array, ids))


def _brought(brought, source_ids, target_ids):
    config = brought.model.config
    most = min(LONGEST, getattr(config, "max_position_embeddings", LONGEST))
    given = (("source", source_ids), ("target", target_ids))
    texts = [brought.ids(name, _whole(config, brought.ids(name, ids, most=most)), most=most) for name, ids in given]
    return Chosen(brought.model, brought.names, *map(np.array, texts))


def _whole(config, ids):
    """With the tokens that begin and end a text: a tokenizer of vocab.json and merges.txt does not add them."""
    first, last = getattr(config, "bos_token_id", None), config.eos_token_id
    before = [] if first is None or ids[0] == first else [first]
    after = [] if last is None or ids[-1] == last else [last]
    return before + ids + after


@lru_cache(maxsize=4)  # a slider of the search asks for the same weights again and again
def _random(style, feed_forward, vocab_size, num_layers, num_heads, d_model, seed, sharpness):
    if style == "bart":
        sides = {
            f"{side}_{name}": value
            for side in ("encoder", "decoder")
            for name, value in {"layers": num_layers, "attention_heads": num_heads, "ffn_dim": 4 * d_model}.items()
        }
        config = BartConfig(vocab_size, LONGEST + 2, d_model, **sides)
        kind, spread = Bart, lambda name, shape: shape[1] ** -0.5  # of what goes in: sizes stay
    else:
        config = T5Config(
            vocab_size,
            d_model,
            d_model // num_heads,
            4 * d_model,
            num_layers,
            None,
            num_heads,
            BUCKETS,
            FAR,
            feed_forward_proj=feed_forward,
        )
        kind, spread = T5, lambda name, shape: t5_spread(name, shape, d_model // num_heads)
    weights = initial_weights(kind.shapes(config), seed, 1.0)
    for name, values in weights.items():
        if values.ndim == 2:
            wide = spread(name, values.shape) * (sharpness if ".q" in name else 1)
            weights[name] = values * np.float32(wide)
    return kind(config, weights)


def t5_spread(name, shape, d_kv):
    """The standard deviation that T5 begins its training with, by the name of the matrix [out, in].

    1/sqrt(what goes in), so that sizes stay; W_Q gets the 1/sqrt(d_k) besides, which its attention does not have. The
    tables of tokens and of distances have 1 (T5's distances 1/sqrt(d_model), which would be too pale to see here).
    """
    if name == "shared.weight" or "relative_attention_bias" in name:
        return 1.0
    return (shape[1] * (d_kv if name.endswith(".q.weight") else 1)) ** -0.5
