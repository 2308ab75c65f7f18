"""Which model the GPT lab runs: the one place that knows where weights and vocabulary come from."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..characters import characters
from ..checkpoints import held
from ..checks import finite, whole
from ..models.gpt import GPT2, GPT2Config

LONGEST = 96  # characters of a prompt, and tokens
MOST_STEPS = 64
MOST = {"num_layers": 8, "num_heads": 16, "d_model": 256}


class Chosen(NamedTuple):
    model: GPT2
    names: list  # the vocabulary: names[id] is a token's text
    ids: np.ndarray  # [n], the prompt


def choose(prompt, *, num_layers, num_heads, d_model, seed, spread, checkpoint="", ids=()):
    """The model for the lab's parameters, and the prompt as its tokens.

    The weights are random, unless the reader brought a ``checkpoint``: then ``ids`` are the prompt's tokens in its
    vocabulary. What was trained is one more branch here: it needs a model, the texts of its vocabulary, and the
    prompt's ids, and nothing else in this lab asks where they came from.
    """
    if checkpoint:
        brought = held(checkpoint)
        most = min(LONGEST, brought.model.config.n_positions)
        return Chosen(brought.model, brought.names, np.array(brought.ids("prompt", ids, most=most)))
    if not isinstance(prompt, str) or not 1 <= len(prompt) <= LONGEST:
        length = len(prompt) if isinstance(prompt, str) else repr(prompt)
        raise ValueError(f"prompt={length} characters are too few or too many: use 1 to {LONGEST}")
    names = characters(prompt)
    sizes = {"num_layers": num_layers, "num_heads": num_heads, "d_model": d_model}
    sizes = [whole(name, size, least=1, most=MOST[name]) for name, size in sizes.items()]
    model = _random(len(names), *sizes, whole("seed", seed, least=0), finite("spread", spread, least=0, most=10))
    number = {name: token for token, name in enumerate(names)}
    return Chosen(model, names, np.array([number[character] for character in prompt]))


@lru_cache(maxsize=2)  # a slider of the sampling asks for the same weights again and again
def _random(vocab_size, num_layers, num_heads, d_model, seed, spread):
    config = GPT2Config(
        vocab_size,
        n_positions=LONGEST + MOST_STEPS,
        n_embd=d_model,
        n_layer=num_layers,
        n_head=num_heads,
        eos_token_id=None,
    )
    return GPT2.random(config, seed, spread=spread)
