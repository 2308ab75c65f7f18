"""The KV cache: a decoder that goes on with a text need not read again what it has read.

A position's keys and values depend on nothing that comes later, so they are computed once and kept. A new token then
costs one query against n keys, O(n), instead of n queries against n keys.
"""

import numpy as np

from ..attention import merge_heads, scaled_dot_product_attention, split_heads
from ..trace import see


class Cache:
    """For each layer what it has read: ``{"self": (K, V), "cross": (K, V)}``, each [..., h, n, d_k].

    Arrays are replaced, never written into: what a trace recorded stays true, and a copy of the dicts is a branch.
    """

    def __init__(self, num_layers):
        self.layers = [{} for _ in range(num_layers)]

    @property
    def length(self):
        """How many positions it has read."""
        kept = self.layers[0].get("self") if self.layers else None
        return 0 if kept is None else kept[0].shape[-2]

    def select(self, rows):
        """Go on from these rows of the batch (axis 0), in this order: beam search. What is crossed over to stays."""
        for layer in self.layers:
            if "self" in layer:
                layer["self"] = tuple(values[rows] for values in layer["self"])


def attention_with_cache(
    X,
    W_Q,
    W_K,
    W_V,
    W_O,
    num_heads,
    kept,
    *,
    b_Q=None,
    b_K=None,
    b_V=None,
    b_O=None,
    context=None,
    mask=None,
    scale=None,
):
    """``multi_head_attention`` of new positions X that also sees the old ones, or a context read before.

    Parameters
    ----------
    X : array [..., n, d_model]
    kept : dict
        One layer of a ``Cache``: the new keys and values are put behind the old. Those of ``context`` are computed at
        the first call and used from then on.
    mask : array, optional
        Additive, broadcast against [..., h, n, all positions].

    Returns
    -------
    array [..., n, d_model]
    """
    Q = see("Q", split_heads(_project(X, W_Q, b_Q), num_heads))  # [..., h, n, d_k]
    name, source = ("self", X) if context is None else ("cross", context)
    if name == "self" or name not in kept:
        new = tuple(split_heads(_project(source, W, b), num_heads) for W, b in ((W_K, b_K), (W_V, b_V)))
        old = kept.get(name)
        kept[name] = new if old is None else tuple(np.concatenate(pair, axis=-2) for pair in zip(old, new, strict=True))
    K, V = kept[name]
    heads = scaled_dot_product_attention(Q, see("K", K), see("V", V), mask=mask, scale=scale)  # [..., h, n, d_v]
    return see("output", _project(see("concat", merge_heads(heads)), W_O, b_O))


def _project(x, W, b):
    return x @ W if b is None else x @ W + b
