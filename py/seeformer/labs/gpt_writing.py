"""The text that a model writes, token by token, and the cache that grows with it."""

from time import perf_counter

import numpy as np

from ..model_view import candidates
from ..trace import apart, trace

TOP = 8


def written(model, chosen, steps, draw, how, layer, head):
    """Yield, after each token, everything that there is so far of the text behind the prompt.

    What is drawn from is told beside what the model said: ``step_drawn`` and ``step_probabilities`` [t, k] of the same
    candidates. The keys and values that one head keeps are taken from the step's own trace.
    """
    writing = model.generate(chosen.ids, steps, seed=draw, **how)
    tokens, taken, said, drawn, texts, seconds = [], [], [], [], [], 0.0
    for step in range(steps):
        with apart(), trace() as seen:  # of this step alone: a long text would keep them all
            started = perf_counter()
            one = next(writing, None)
            seconds += perf_counter() - started
        if one is None:
            return
        ids, shares, names = candidates(one.logits, chosen.names, TOP)
        texts += names
        for kept, value in ((tokens, one.token), (taken, one.probability), (said, shares)):
            kept.append(value)
        drawn.append(one.probabilities[ids])
        at = f"step.{step}.decoder.{layer}.self."
        words = [chosen.names[token] for token in tokens]
        facts = {"tokens": [chosen.names[token] for token in chosen.ids] + words, "num_layers": model.config.n_layer}
        yield cached(facts | {"num_heads": model.config.n_head}, seen[f"{at}K"][head], seen[f"{at}V"][head]) | {
            "written": words,
            "written_probabilities": np.array(taken),
            "step_texts": texts[:],
            "step_probabilities": np.array(said),
            "step_drawn": np.array(drawn),
            "rate": (step + 1) / seconds,
        }


def cached(facts, K, V):
    """What the cache holds: of one head the keys and values [length, d_k], and how many numbers it is in all."""
    length, d_k = K.shape
    return {
        "cache_K": K,
        "cache_V": V,
        "cache_tokens": facts["tokens"][:length],  # the newest token has been chosen, but not yet read
        "cache_numbers": 2 * facts["num_layers"] * facts["num_heads"] * length * d_k,
    }


def pairs(model, n, steps):
    """How many pairs of query and key all heads compute for so many tokens: with the cache, and reading anew."""
    heads, lengths = model.config.n_layer * model.config.n_head, n + np.arange(steps)
    first = lengths[:1] ** 2
    return {
        "pairs_cached": heads * np.concatenate([first, lengths[1:]]).cumsum(),
        "pairs_anew": heads * (lengths**2).cumsum(),
    }
