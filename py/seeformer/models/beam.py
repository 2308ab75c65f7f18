"""Beam search: several texts grow side by side, and the best in total wins (Graves 2012; Wu et al. 2016, section 7).

A text's score is the sum of its tokens' log-probabilities; a finished one's is divided by length^length_penalty, for
every token costs and short texts would always win. Which candidates count, and when the search may stop, is what
``transformers`` 5 does (``_beam_search`` in its generation), so that the same texts come out.
"""

from typing import NamedTuple

import numpy as np

from ..checks import finite, whole
from ..trace import scope, see
from .embeddings import whole_numbers

IMPOSSIBLE = -1e9


class Beams(NamedTuple):
    """One step of the search."""

    tokens: np.ndarray  # [num_beams, length]: the texts that go on, best first
    scores: np.ndarray  # [num_beams]: sums of log-probabilities
    parents: np.ndarray  # [num_beams]: which text of the step before each goes on from
    finished: tuple  # of Hypothesis, best first; at most num_beams


class Hypothesis(NamedTuple):
    tokens: tuple  # of int; what went in is included
    score: float


def beam_search(read, ids, steps, **options):
    """The finished texts, best first: ``tuple`` of Hypothesis. Arguments as for ``beam_steps``."""
    finished = ()
    for beams in beam_steps(read, ids, steps, **options):
        finished = beams.finished
    return finished


def beam_steps(
    read, ids, steps, *, reorder, num_beams=4, length_penalty=1.0, early_stopping=False, eos=None, forced_eos=None
):
    """Yield the ``Beams`` after each step.

    Parameters
    ----------
    read : callable, integer array [num_beams, n] -> logits [num_beams, vocab_size]
        Reads on: gets the text first, then each beam's new token alone.
    ids : integer array [n]
        What every text begins with.
    steps : int, 1 or more
        How many tokens at most.
    reorder : callable, integer array [num_beams] -> None
        What ``read`` remembers of beam i is from now on that of beam rows[i].
    num_beams : int
    length_penalty : float
        Above 0 favours long texts, below 0 short ones.
    early_stopping : bool or "never"
        True: stop as soon as num_beams texts are finished. False: when the best that goes on, finished now, would be
        no better than the worst finished. "never": when it could not become better at any length.
    eos, forced_eos : int, optional
        The token that ends a text; the one that the last step gives in any case.
    """
    steps, num_beams = whole("steps", steps, least=1), whole("num_beams", num_beams, least=1)
    length_penalty, ids = finite("length_penalty", length_penalty), whole_numbers("ids", ids)
    if early_stopping not in (True, False, "never"):
        raise ValueError(f'early_stopping={early_stopping!r} is unknown: use True, False or "never"')
    if ids.ndim != 1:
        raise ValueError(f"ids=array of shape {ids.shape} is not one text: give one row of tokens")

    tokens, finished = np.tile(ids, (num_beams, 1)), []
    scores, new = np.array([0] + [IMPOSSIBLE] * (num_beams - 1), np.float32), tokens
    for step in range(1, steps + 1):
        with scope(f"step.{step - 1}"):
            logs = see("log_probabilities", log_softmax(read(new)))  # [num_beams, vocab_size]
        if forced_eos is not None and step == steps:
            logs = np.where(np.arange(logs.shape[-1]) == forced_eos, np.float32(0), -np.inf)
        sums, parents, chosen = _best(logs + scores[:, None], 2 * num_beams)
        ended = np.full(len(chosen), step == steps) | (chosen == eos)
        texts = np.concatenate([tokens[parents], chosen[:, None]], axis=1)
        done = [place for place in range(num_beams) if ended[place]]  # the other half only replaces what ended
        finished += [Hypothesis(tuple(map(int, texts[i])), float(sums[i] / step**length_penalty)) for i in done]
        finished = sorted(finished, key=lambda one: -one.score)[:num_beams]

        sums = np.where(ended, sums + IMPOSSIBLE, sums)
        kept = np.argsort(-sums, kind="stable")[:num_beams]
        tokens, scores, parents, new = texts[kept], sums[kept], parents[kept], chosen[kept, None]
        yield Beams(tokens, scores, parents, tuple(finished))

        longest = steps if early_stopping == "never" and length_penalty > 0 else step
        full = len(finished) == num_beams
        hopeless = full and scores[0] / longest**length_penalty <= finished[-1].score
        if hopeless or (full and early_stopping is True) or ended.all():
            return
        reorder(parents)


def log_softmax(logits):
    """log of softmax along the last axis, without the rounding of a softmax in between."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def _best(totals, count):
    """The ``count`` largest entries of [num_beams, vocab_size]: (values, rows, columns)."""
    flat = totals.reshape(-1)
    order = np.argsort(-flat, kind="stable")[:count]
    return flat[order], order // totals.shape[-1], order % totals.shape[-1]
