"""What changes do: a word to the vectors of the others, hidden tokens and silenced heads to the prediction."""

import numpy as np

from ..model_view import compared, one_head, renormalised
from ..trace import apart, see, trace


def reach(bert, gpt, ids, others, given):
    """How far the last layer's vector at place i (rows) moves when the token at place j (columns) becomes another.

    Parameters
    ----------
    bert, gpt : Model
    ids, others : integer array [n]
        The tokens, and what each is changed into.
    given : dict
        segments and attention_mask of BERT; GPT has the mask alone.

    Returns
    -------
    dict
        ``reach`` [n, n] of BERT and ``reach_gpt`` [n, n]: Euclidean distances.
    """
    n = len(ids)
    texts = np.vstack([np.where(np.eye(n, dtype=bool), others, ids), ids])  # text j has token j changed, the last none
    segments, mask = (np.broadcast_to(given[name], texts.shape) for name in ("segments", "attention_mask"))
    with apart(), trace() as seen:
        both_ways = bert.hidden(texts, segments=segments, attention_mask=mask)
        gpt.forward(texts, attention_mask=mask)
    return {
        "reach": see("reach", _distances(both_ways)),
        "reach_gpt": see("reach_gpt", _distances(seen["decoder.output"])),
    }


def _distances(vectors):
    """[n + 1, n, d_model] -> [n, n]"""
    return np.sqrt(((vectors[:-1] - vectors[-1]) ** 2).sum(axis=-1)).T


def before_and_after(chosen, ids, after, attention, facts, most):
    """The prediction and the enlarged head as they were before heads were silenced and tokens hidden."""
    hidden = facts["hidden_tokens"]
    if not (len(hidden) or len(facts["silenced"])):
        return {"moved": 0.0}
    with apart(), trace() as seen:
        before = chosen.model.forward(ids, segments=chosen.segments, attention_mask=chosen.there)[facts["place"]]
        was = one_head(seen, facts["layer"], facts["head"], stack="encoder")["attention"]
    told = compared(before, after, chosen.names, most)
    found = {f"compared_{name}" if name != "moved" else name: value for name, value in told.items()}
    if len(hidden):
        rescaled = see("renormalised", renormalised(was, hidden))
        found["kept"] = np.delete(was, hidden, axis=-1).sum(axis=-1, keepdims=True)
        found |= {"attention_before": see("attention_before", was), "renormalised": rescaled}
        found |= {"difference": see("difference", attention - rescaled)}
    return found
