"""BERT on a reader's own sentence, or two: what it makes of a place that is covered, and how it comes to that.

The weights are random until others are chosen (bert_model.py), so what is predicted means nothing. What holds for a
trained model as well: who can see whom, what segments, padding and [MASK] are, and what a change of any of them, or of
a head, does to the prediction.
"""

import math

import numpy as np

from ..checks import whole
from ..model_view import hidden_states, one_head, positions, silenced, stacked
from ..models.ablation import without_heads
from ..trace import see, trace
from .bert_changes import before_and_after, reach
from .bert_guess import TOP, effects, guessed
from .bert_model import choose, gpt_like
from .bert_parts import embedded, of_head, sentence_vector, vector_path


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
    checkpoint="",
    ids=(),
    first_ids=(),
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
    checkpoint : str
        A model of the reader's, by the name under which it was brought; "": random weights of the sizes above.
    ids, first_ids : list of int
        Both sentences in its vocabulary, as its tokenizer lays them out, and the first alone.

    Returns
    -------
    dict
    """
    sizes = {"num_layers": num_layers, "num_heads": num_heads, "d_model": d_model, "seed": seed, "spread": spread}
    brought = {"checkpoint": checkpoint, "ids": ids, "first_ids": first_ids}
    chosen = choose(tokens, second, vocabulary, padding=padding, **sizes, **brought)
    original, n = chosen.model, len(chosen.ids)
    unseen = positions("hidden", hidden, n)
    covered = [] if chosen.mask is None else positions("blanks", blanks, n - padding)
    place = min(whole("position", position, least=0) or (covered or [0])[0] + 1, n) - 1
    layer = min(whole("layer", layer, least=1), original.config.num_hidden_layers) - 1
    head = min(whole("head", head, least=1), original.config.num_attention_heads) - 1
    quiet, is_covered = silenced(ablated, original), np.isin(np.arange(n), covered)
    model = without_heads(original, quiet)
    ids, others = (np.where(which, chosen.mask or 0, chosen.ids) for which in (is_covered, ~is_covered))
    visible = chosen.there * ~np.isin(np.arange(n), unseen)
    given = {"segments": chosen.segments, "attention_mask": visible}

    with trace() as seen:
        vectors = model.hidden(ids, **given)
        logits = model.logits(vectors) if model.has_head else None
        found = sentence_vector(model, vectors)
    facts = _facts(chosen, ids, place, layer, head, quiet) | {
        "covered": np.array(covered, dtype=int),
        "hidden_tokens": np.array(unseen, dtype=int),
        "mask": np.where(visible == 1, 0.0, -np.inf),
    }
    shown = _pass(seen, model, place, layer, head) | found
    shown |= reach(chosen, quiet, None if checkpoint else gpt_like(original, seed, spread), ids, others, visible)
    after = None
    if logits is not None:
        after = logits[place]
        stream = hidden_states(seen, facts["num_layers"], stack="encoder")
        shown |= guessed(model, logits, stream, chosen.names, place) | effects(model, ids, given, after, place)
    shown |= before_and_after(chosen, ids, after, shown["attention"], facts, TOP)
    return facts | shown


def _facts(chosen, ids, place, layer, head, quiet):
    config = chosen.model.config
    d_k = config.hidden_size // config.num_attention_heads
    return {
        "tokens": [chosen.names[token] for token in ids],
        "ids": ids,
        "original": chosen.names[chosen.ids[place]],
        "n": len(ids),
        "written": int(chosen.there.sum()),
        "vocab_size": len(chosen.names),
        "num_layers": config.num_hidden_layers,
        "num_heads": config.num_attention_heads,
        "d_model": config.hidden_size,
        "d_k": d_k,
        "scale": 1 / math.sqrt(d_k),
        "parameters": chosen.model.parameter_count(),
        "place": place,
        "layer": layer,
        "head": head,
        "silenced": np.array([(at, number) for _, at, _, number in quiet]).reshape(-1, 2),
    }


def _pass(seen, model, place, layer, head):
    """What the one pass is made of."""
    layers, heads = range(model.config.num_hidden_layers), range(model.config.num_attention_heads)
    stream = hidden_states(seen, len(layers), stack="encoder")
    weights = see("weights", stacked(seen, len(layers), "self.weights", stack="encoder"))
    shown = {
        "weights": weights,
        "reads": see("reads", weights[:, :, place].reshape(-1, weights.shape[-1])),
        "reads_names": [f"{at + 1}·{number + 1}" for at in layers for number in heads],
        "stream": see("stream", stream[:, place]),
        "stream_names": [str(at) for at in range(len(layers) + 1)],
        "layer_names": [str(at + 1) for at in layers],
        "head_names": [str(number + 1) for number in heads],
    }
    shown |= one_head(seen, layer, head, stack="encoder") | of_head(seen, model, stream, layer, head)
    return shown | embedded(seen, model) | vector_path(seen, model, place)
