"""ViT on a picture of one's own: cut into patches, read as a row of vectors, judged by one class token.

The weights are random until others are chosen (vit_model.py), so what the model says of a picture means nothing. How
the picture becomes vectors, what every head of every layer does with them, and what hiding, silencing and shuffling
change, is computed as in a trained one.
"""

from functools import lru_cache

import numpy as np

from ..checks import whole
from ..drawings import DRAWINGS, drawn, pixels_of, written
from ..model_view import hidden_states, one_head, positions, renormalised, silenced, stacked
from ..models.ablation import without_heads
from ..models.vit import PATCHES
from ..sentence import word_order
from ..trace import apart, see, trace
from .vit_answer import answered
from .vit_model import choose

START = tuple(written(drawn("three", 8)))


def run(
    *,
    picture=START,
    patch_size=2,
    num_layers=4,
    num_heads=4,
    d_model=32,
    spread=0.2,
    seed=0,
    positional=True,
    shuffle=0,
    layer=1,
    head=1,
    query=0,
    ablated=(),
    hidden=(),
    checkpoint="",
):
    """One forward pass, and beside it the same without what the reader changed.

    Parameters
    ----------
    picture : list of str
        A string a row, a sign a pixel, "0" (paper) to "f" (ink); as many rows as signs in a row.
    patch_size : int
        Pixels along a side of a patch; must divide the picture's side.
    num_layers, num_heads, d_model, seed : int
    spread : float
        Standard deviation of the random weights; 0.02 is what training starts from.
    positional : bool
        Whether the position vectors are added.
    shuffle : int
        0 leaves the picture; k > 0 lays its patches out in another order, by seed k.
    layer, head : int
        Which head is followed step by step, counted from 1; beyond the end, the last.
    query : int
        The token whose row of weights is laid over the picture: 0 is the class token, patches follow row by row.
    ablated : list of str
        Heads that add nothing, such as "encoder.0.self.3".
    hidden : list of str
        Tokens that nobody may look at, by number.
    checkpoint : str
        A model of the reader's, by the name under which it was brought, which gets the picture at its own size; "":
        random weights of the sizes above.

    Returns
    -------
    dict
    """
    drawing = pixels_of("picture", picture)
    chosen = choose(drawing, checkpoint, patch_size, num_layers, num_heads, d_model, spread, seed, positional)
    model, config = chosen.model, chosen.model.config
    n = (config.image_size // config.patch_size) ** 2 + 1
    layer = min(whole("layer", layer, least=1), config.num_hidden_layers) - 1
    head = min(whole("head", head, least=1), config.num_attention_heads) - 1
    query = min(whole("query", query, least=0), n - 1)
    hidden, off = positions("hidden", hidden, n), silenced(ablated, model)
    shown = shuffled(chosen.picture, config.patch_size, whole("shuffle", shuffle, least=0))
    with trace() as seen:
        see("picture", shown)
        quiet = without_heads(model, off)
        vectors = quiet.hidden(chosen.pixels(shown), attention_mask=_visible(n, hidden))
        logits = quiet.logits(vectors) if model.has_head else None
    seen.need(*(f"embeddings.{name}" for name in ("patches", "projected", "class", "position", "output")))
    facts = {
        "drawn": len(drawing),
        "size": config.image_size,
        "num_channels": config.num_channels,
        "side": config.image_size // config.patch_size,
        "n": n,
        "patch_size": config.patch_size,
        "d_model": config.hidden_size,
        "num_heads": config.num_attention_heads,
        "d_k": config.hidden_size // config.num_attention_heads,
        "num_layers": config.num_hidden_layers,
        "layer": layer,
        "head": head,
        "query": query,
        "hidden_tokens": np.array(hidden, dtype=int),
        "silenced": np.array([[at, which] for _, at, _, which in off]).reshape(-1, 2),
        "scale": (config.hidden_size // config.num_attention_heads) ** -0.5,
        "parameters": model.parameter_count(),
    }
    states = hidden_states(seen, facts["num_layers"], stack="encoder")  # [L + 1, n, d_model]
    return {
        **facts,
        **_names(facts),
        **_embedding(model, seen),
        **_heads(seen, facts, shown),
        "norms": np.linalg.norm(states, axis=-1),
        "stream": states[:, query],
        **answered(chosen, logits, states, changed=bool(off or hidden or shuffle)),
        **(_hiding(model, off, chosen.pixels(shown), seen, facts) if hidden else {}),
    }


def shuffled(pixels, patch_size, seed):
    """The picture with its patches in another order; 0 leaves them."""
    side = len(pixels) // patch_size
    patches = pixels.reshape(side, patch_size, side, patch_size).swapaxes(1, 2).reshape(-1, patch_size, patch_size)
    patches = patches[word_order(len(patches), seed)].reshape(side, side, patch_size, patch_size)
    return patches.swapaxes(1, 2).reshape(pixels.shape)


def _visible(n, hidden):
    """1 for what may be looked at; None, if that is all."""
    return (~np.isin(np.arange(n), hidden)).astype(int) if hidden else None


# What is shown


def _names(facts):
    """Labels of rows and columns, and the pictures that a reader can begin with."""
    numbers = [str(at + 1) for at in range(facts["side"])]
    return {
        "tokens": ["CLS", *(f"{row}·{col}" for row in numbers for col in numbers)],
        "patch_names": [f"{row}·{col}" for row in numbers for col in numbers],
        "numbers": numbers,
        "stream_names": [str(at) for at in range(facts["num_layers"] + 1)],
        "drawing_names": list(DRAWINGS),
        "drawings": _drawings(facts["drawn"]),
    }


@lru_cache
def _drawings(size):
    return [",".join(written(drawn(name, size))) for name in DRAWINGS]


def _embedding(model, seen):
    """From the picture to X: the patches as a grid and as rows, the linear map, the class token, the positions."""
    size, picture = model.config.patch_size, seen["picture"]
    side = len(picture) // size
    return {
        "picture": picture,
        "cut": picture.reshape(side, size, side, size).swapaxes(1, 2),
        "patches": seen["embeddings.patches"],
        "W_patch": model.weights[f"{PATCHES}.weight"].reshape(model.config.hidden_size, -1).T,
        "b_patch": model.weights[f"{PATCHES}.bias"],
        "projected": seen["embeddings.projected"],
        "embedding": np.concatenate([seen["embeddings.class"], seen["embeddings.projected"]]),
        "position": seen["embeddings.position"],
        "X": seen["embeddings.output"],
    }


def _heads(seen, facts, picture):
    """Every head's weights, the chosen one step by step, and what they are on the picture."""
    layers, layer, head, query, side = (facts[name] for name in ("num_layers", "layer", "head", "query", "side"))
    weights = stacked(seen, layers, "self.weights", stack="encoder")  # [L, h, n, n]
    looks = weights[:, :, query, 1:].reshape(*weights.shape[:2], side, side)
    look = looks[layer, head]
    by_pixel = look.repeat(facts["patch_size"], axis=0).repeat(facts["patch_size"], axis=1)
    peak = look.max()
    return {
        "weights": weights,
        **one_head(seen, layer, head, stack="encoder"),
        "looks": looks,
        "to_class": weights[:, :, query, 0],
        "look": look,
        "look_peak": peak,
        "overlay": picture * by_pixel / (peak or 1),
        "rollout": rollout(weights)[query, 1:].reshape(side, side),
    }


def rollout(weights):
    """How much of each token is in each at the end, if values only mixed: [L, h, n, n] -> [n, n].

    Abnar and Zuidema 2020: the residual connection counts as half, the mean of the heads as the other half, and layers
    multiply.
    """
    total = np.eye(weights.shape[-1])
    for mixing in weights.mean(axis=1):
        total = (mixing + np.eye(len(total))) / 2 @ total
    return total


def _hiding(model, off, pixels, seen, facts):
    """The chosen head before tokens were hidden, its rows without them brought back to 1, and how far that holds."""
    with apart(), trace() as whole_pass:
        without_heads(model, off).hidden(pixels)
    layers, layer, head = (facts[name] for name in ("num_layers", "layer", "head"))
    before, after = (stacked(each, layers, "self.weights", stack="encoder") for each in (whole_pass, seen))
    expected = renormalised(before, facts["hidden_tokens"])
    return {
        "unhidden": before[layer, head],
        "renormalised": expected[layer, head],
        "gaps": abs(expected - after).max(axis=(1, 2, 3)),  # [L]
    }
