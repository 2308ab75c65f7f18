"""GPT on a text of one's own: every head of every layer, what it predicts, and how it goes on writing.

The weights are random until others are chosen (gpt_model.py), so what is predicted means nothing. What holds for a
trained model as well: who can see whom, what the heads, the residual stream and the cache are, and what a change of
any of them does to the prediction.
"""

import math
from functools import lru_cache

import numpy as np

from ..attention import softmax
from ..checks import finite, flag, whole
from ..model_view import (
    candidates,
    compared,
    hidden_states,
    logit_lens,
    one_head,
    positions,
    silenced,
    stacked,
)
from ..models.ablation import without_heads
from ..models.sampling import probabilities
from ..trace import apart, see, trace
from .gpt_model import MOST_STEPS, choose
from .gpt_writing import cached, pairs, written

TOP = 8  # candidates that are shown
LENS = 3
MOST_SILENCED = 48  # heads that are silenced one after the other: each is a pass of its own


def run(
    *,
    prompt="床前明月光，疑是地上",
    num_layers=3,
    num_heads=4,
    d_model=48,
    seed=0,
    spread=0.2,
    position=0,
    layer=1,
    head=1,
    ablated=(),
    hidden=(),
    temperature=1.0,
    top_k=0,
    top_p=1.0,
    draw=0,
    steps=24,
    generate=False,
    checkpoint="",
    ids=(),
):
    """One forward pass over the prompt, and the text that follows if it is asked for.

    Parameters
    ----------
    prompt : str, 1 to 96 characters
    num_layers, num_heads, d_model, seed : int
    spread : float
        Standard deviation of the random matrices; GPT-2 begins its training with 0.02.
    position : int
        Which token is looked at, counted from 1; 0, and any beyond the end, is the last.
    layer, head : int
        Which head is enlarged, counted from 1; beyond the end, the last.
    ablated : list of str
        Heads that are silenced, by the names of the trace: "decoder.0.self.3". Those the model lacks are left out.
    hidden : list of str
        Places, counted from 0, of tokens that no other may look at.
    temperature, top_k, top_p
        See ``sampling.probabilities``; temperature 0 takes the likeliest.
    draw : int
        Seed of the drawing.
    steps : int
        How many tokens are written.
    generate : bool
        Whether it writes. Then this is a generator that yields after each token.
    checkpoint : str
        A model of the reader's, by the name under which it was brought; "": random weights of the sizes above.
    ids : list of int
        The prompt's tokens in its vocabulary.

    Returns
    -------
    dict
    """
    sizes = {"num_layers": num_layers, "num_heads": num_heads, "d_model": d_model, "seed": seed, "spread": spread}
    chosen = choose(prompt, **sizes, checkpoint=checkpoint, ids=ids)
    how = {
        "temperature": finite("temperature", temperature, least=0, most=100),
        "top_k": whole("top_k", top_k, least=0),
        "top_p": finite("top_p", top_p, least=0, most=1),
    }
    n = len(chosen.ids)
    place = min(whole("position", position, least=0) or n, n) - 1
    layer = min(whole("layer", layer, least=1), len(chosen.model.layers["decoder"])) - 1
    head = min(whole("head", head, least=1), chosen.model.config.n_head) - 1
    quiet, unseen = silenced(ablated, chosen.model), positions("hidden", hidden, n)
    model = without_heads(chosen.model, quiet)

    with trace() as seen:
        logits = model.forward(chosen.ids, attention_mask=_mask(n, unseen))
    shown = _facts(chosen, place, layer, head, quiet, unseen)
    shown |= _pass(model, chosen.names, seen, place, layer, head)
    shown |= _predicted(chosen.names, logits, place, how)
    shown |= _changed(chosen, logits[place], place, bool(quiet or unseen))
    shown |= _effects(chosen.model, tuple(chosen.ids[: place + 1]), tuple(quiet), tuple(unseen))
    steps, draw = whole("steps", steps, least=1, most=MOST_STEPS), whole("draw", draw, least=0)
    shown |= cached(shown, shown["K"], shown["V"]) | pairs(chosen.model, n, steps)
    if not flag("generate", generate):
        return shown
    return (shown | more for more in written(model, chosen, steps, draw, how, layer, head))


def _mask(n, unseen):
    return (~np.isin(np.arange(n), unseen)).astype(int) if unseen else None


def _facts(chosen, place, layer, head, quiet, unseen):
    config = chosen.model.config
    return {
        "tokens": [chosen.names[token] for token in chosen.ids],
        "ids": chosen.ids,
        "n": len(chosen.ids),
        "vocab_size": len(chosen.names),
        "num_layers": config.n_layer,
        "num_heads": config.n_head,
        "d_model": config.n_embd,
        "d_k": config.n_embd // config.n_head,
        "scale": 1 / math.sqrt(config.n_embd // config.n_head),
        "parameters": chosen.model.parameter_count(),
        "place": place,
        "layer": layer,
        "head": head,
        "silenced": np.array([(at, number) for _, at, _, number in quiet]).reshape(-1, 2),
        "hidden_tokens": np.array(unseen, dtype=int),
    }


def _pass(model, names, seen, place, layer, head):
    """What the one pass is made of."""
    layers = model.config.n_layer
    weights = see("weights", stacked(seen, layers, "self.weights"))  # [L, h, n, n]
    stream = hidden_states(seen, layers)  # [L + 1, n, d_model]
    _, shares, texts = logit_lens(model, stream, names, LENS)
    reads = weights[:, :, place].reshape(-1, weights.shape[-1])
    return {
        "weights": weights,
        **one_head(seen, layer, head),
        "reads": see("reads", reads),
        "reads_names": [f"{at + 1}·{number + 1}" for at in range(layers) for number in range(model.config.n_head)],
        "stream": see("stream", stream[:, place]),
        "stream_names": [str(at) for at in range(layers + 1)],
        "norms": see("norms", np.linalg.norm(stream, axis=-1)),
        "lens_probabilities": see("lens_probabilities", shares),
        "lens_texts": texts,
    }


def _predicted(names, logits, place, how):
    """What comes next, after each token and after the one that is looked at."""
    _, shares, texts = candidates(logits, names, 1)
    ids, own, own_texts = candidates(logits[place], names, TOP)
    with apart():
        drawn = probabilities(logits[place], **how)
    return {
        "next_texts": texts,
        "next_probabilities": see("next_probabilities", shares[:, 0]),
        "texts": own_texts,
        "probabilities": see("probabilities", own),
        "drawn": see("drawn", drawn[ids]),
        "left": int((drawn > 0).sum()),
    }


@lru_cache(maxsize=1)  # the sliders of the sampling change none of it
def _effects(model, ids, quiet, unseen):
    """[L, h]: what share of the prediction moves when one more head is silenced. What comes later changes nothing."""
    layers, heads = model.config.n_layer, model.config.n_head
    if layers * heads > MOST_SILENCED:
        return {}
    each = [[*quiet, ("decoder", layer, "self", head)] for layer in range(layers) for head in range(heads)]
    options = {"attention_mask": _mask(len(ids), unseen), "last": True}
    with apart():
        logits = [without_heads(model, heads).forward(np.array(ids), **options)[-1] for heads in [quiet, *each]]
    shares = softmax(np.array(logits))
    moved = abs(shares[1:] - shares[0]).sum(axis=-1) / 2
    return {"effects": moved.reshape(layers, heads)}


def _changed(chosen, after, place, is_changed):
    """What the silenced heads and hidden tokens did to the prediction."""
    if not is_changed:
        return {"moved": 0.0}
    with apart():
        before = chosen.model.forward(chosen.ids)[place]
    told = compared(before, after, chosen.names, TOP)
    return {f"compared_{name}" if name != "moved" else name: value for name, value in told.items()}
