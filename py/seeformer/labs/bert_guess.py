"""What the BERT lab's model holds to be at a place; nothing, if its weights have no head for that."""

import numpy as np

from ..attention import softmax
from ..model_view import candidates, logit_lens
from ..models.ablation import without_heads
from ..trace import apart, see

TOP = 8  # candidates that are shown
LENS = 3
MOST_SILENCED = 48  # heads that are silenced one after the other: each is a pass of its own


def guessed(model, logits, stream, names, place):
    """The likeliest words at a place, and what the model would say after each layer, everywhere."""
    _, shares, texts = candidates(logits[place], names, TOP)
    _, lens, lens_texts = logit_lens(model, stream, names, LENS)
    return {
        "texts": texts,
        "probabilities": see("probabilities", shares),
        "best": shares[0],
        "even": 1 / len(names),
        "lens_probabilities": see("lens_probabilities", lens),
        "lens_texts": lens_texts,
    }


def effects(model, ids, given, before, place):
    """[L, h]: what share of the prediction moves when a head alone is silenced."""
    layers = model.layers["encoder"]
    heads = layers[0].self_attention.num_heads
    if len(layers) * heads > MOST_SILENCED:
        return {}
    names = [[("encoder", layer, "self", head)] for layer in range(len(layers)) for head in range(heads)]
    with apart():
        after = np.array([without_heads(model, each).forward(ids, **given)[place] for each in names])
    moved = abs(softmax(after) - softmax(before)).sum(axis=-1) / 2
    return {"effects": see("effects", moved.reshape(len(layers), heads))}
