"""A model with some of its heads silenced: does anything change?"""

from copy import copy
from dataclasses import replace

import numpy as np

from ..checks import whole

KINDS = {"self": "self_attention", "cross": "cross_attention"}


def without_heads(model, heads):
    """The same model, in which these heads add nothing to the residual stream.

    A head reaches it by its own rows of W_O alone, so that those are 0 here, in a copy of that one matrix; everything
    else is shared. The attention itself is still computed, and can still be looked at.

    Parameters
    ----------
    model : Model
    heads : iterable of (stack, layer, kind, head)
        E.g. ``("encoder", 0, "self", 3)``, as in the name ``encoder.0.self.weights``; kind is "self" or "cross".

    Returns
    -------
    Model

    Raises
    ------
    ValueError
        If the model has no such head.
    """
    changed = copy(model)
    changed.layers = {stack: list(layers) for stack, layers in model.layers.items()}
    for stack, layer, kind, head in heads:
        layers = changed.layers.get(stack)
        attention = layers and getattr(
            layers[whole("layer", layer, least=0, most=len(layers) - 1)], KINDS.get(kind, ""), None
        )
        if attention is None:
            raise ValueError(f"heads={(stack, layer, kind, head)!r} is not in this model: use one that see() has named")
        head = whole("head", head, least=0, most=attention.num_heads - 1)
        W_O = attention.weights["W_O"]
        of_head = np.arange(W_O.shape[0]) // (W_O.shape[0] // attention.num_heads)
        silenced = attention.weights | {"W_O": W_O * (of_head != head).astype(W_O.dtype)[:, None]}
        layers[layer] = replace(layers[layer], **{KINDS[kind]: replace(attention, weights=silenced)})
    return changed
