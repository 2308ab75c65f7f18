"""Choosing the next token from a model's logits, and going on with it.

    temperature   logits / temperature: below 1 the likely become likelier; 0 is greedy, always the likeliest
    top_k         only the k likeliest (Fan et al. 2018, section 3.3)
    top_p         only the likeliest that together hold the share p (Holtzman et al. 2020, section 3.1, "nucleus")

in this order, as in Hugging Face; what is left shares the probability of what fell away.
"""

from typing import NamedTuple

import numpy as np

from ..attention import softmax
from ..checks import finite, whole
from ..trace import scope, see


class Chosen(NamedTuple):
    """One token of a text that grows."""

    token: int
    probability: float
    probabilities: np.ndarray  # [vocab_size], what it was drawn from
    logits: np.ndarray  # [vocab_size]


def probabilities(logits, *, temperature=1.0, top_k=0, top_p=1.0):
    """What the next token is drawn from.

    Parameters
    ----------
    logits : array [..., vocab_size]
    temperature : float, 0 or more
        0 gives everything to the largest logit (the first of equal ones).
    top_k : int
        0 keeps all. Equals of the k-th stay too.
    top_p : float, 0 to 1
        The token that crosses the share stays, so that one always does.

    Returns
    -------
    array [..., vocab_size]

    Examples
    --------
    >>> probabilities(np.log(np.array([0.5, 0.3, 0.2])), top_k=2).round(3)
    array([0.625, 0.375, 0.   ])
    """
    temperature = finite("temperature", temperature, least=0)
    top_k, top_p = whole("top_k", top_k, least=0), finite("top_p", top_p, least=0, most=1)
    if temperature == 0:
        return see("probabilities", (np.arange(logits.shape[-1]) == logits.argmax(-1)[..., None]).astype(logits.dtype))
    logits = logits / temperature
    if 0 < top_k < logits.shape[-1]:
        least = np.sort(logits, axis=-1)[..., -top_k, None]
        logits = np.where(logits < least, -np.inf, logits)
    if top_p < 1:
        order = np.argsort(logits, axis=-1, kind="stable")  # least likely first
        share = softmax(np.take_along_axis(logits, order, -1)).cumsum(-1)
        drop = (share <= 1 - top_p) & (np.arange(logits.shape[-1]) < logits.shape[-1] - 1)
        logits = np.where(np.take_along_axis(drop, np.argsort(order, axis=-1), -1), -np.inf, logits)
    return see("probabilities", softmax(logits))


def generate(read, ids, steps, *, temperature=0.0, top_k=0, top_p=1.0, seed=0, eos=None, forced_eos=None, most=None):
    """Yield one ``Chosen`` after the other, as soon as it is chosen; greedy unless ``temperature`` is given.

    Parameters
    ----------
    read : callable, integer array [n] -> logits [vocab_size]
        Reads on: gets the text first, then each new token alone.
    ids : integer array [n]
        The text to go on with.
    steps : int
        How many tokens at most.
    temperature, top_k, top_p
        As for ``probabilities``.
    seed : int
        The same seed draws the same text.
    eos : int, optional
        The token that ends the text; it is yielded.
    forced_eos : int, optional
        The token that the last step gives, whatever the logits say (BART).
    most : int, optional
        How long the model's text may become; it stops there.
    """
    steps, rng = whole("steps", steps, least=0), np.random.default_rng(whole("seed", seed, least=0))
    if ids.ndim != 1:
        raise ValueError(f"ids=array of shape {ids.shape} is not one text: give one row of tokens")
    if most is not None and len(ids) > most:
        raise ValueError(f"ids=array of shape {ids.shape} is longer than the model's {most} positions: shorten it")
    return _tokens(read, ids, steps, rng, (temperature, top_k, top_p), eos, forced_eos, most)


def _tokens(read, ids, steps, rng, how, eos, forced_eos, most):
    temperature, top_k, top_p = how
    length = len(ids)
    for step in range(steps):
        if most is not None and length > most:  # the last token has no position any more
            return
        with scope(f"step.{step}"):
            logits = read(ids)
            if forced_eos is not None and step == steps - 1:
                logits = np.where(np.arange(len(logits)) == forced_eos, logits.dtype.type(0), -np.inf)
            shares = probabilities(logits, temperature=temperature, top_k=top_k, top_p=top_p)
            token = int(shares.argmax()) if temperature == 0 else _draw(shares, rng)
        yield Chosen(token, float(shares[token]), shares, logits)
        if token == eos:
            return
        ids = np.array([token])
        length += 1


def _draw(shares, rng):
    """The token in whose interval of the cumulative shares a random number falls."""
    cumulative = shares.cumsum(dtype=np.float64)
    return int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))
