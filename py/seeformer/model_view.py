"""What there is to look at in one forward pass of a model, from the trace of it.

A trace holds each layer's arrays under a name of their own (``decoder.0.self.weights``); a picture of the whole model
wants them side by side. Here L is the number of layers, h of heads, n of queries (rows) and m of keys (columns).
Generic over the families: a model is asked for nothing but its ``layers`` and its ``lens``.
"""

import numpy as np

from .attention import softmax
from .checks import whole
from .trace import apart

# What a head passes through, in this order. Those that an edited kernel no longer names are left out.
STEPS = ("Q", "K", "V", "dots", "scores", "masked", "peak", "exp", "total", "weights", "heads")


def stacked(seen, layers, name, *, stack="decoder", prefix=""):
    """One array of every layer: [L, ...].

    Parameters
    ----------
    seen : Trace
        Of one text, without a batch axis.
    layers : int
    name : str
        What follows the layer's number, e.g. ``"self.weights"``, [L, h, n, m].
    stack : str
        ``"encoder"`` or ``"decoder"``.
    prefix : str
        What stands before it, e.g. ``"step.0."``.

    Raises
    ------
    ValueError
        If an edited kernel has lost its see().
    """
    names = [f"{prefix}{stack}.{layer}.{name}" for layer in range(layers)]
    seen.need(*names)
    return np.stack([seen[each] for each in names])


def hidden_states(seen, layers, *, stack="decoder", prefix=""):
    """The residual stream: what enters the first layer and what leaves each, [L + 1, n, d_model]."""
    start = f"{prefix}{stack}.embeddings.output"
    start = start if start in seen else f"{prefix}embeddings.output"  # of the models that are one stack
    seen.need(start)
    return np.concatenate([seen[start][None], stacked(seen, layers, "output", stack=stack, prefix=prefix)])


def one_head(seen, layer, head, *, stack="decoder", kind="self", prefix=""):
    """Every step of one head: name -> array, by the names of the kernel; Q [n, d_k], scores [n, m], heads [n, d_k].

    ``weights`` is called ``attention`` here, for a lab shows the weights of all heads under that name.
    """
    at = f"{prefix}{stack}.{layer}.{kind}."
    seen.need(f"{at}weights")
    found = {name: seen[at + name][head] for name in STEPS if at + name in seen}
    return {"attention" if name == "weights" else name: values for name, values in found.items()}


def candidates(logits, names, most=10):
    """The likeliest tokens.

    Parameters
    ----------
    logits : array [..., vocab_size]
    names : sequence of str
        The vocabulary: ``names[id]`` is the token's text.
    most : int
        How many; all, if there are no more.

    Returns
    -------
    ids : ndarray of int [..., k], likeliest first (equals: by number)
    probabilities : ndarray [..., k]
        Shares of the whole vocabulary: they sum to less than 1.
    texts : list of str
        Of ``ids``, flattened.
    """
    ids = _likeliest(logits, whole("most", most, least=1))
    return ids, np.take_along_axis(softmax(logits), ids, -1), [names[token] for token in ids.ravel()]


def _likeliest(logits, most):
    """Numbers of the largest [..., most], in order; only they are sorted, for a vocabulary may have fifty thousand."""
    size = logits.shape[-1]
    if size <= most or np.isnan(logits).any():  # what is no number goes last
        return np.argsort(-logits, axis=-1, kind="stable")
    rows = logits.reshape(-1, size)
    least = np.partition(rows, size - most, axis=-1)[:, size - most]
    found = [np.flatnonzero(row >= bound) for row, bound in zip(rows, least, strict=True)]  # equals, too: by number
    ids = [few[np.argsort(-row[few], kind="stable")[:most]] for few, row in zip(found, rows, strict=True)]
    return np.array(ids).reshape(*logits.shape[:-1], most)


def logit_lens(model, hidden, names, most=3):
    """What the model would say if it stopped after each layer: ``candidates`` of ``model.lens`` (nostalgebraist 2020).

    Parameters
    ----------
    model : Model
    hidden : array [L + 1, n, d_model]
        From ``hidden_states``.

    Returns
    -------
    ids, probabilities, texts
        [L + 1, n, k]; [L + 1, k] of a model that says one thing of the whole input (ViT).
    """
    with apart():  # the head runs once more for each layer, under the names of the pass itself
        told = [candidates(model.lens(each), names, most) for each in hidden]  # the logits of all would fill the memory
    ids, shares, texts = zip(*told, strict=True)
    return np.stack(ids), np.stack(shares), [text for some in texts for text in some]


def compared(before, after, names, most=10):
    """What a change of the model did to its prediction at one position.

    Parameters
    ----------
    before, after : array [vocab_size]
        Logits.

    Returns
    -------
    dict
        ``texts`` of the likeliest before and those of the likeliest after that are not among them, with their
        probabilities ``before`` and ``after``; ``moved``, the share of the probability that went elsewhere, 0 to 1
        (the total variation distance); ``top_before`` and ``top_after``.
    """
    old, new = softmax(before), softmax(after)
    first, last = (candidates(logits, names, most)[0] for logits in (before, after))
    ids = np.concatenate([first, last[~np.isin(last, first)]])
    return {
        "texts": [names[token] for token in ids],
        "before": old[ids],
        "after": new[ids],
        "moved": float(abs(old - new).sum() / 2),
        "top_before": names[first[0]],
        "top_after": names[last[0]],
    }


def renormalised(weights, hidden):
    """Weights [..., n, m] with some keys (int, sequence) hidden, each row brought back to a sum of 1.

    That is what −inf in the mask does where scores stay the same: in the first layer. What later layers make of it
    only a forward pass with the mask can tell. A row that saw nothing else gets zeros.
    """
    visible = ~np.isin(np.arange(weights.shape[-1]), hidden)
    left = weights * visible.astype(weights.dtype)
    total = left.sum(axis=-1, keepdims=True)
    return left / np.where(total == 0, 1, total)


def silenced(texts, model):
    """Heads as a page names them ("decoder.0.self.3"), for ``without_heads``; what the model lacks is left out."""
    found = []
    for text in texts:
        stack, layer, kind, head = (str(text).split(".") + [""] * 4)[:4]
        if not (layer.isdecimal() and head.isdecimal()):
            raise ValueError(f"ablated={text!r} is no head: use stack.layer.kind.head, such as 'decoder.0.self.3'")
        layers = model.layers.get(stack, ())
        attention = getattr(layers[int(layer)], f"{kind}_attention", None) if int(layer) < len(layers) else None
        if attention is not None and int(head) < attention.num_heads:
            found.append((stack, int(layer), kind, int(head)))
    return found


def positions(name, texts, n):
    """Places in a text of n tokens as a page names them ("0", "3"), as a sorted list of int; not those beyond it."""
    if not isinstance(texts, (list, tuple)) or not all(str(text).isdecimal() for text in texts):
        raise ValueError(f"{name}={texts!r} is no list of places: use one such as ['0', '3'], counted from 0")
    return sorted({int(text) for text in texts if int(text) < n})
