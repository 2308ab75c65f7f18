"""BERT on a reader's own sentence, or two: what it makes of a place that is covered, and how it comes to that.

The weights are random until others are chosen (bert_model.py), so what is predicted means nothing. What holds for a
trained model as well: who can see whom, what segments, padding and [MASK] are, and what a change of any of them, or of
a head, does to the prediction.
"""

import math

import numpy as np

from ..attention import softmax
from ..checks import whole
from ..model_view import candidates, hidden_states, logit_lens, one_head, positions, silenced, stacked
from ..models.ablation import without_heads
from ..trace import apart, see, trace
from .bert_changes import before_and_after, reach
from .bert_model import choose, gpt_like
from .bert_parts import embedded, of_head, vector_path

TOP = 8  # candidates that are shown
LENS = 3
MOST_SILENCED = 48  # heads that are silenced one after the other: each is a pass of its own


def run(
    *,
    tokens=tuple("猫追老鼠"),
    second=tuple("老鼠躲猫"),
    blanks=("2",),
    position=0,
    layer=1,
    head=1,
    ablated=(),
    hidden=(),
    num_layers=3,
    num_heads=4,
    d_model=32,
    spread=0.2,
    seed=0,
    padding=0,
    vocabulary=tuple("猫狗鼠鸟鱼虎老小大追躲吃看爱跑睡的了，。"),
):
    """One forward pass, everything that there is to look at in it, and what changes did to the prediction.

    Parameters
    ----------
    tokens : list of str, 1 to 24
    second : list of str, 0 to 24
        A second sentence, which gets the other segment vector.
    blanks : list of str
        Places, counted from 0 with [CLS], whose token is replaced by [MASK].
    position : int
        Which token is looked at, counted from 1; beyond the end, the last; 0 is the first that is covered.
    layer, head : int
        Which head is enlarged, counted from 1; beyond the end, the last.
    ablated : list of str
        Heads that are silenced, by the names of the trace: "encoder.0.self.3". Those the model lacks are left out.
    hidden : list of str
        Places, counted from 0, of tokens that nothing may look at.
    num_layers, num_heads, d_model, seed : int
    spread : float
        Standard deviation of the random matrices and tables; BERT begins its training with 0.02.
    padding : int
        How many [PAD] stand behind the text, hidden from all.
    vocabulary : list of str
        Words that can be guessed, beside those of the sentences and the special ones.

    Returns
    -------
    dict
    """
    sizes = {"num_layers": num_layers, "num_heads": num_heads, "d_model": d_model, "seed": seed, "spread": spread}
    chosen = choose(tokens, second, vocabulary, padding=padding, **sizes)
    original, n = chosen.model, len(chosen.tokens)
    covered, unseen = positions("blanks", blanks, n - padding), positions("hidden", hidden, n)
    shown = ["[MASK]" if at in covered else token for at, token in enumerate(chosen.tokens)]
    place = min(whole("position", position, least=0) or (covered or [0])[0] + 1, n) - 1
    layer = min(whole("layer", layer, least=1), num_layers) - 1
    head = min(whole("head", head, least=1), num_heads) - 1
    quiet = silenced(ablated, original)
    model, ids = without_heads(original, quiet), np.array(chosen.names.need(*shown))
    others = np.where(np.isin(np.arange(n), covered), chosen.names.need(*chosen.tokens), chosen.names.ids["[MASK]"])
    visible = chosen.there * ~np.isin(np.arange(n), unseen)
    given = {"segments": chosen.segments, "attention_mask": visible}

    with trace() as seen:
        vectors = model.hidden(ids, **given)
        logits = model.logits(vectors)
        pooled = model.pool(vectors)
    stream = hidden_states(seen, num_layers, stack="encoder")
    weights = see("weights", stacked(seen, num_layers, "self.weights", stack="encoder"))
    best, shares, texts = candidates(logits[place], chosen.names, TOP)
    _, lens, lens_texts = logit_lens(model, stream, chosen.names, LENS)
    facts = {
        "tokens": shown,
        "ids": ids,
        "covered": np.array(covered, dtype=int),
        "hidden_tokens": np.array(unseen, dtype=int),
        "original": chosen.tokens[place],
        "n": n,
        "vocab_size": len(chosen.names),
        "best": shares[0],
        "even": 1 / len(chosen.names),
        "num_layers": num_layers,
        "num_heads": num_heads,
        "d_model": d_model,
        "d_k": d_model // num_heads,
        "scale": 1 / math.sqrt(d_model // num_heads),
        "parameters": original.parameter_count(),
        "place": place,
        "layer": layer,
        "head": head,
        "silenced": np.array([(at, number) for _, at, _, number in quiet]).reshape(-1, 2),
        "mask": np.where(visible == 1, 0.0, -np.inf),
    }
    shown = {
        "texts": texts,
        "probabilities": see("probabilities", shares),
        "weights": weights,
        "reads": see("reads", weights[:, :, place].reshape(-1, n)),
        "reads_names": [f"{at + 1}·{number + 1}" for at in range(num_layers) for number in range(num_heads)],
        "lens_probabilities": see("lens_probabilities", lens),
        "lens_texts": lens_texts,
        "stream": see("stream", stream[:, place]),
        "stream_names": [str(at) for at in range(num_layers + 1)],
        "layer_names": [str(at + 1) for at in range(num_layers)],
        "head_names": [str(number + 1) for number in range(num_heads)],
        "cls": see("cls", vectors[0]),
        "pooled": see("pooled", pooled),
    }
    shown |= one_head(seen, layer, head, stack="encoder") | of_head(seen, model, stream, layer, head)
    shown |= embedded(seen, model) | vector_path(seen, model, place)
    shown |= reach(model, gpt_like(original, seed, spread), ids, others, given)
    shown |= _effects(model, ids, given, logits[place], place)
    shown |= before_and_after(chosen, ids, logits[place], shown["attention"], facts, TOP)
    return facts | shown


def _effects(model, ids, given, before, place):
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
