"""What the arithmetic of the BERT lab's cells is made of: parts of the pass, and the parameters that made them."""

import numpy as np

from ..model_view import stacked
from ..trace import see

NORM = ("before", "mean", "variance")  # what a norm is made of, by the names of the kernel


def embedded(seen, model):
    """Word + segment + position = sum, and the norm of it, for each token: arrays [n, d_model]."""
    parts = {"word": "word", "segment": "segment", "positions": "position", "sum": "sum", "embedding": "output"}
    seen.need(*(f"embeddings.{part}" for part in parts.values()))
    found = {name: see(name, seen[f"embeddings.{part}"]) for name, part in parts.items()}
    return found | _normed("embedding", [seen_norm(seen, "embeddings.norm.")], ["bert.embeddings"], model, first=True)


def vector_path(seen, model, place):
    """The numbers of the norm that a token's vector came out of, behind each layer: [L + 1, d_model] and [L + 1, 1]."""
    layers = range(len(model.layers["encoder"]))
    norms = [seen_norm(seen, at) for at in ("embeddings.norm.", *(f"encoder.{layer}.ffn.norm." for layer in layers))]
    norms = [norm and {name: values[place] for name, values in norm.items()} for norm in norms]
    files = ["bert.embeddings", *(f"bert.encoder.layer.{layer}.output" for layer in layers)]
    return _normed("stream", norms, files, model)


def seen_norm(seen, at):
    """None if an edited kernel names its steps no longer."""
    return {name: seen[at + name] for name in NORM} if all(at + name in seen for name in NORM) else None


def _normed(of, norms, files, model, first=False):
    if None in norms:
        return {}
    take = (lambda each: each[0]) if first else np.stack
    found = {f"{of}_{name}": take([norm[name] for norm in norms]) for name in NORM}
    for name, stored in (("gamma", "weight"), ("beta", "bias")):
        found[f"{of}_{name}"] = take([model.weights[f"{file}.LayerNorm.{stored}"] for file in files])
    return found | {"eps": model.config.layer_norm_eps}


def of_head(seen, model, stream, layer, head):
    """What enters a head (``entering`` [n, d_model]), its own columns of W_Q, W_K and W_V; the steps of all heads."""
    attention = model.layers["encoder"][layer].self_attention
    d_k = len(attention.weights["W_Q"]) // attention.num_heads
    columns = slice(head * d_k, (head + 1) * d_k)
    found = {"entering": stream[layer]}
    for name in "QKV":
        found |= {
            f"W_{name}": attention.weights[f"W_{name}"][:, columns],
            f"b_{name}": attention.weights[f"b_{name}"][columns],
        }
    steps = [name for name in ("masked", "peak", "exp", "total") if f"encoder.0.self.{name}" in seen]
    layers = len(model.layers["encoder"])
    found |= {f"{name}_all": stacked(seen, layers, f"self.{name}", stack="encoder") for name in steps}
    return found


def sentence_vector(model, vectors):
    """What stands for the whole text: the pooler's vector of [CLS], and what that is made of; {} without a pooler."""
    if not model.has_pooler:
        return {}
    W, b = (model.weights[f"bert.pooler.dense.{name}"] for name in ("weight", "bias"))
    return {"cls": see("cls", vectors[0]), "pooled": see("pooled", model.pool(vectors)), "W_pool": W.T, "b_pool": b}
