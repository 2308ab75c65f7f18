"""An encoder reads one text, a decoder writes another: all three kinds of attention, and what is predicted from what.

The weights are random until others are chosen (seq2seq_model.py), so what is predicted means nothing. What holds for
a trained model as well: who can see whom, that the decoder gets at the source by cross-attention alone, where BART and
T5 have their positions, and what a change does to the prediction.
"""

import numpy as np

from ..checks import finite, flag, whole
from ..model_view import positions, silenced
from ..models.ablation import without_heads
from .seq2seq_model import MOST_STEPS, choose
from .seq2seq_view import ATTENTIONS, Look, looked_at
from .seq2seq_writing import METHODS, MOST_BEAMS, written


def run(
    *,
    source="二〇二六年十一月三十日",
    target="2026-11-30",
    style="bart",
    feed_forward="gated-gelu",
    num_layers=2,
    num_heads=4,
    d_model=32,
    seed=38,
    sharpness=2.0,
    position=3,
    source_position=2,
    attention="cross",
    layer=1,
    head=1,
    ablated=(),
    hidden=(),
    method="beam",
    temperature=1.0,
    top_k=0,
    top_p=1.0,
    draw=0,
    num_beams=3,
    length_penalty=1.0,
    steps=10,
    generate=False,
    checkpoint="",
    source_ids=(),
    target_ids=(),
):
    """One forward pass over source and target, and a text of the model's own if it is asked for.

    Parameters
    ----------
    source, target : str, 1 to 64 characters
        What the encoder reads, and what the decoder should write. Of the target it gets each token only after the
        one it is to predict (teacher forcing).
    style : {"bart", "t5"}
        Learned positions, LayerNorm after each sublayer, biases, scores / sqrt(d_k); or distances as a bias on the
        scores, RMSNorm before each sublayer, no biases, scores as they are.
    feed_forward : {"relu", "gated-gelu"}
        T5 and T5 1.1; BART has GELU.
    num_layers, num_heads, d_model, seed : int
        Encoder and decoder have num_layers each.
    sharpness : float
        Multiplies the random W_Q.
    position, source_position : int
        Which decoder token and which source token are looked at, counted from 1; 0, and any beyond the end, is the
        last.
    attention : {"encoder", "decoder", "cross"}
    layer, head : int
        Which head is enlarged, counted from 1; beyond the end, the last.
    ablated : list of str
        Heads that are silenced, by the names of the trace: "decoder.0.cross.3". Those the model lacks are left out.
    hidden : list of str
        Places, counted from 0, of source tokens that nothing may look at.
    method : {"greedy", "sampled", "beam"}
    temperature, top_k, top_p, draw
        Of "sampled"; draw is its seed. See ``sampling.probabilities``.
    num_beams, length_penalty
        Of "beam"; see ``beam.beam_steps``.
    steps : int
        How many tokens are written at most.
    generate : bool
        Whether it writes. Then this is a generator that yields after each step.
    checkpoint : str
        A model of the reader's, by the name under which it was brought; "": random weights as above.
    source_ids, target_ids : list of int
        Both texts in its vocabulary.

    Returns
    -------
    dict
    """
    sizes = {"num_layers": num_layers, "num_heads": num_heads, "d_model": d_model}
    brought = {"checkpoint": checkpoint, "source_ids": source_ids, "target_ids": target_ids}
    chosen = choose(source, target, style, feed_forward, **sizes, seed=seed, sharpness=sharpness, **brought)
    for name, value, known in (("attention", attention, ATTENTIONS), ("method", method, METHODS)):
        if value not in known:
            raise ValueError(f"{name}={value!r} is unknown: use one of {', '.join(known)}")
    how = {
        "temperature": finite("temperature", temperature, least=0, most=100),
        "top_k": whole("top_k", top_k, least=0),
        "top_p": finite("top_p", top_p, least=0, most=1),
        "seed": whole("draw", draw, least=0),
    }
    search = {
        "num_beams": whole("num_beams", num_beams, least=1, most=MOST_BEAMS),
        "length_penalty": finite("length_penalty", length_penalty, least=-10, most=10),
    }
    steps, m = whole("steps", steps, least=1, most=MOST_STEPS), len(chosen.source)
    layers = chosen.model.layers[ATTENTIONS[attention][0]]
    look = Look(
        attention,
        _place("layer", layer, len(layers)),
        _place("head", head, layers[0].self_attention.num_heads),
        _place("position", position, len(chosen.target)),
        _place("source_position", source_position, m),
        silenced(ablated, chosen.model),
        positions("hidden", hidden, m),
    )
    model = without_heads(chosen.model, look.quiet)
    visible = (~np.isin(np.arange(m), look.unseen)).astype(int) if look.unseen else None
    shown = looked_at(chosen, model, visible, look)
    if not flag("generate", generate):
        return shown
    return (shown | more for more in written(model, chosen, visible, method, steps, how, search))


def _place(name, position, count):
    return min(whole(name, position, least=0) or count, count) - 1
