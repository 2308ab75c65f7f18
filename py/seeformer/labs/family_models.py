"""The four models of the family lab, all on one sentence (ViT: on a picture), and what each is to predict of it.

One word of the sentence is the question. BERT finds [MASK] in its place, GPT has what stands before it, BART gets the
sentence with the gap and writes it whole, T5 writes only what was in the gap; ViT says what the picture is.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..models.bart import Bart, BartConfig
from ..models.bert import Bert, BertConfig
from ..models.gpt import GPT2, GPT2Config
from ..models.initial import initial_weights
from ..models.model import Model
from ..models.t5 import T5, T5Config
from ..models.vit import ViT, ViTConfig

POSITIONS = 32
SIDE = 4  # patches along a side of the picture
LABELS = tuple("0123456789")
START = {  # special tokens, those of the originals that have a number of their own at that number
    "bert": ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    "gpt": ("<s>",),  # GPT-2 has <|endoftext|>; the first GPT had this
    "bart": ("<s>", "<pad>", "</s>", "<unk>", "<mask>"),
    "t5": (
        "<pad>",
        "</s>",
        "<unk>",
        "<X>",
        "<Y>",
    ),  # <extra_id_0>, <extra_id_1>; these names are of figure 2 of its paper
}


class Sizes(NamedTuple):
    num_layers: int
    num_heads: int
    d_model: int
    seed: int
    spread: float


class Member(NamedTuple):
    model: Model
    inputs: tuple  # of model.forward
    changed: tuple  # the same as a batch: input after input exchanged for another, and last as it is
    tokens: dict  # stack -> texts of what stands there
    names: tuple  # of what it can say
    row: int  # of the logits that answers the question; of a model that gives one row, 0
    answer: str  # what it should say, "" if nobody knows

    @property
    def stacks(self):
        return list(self.tokens)


def members(words, at, vocabulary, picture, style, sizes):
    """name -> Member.

    Parameters
    ----------
    words : list of str
    at : int
        Which word is the question, from 0.
    vocabulary : list of str
        Words that can be said beside those of the sentence.
    picture : array [size, size]
        Its size a multiple of ``SIDE``.
    style : {"bart", "t5"}
    """
    known = dict.fromkeys([*vocabulary, *words])
    return {
        "bert": _bert(words, at, tuple(dict.fromkeys([*START["bert"], *known])), sizes),
        "gpt": _gpt(words, at, tuple(dict.fromkeys([*START["gpt"], *known])), sizes),
        "seq2seq": _seq2seq(words, at, tuple(dict.fromkeys([*START[style], *known])), style, sizes),
        "vit": _vit(picture, sizes),
    }


def _bert(words, at, names, sizes):
    config = BertConfig(
        vocab_size=len(names),
        hidden_size=sizes.d_model,
        num_hidden_layers=sizes.num_layers,
        num_attention_heads=sizes.num_heads,
        intermediate_size=4 * sizes.d_model,
        max_position_embeddings=POSITIONS,
    )
    text = ["[CLS]", *_with_gap(words, at, "[MASK]"), "[SEP]"]
    ids = _numbers(names, text)
    model = _random(Bert, config, sizes.seed, sizes.spread)
    return Member(model, (ids,), (exchanged(ids, len(names)),), {"encoder": text}, names, at + 1, words[at])


def _gpt(words, at, names, sizes):
    config = GPT2Config(
        len(names), n_positions=POSITIONS, n_embd=sizes.d_model, n_layer=sizes.num_layers, n_head=sizes.num_heads
    )
    text = ["<s>", *words]
    ids = _numbers(names, text)
    model = _random(GPT2, config, sizes.seed, sizes.spread)
    return Member(model, (ids,), (exchanged(ids, len(names)),), {"decoder": text}, names, at, words[at])


def _seq2seq(words, at, names, style, sizes):
    if style == "bart":
        source = ["<s>", *_with_gap(words, at, "<mask>"), "</s>"]
        target, row = ["<s>", *words, "</s>"], at + 1
        model = _random(Bart, _bart_config(len(names), sizes), sizes.seed, sizes.spread)
    else:
        source = [*_with_gap(words, at, "<X>"), "</s>"]
        target, row = ["<X>", words[at], "<Y>", "</s>"], 1
        model = _random(T5, _t5_config(len(names), sizes), sizes.seed, sizes.spread)
    ids, written = _numbers(names, source), model.shift_right(_numbers(names, target))
    (m, n), size = (len(ids), len(written)), len(names)
    ours, theirs = np.tile(ids, (m + n + 1, 1)), np.tile(written, (m + n + 1, 1))
    ours[:m], theirs[m:] = exchanged(ids, size)[:m], exchanged(written, size)
    tokens = {"encoder": source, "decoder": [names[number] for number in written]}
    return Member(model, (ids, written), (ours, theirs), tokens, names, row, words[at])


def _bart_config(vocab_size, sizes):
    each = {"layers": sizes.num_layers, "attention_heads": sizes.num_heads, "ffn_dim": 4 * sizes.d_model}
    sides = {f"{side}_{name}": value for side in ("encoder", "decoder") for name, value in each.items()}
    return BartConfig(vocab_size, POSITIONS, sizes.d_model, **sides)


def _t5_config(vocab_size, sizes):
    return T5Config(
        vocab_size,
        d_model=sizes.d_model,
        d_kv=sizes.d_model // sizes.num_heads,
        d_ff=4 * sizes.d_model,
        num_layers=sizes.num_layers,
        num_heads=sizes.num_heads,
    )


def _vit(picture, sizes):
    size, patch = len(picture), len(picture) // SIDE
    config = ViTConfig(
        hidden_size=sizes.d_model,
        num_hidden_layers=sizes.num_layers,
        num_attention_heads=sizes.num_heads,
        intermediate_size=4 * sizes.d_model,
        image_size=size,
        patch_size=patch,
        num_channels=1,
        num_labels=len(LABELS),
    )
    pixels = picture.astype(np.float32)[None]
    inverted = np.tile(pixels, (SIDE**2 + 1, 1, 1, 1))
    for at in range(SIDE**2):
        down, across = (slice(patch * step, patch * (step + 1)) for step in divmod(at, SIDE))
        inverted[at, 0, down, across] = 1 - pixels[0, down, across]
    tokens = ["CLS", *(f"{down + 1}·{across + 1}" for down in range(SIDE) for across in range(SIDE))]
    model = _random(ViT, config, sizes.seed, sizes.spread)
    return Member(model, (pixels,), (inverted,), {"encoder": tokens}, LABELS, 0, "")


def exchanged(ids, size):
    """Texts [n + 1, n]: in text i token i is the next of the vocabulary instead; the last is as given."""
    return np.vstack([np.where(np.eye(len(ids), dtype=bool), (ids + 1) % size, ids), ids])


def _with_gap(words, at, sign):
    return [*words[:at], sign, *words[at + 1 :]]


def _numbers(names, text):
    return np.array([names.index(token) for token in text])


@lru_cache(maxsize=8)  # to open a cell, or to choose another head, asks for the same weights again
def _random(kind, config, seed, spread):
    return kind(config, initial_weights(kind.shapes(config), seed, spread))
