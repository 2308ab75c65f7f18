"""Which model the BERT lab runs: the one place that knows where weights and vocabulary come from."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..checkpoints import held
from ..checks import finite, whole
from ..models.bert import Bert, BertConfig
from ..models.gpt import GPT2, GPT2Config
from ..tokenizers.vocabulary import Vocabulary

MASKS = ("[MASK]", "<mask>")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LONGEST, MOST_PADDING, MOST_WORDS = 24, 8, 128
MOST_PIECES = 64  # tokens of a brought model, which cuts words into several
POSITIONS = 64  # two sentences, [CLS], two [SEP] and the filling
MOST = {"num_layers": 6, "num_heads": 8, "d_model": 64}


class Chosen(NamedTuple):
    model: Bert
    names: list  # the vocabulary: names[id] is a token's text
    ids: np.ndarray  # [n], nothing covered yet
    segments: np.ndarray  # [n], 0 or 1
    there: np.ndarray  # [n], 1 for a token, 0 for filling
    mask: int | None  # the number of [MASK], if there is one


def choose(
    tokens,
    second,
    vocabulary,
    *,
    padding,
    num_layers,
    num_heads,
    d_model,
    seed,
    spread,
    checkpoint="",
    ids=(),
    first_ids=(),
):
    """The model for the lab's parameters, and the sentences as its tokens.

    The weights are random, unless the reader brought a ``checkpoint``: then ``ids`` are both sentences in its
    vocabulary, laid out by its tokenizer, and ``first_ids`` the first alone. What was trained is one more branch here:
    nothing else in this lab asks where model and tokens came from.
    """
    if checkpoint:
        return _brought(held(checkpoint), ids, len(first_ids), padding)
    tokens, second = _words("tokens", tokens, 1, LONGEST), _words("second", second, 0, LONGEST)
    names = Vocabulary(dict.fromkeys([*SPECIAL, *_words("vocabulary", vocabulary, 0, MOST_WORDS), *tokens, *second]))
    sizes = {"num_layers": num_layers, "num_heads": num_heads, "d_model": d_model}
    sizes = [whole(name, size, least=1, most=MOST[name]) for name, size in sizes.items()]
    model = _random(len(names), *sizes, whole("seed", seed, least=0), finite("spread", spread, least=0, most=10))
    laid, segments = laid_out(tokens, second, whole("padding", padding, least=0, most=MOST_PADDING))
    laid = np.array(names.need(*laid))
    return Chosen(model, names, laid, np.array(segments), _there(len(laid), padding), names.ids["[MASK]"])


def _brought(brought, ids, first, padding):
    config = brought.model.config
    ids = brought.ids("tokens", ids, most=min(MOST_PIECES, config.max_position_embeddings))
    if len(ids) > first and config.type_vocab_size < 2:
        raise ValueError("second=a text is more than this model can tell from the first sentence: leave it empty")
    room = min(MOST_PADDING, config.max_position_embeddings - len(ids))
    padding = whole("padding", padding, least=0, most=room)
    segments = [0] * first + [1] * (len(ids) - first) + [0] * padding
    ids = np.array(ids + [config.pad_token_id or 0] * padding)
    mask = next((brought.names.index(name) for name in MASKS if name in brought.names), None)
    return Chosen(brought.model, brought.names, ids, np.array(segments), _there(len(ids), padding), mask)


def _there(n, padding):
    return (np.arange(n) < n - padding).astype(int)


def gpt_like(model, seed, spread):
    """A GPT of the same size, to compare with."""
    config = model.config
    same = GPT2Config(
        config.vocab_size,
        n_positions=config.max_position_embeddings,
        n_embd=config.hidden_size,
        n_layer=config.num_hidden_layers,
        n_head=config.num_attention_heads,
    )
    return _random_gpt(same, seed, float(spread))


def laid_out(tokens, second, padding=0):
    """[CLS] first [SEP] second [SEP] [PAD] …, and the segment of each (Devlin et al. 2019, figure 2)."""
    first = ["[CLS]", *tokens, "[SEP]"]
    after = [*second, "[SEP]"] if second else []
    return [*first, *after, *["[PAD]"] * padding], [0] * len(first) + [1] * len(after) + [0] * padding


def _words(name, words, least, most):
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"{name}={words!r} is not a list of strings: use one such as ['我', '爱', '猫']")
    if not least <= len(words) <= most:
        raise ValueError(f"{name}={len(words)} tokens are too few or too many: use {least} to {most}")
    return list(words)


@lru_cache(maxsize=2)  # walking from token to token asks for the same weights again and again
def _random(vocab_size, num_layers, num_heads, d_model, seed, spread):
    config = BertConfig(
        vocab_size=vocab_size,
        hidden_size=d_model,
        num_hidden_layers=num_layers,
        num_attention_heads=num_heads,
        intermediate_size=4 * d_model,
        hidden_act="gelu_new",  # as in the authors' own code
        max_position_embeddings=POSITIONS,
    )
    return Bert.random(config, seed, spread=spread, pooler=True)


@lru_cache(maxsize=2)
def _random_gpt(config, seed, spread):
    return GPT2.random(config, seed, spread=spread)
