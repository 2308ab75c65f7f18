"""What the ViT lab's model says of a picture; nothing, if its weights have no classifier."""

import numpy as np

from ..attention import softmax
from ..model_view import compared
from ..trace import apart

FEW = 16  # classes that are all shown; of more only the likeliest
TOP = 10


def answered(chosen, logits, states, changed):
    """A probability for each class that is shown, now and after each layer; and as it was before a change."""
    if logits is None:
        return {}
    ids = np.arange(len(logits)) if len(logits) <= FEW else np.argsort(-logits, kind="stable")[:TOP]
    shares = softmax(logits)
    found = {
        "labels": [chosen.labels[each] for each in ids],
        "num_labels": len(logits),
        "logits": logits[ids],
        "probabilities": shares[ids],
        "top": chosen.labels[int(logits.argmax())],
        "top_share": shares.max(),
    }
    return found | _lens(chosen.model, states, ids) | (_moved(chosen, logits, ids) if changed else {})


def _lens(model, states, ids):
    """What the class token would say after each layer; ``lens_total`` is the sum over all classes."""
    with apart():
        logits = model.lens(states)
    peak = logits.max(axis=-1, keepdims=True)
    total = np.exp(logits - peak).sum(axis=-1, keepdims=True)
    shown = {"lens_logits": logits[:, ids], "lens": softmax(logits)[:, ids]}
    return shown | {"lens_peak": peak, "lens_total": total}


def _moved(chosen, logits, ids):
    """The scores of the whole model for the whole picture, and how far those of now are from them."""
    with apart():
        before = chosen.model.forward(chosen.pixels(chosen.picture))
    change = compared(before, logits, chosen.labels)
    far = abs(logits - before).max()
    rounding = 1e4 * np.finfo(logits.dtype).eps * max(1, abs(before).max())
    return {
        "logits_before": before[ids],
        "before": softmax(before)[ids],
        "logit_change": far,
        "unmoved": bool(far < rounding),
        "moved": change["moved"],
        "moved_percent": 100 * change["moved"],
        "top_before": change["top_before"],
    }
