"""What changes do: a word to the vectors of the others, hidden tokens and silenced heads to the prediction."""

from functools import lru_cache

import numpy as np

from ..model_view import compared, one_head, renormalised
from ..models.ablation import without_heads
from ..trace import apart, see, trace

MOST_MULTIPLIED = 16e9  # numbers, for one picture: about a second


def reach(chosen, quiet, gpt, ids, others, visible):
    """How far the last layer's vector at place i (rows) moves when the token at place j (columns) becomes another.

    Parameters
    ----------
    chosen : Chosen
    quiet : list
        Heads of its model that are silenced, as ``without_heads`` takes them.
    gpt : Model or None
    ids, others : integer array [n]
        The tokens, and what each is changed into.
    visible : array [n]
        1 for a token that may be looked at, 0 for any other.

    Returns
    -------
    dict
        ``reach`` [n, n] of BERT and ``reach_gpt`` [n, n]: Euclidean distances; or ``unreached``, why there are none.
    """
    n = len(ids)
    if chosen.mask is None:
        return {"unreached": "mask"}
    if (n + 1) * n * _of_a_token(chosen.model.config) > MOST_MULTIPLIED:
        return {"unreached": "large"}
    rows = (tuple(row.tolist()) for row in (ids, others, chosen.segments, visible))
    return {name: see(name, distances) for name, distances in _reached(chosen.model, tuple(quiet), gpt, *rows).items()}


@lru_cache(maxsize=1)  # looking at another token or head changes none of it
def _reached(model, quiet, gpt, ids, others, segments, visible):
    n = len(ids)
    texts = np.vstack([np.where(np.eye(n, dtype=bool), others, ids), ids])  # text j has token j changed, the last none
    segments, mask = (np.broadcast_to(row, texts.shape) for row in (segments, visible))
    with apart(), trace() as seen:
        vectors = without_heads(model, quiet).hidden(texts, segments=segments, attention_mask=mask)
        found = {"reach": _distances(vectors)}
        if gpt is not None:
            gpt.forward(texts, attention_mask=mask)
            found["reach_gpt"] = _distances(seen["decoder.output"])
    return found


def _of_a_token(config):
    """How many weights a token is multiplied by on its way through the layers."""
    return config.num_hidden_layers * config.hidden_size * (4 * config.hidden_size + 2 * config.intermediate_size)


def _distances(vectors):
    """[n + 1, n, d_model] -> [n, n]"""
    return np.sqrt(((vectors[:-1] - vectors[-1]) ** 2).sum(axis=-1)).T


def before_and_after(chosen, ids, after, attention, facts, most):
    """The prediction (if there is one) and the enlarged head, before heads were silenced and tokens hidden."""
    hidden = facts["hidden_tokens"]
    if not (len(hidden) or len(facts["silenced"])):
        return {"moved": 0.0}
    with apart(), trace() as seen:
        before = chosen.model.forward(ids, segments=chosen.segments, attention_mask=chosen.there)[facts["place"]]
        was = one_head(seen, facts["layer"], facts["head"], stack="encoder")["attention"]
    found = {}
    if after is not None:
        told = compared(before, after, chosen.names, most)
        found = {f"compared_{name}" if name != "moved" else name: value for name, value in told.items()}
    if len(hidden):
        rescaled = see("renormalised", renormalised(was, hidden))
        found["kept"] = np.delete(was, hidden, axis=-1).sum(axis=-1, keepdims=True)
        found |= {"attention_before": see("attention_before", was), "renormalised": rescaled}
        found |= {"difference": see("difference", attention - rescaled)}
    return found
