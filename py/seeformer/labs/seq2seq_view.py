"""What the seq2seq lab shows of one forward pass, and of what a change does to it."""

import math
from typing import NamedTuple

import numpy as np

from ..mask import causal, combine
from ..model_view import candidates, compared, hidden_states, logit_lens, one_head, renormalised, stacked
from ..models.bart import Bart
from ..models.beam import log_softmax
from ..models.relative import buckets
from ..trace import apart, see, trace

TOP = 8  # candidates that are shown
LENS = 3
ATTENTIONS = {"encoder": ("encoder", "self"), "decoder": ("decoder", "self"), "cross": ("decoder", "cross")}


class Look(NamedTuple):
    """What of it all the reader looks at, counted from 0, and what is switched off."""

    attention: str  # of ATTENTIONS
    layer: int
    head: int
    place: int  # of the decoder
    source_place: int
    quiet: list  # heads, as ``without_heads`` takes them
    unseen: list  # places of the source


def looked_at(chosen, model, visible, look):
    """Teacher forcing on the target: name -> array, number or list of strings."""
    decoder_ids = model.shift_right(chosen.target)
    with trace() as seen:
        logits = model.forward(chosen.source, decoder_ids, attention_mask=visible)
    shown = _facts(chosen, decoder_ids, look)
    shown |= _weights(seen, model, look)
    shown |= _enlarged(seen, model, look, visible)
    shown |= _positions(seen, model)
    shown |= _predicted(chosen, logits, look.place)
    shown |= _lens(seen, model, chosen.names, look.place)
    return shown | _changed(chosen, decoder_ids, logits, shown["attention"], look)


def _facts(chosen, decoder_ids, look):
    source, target = ([chosen.names[token] for token in ids] for ids in (chosen.source, decoder_ids))
    silent = {which: [(h[1], h[3]) for h in look.quiet if (h[0], h[2]) == of] for which, of in ATTENTIONS.items()}
    attention = chosen.model.layers["decoder"][0].self_attention
    return {
        "source_tokens": source,
        "target_tokens": target,
        "answers": [chosen.names[token] for token in chosen.target],
        "source_ids": chosen.source,
        "target_ids": decoder_ids,
        "queries": source if look.attention == "encoder" else target,
        "keys": target if look.attention == "decoder" else source,
        "vocab_size": len(chosen.names),
        "family": "bart" if isinstance(chosen.model, Bart) else "t5",
        "encoder_layers": len(chosen.model.layers["encoder"]),
        "num_layers": len(chosen.model.layers["decoder"]),
        "num_heads": attention.num_heads,
        "d_model": chosen.model.config.d_model,
        "parameters": chosen.model.parameter_count(),
        "shown_attention": look.attention,
        "place": look.place,
        "source_place": look.source_place,
        "layer": look.layer,
        "head": look.head,
        "hidden_tokens": np.array(look.unseen, int),
        **{f"{which}_silenced": np.array(heads, int).reshape(-1, 2) for which, heads in silent.items()},
    }


def _weights(seen, model, look):
    """All heads of the three attentions, and what the chosen decoder token reads of the source."""
    found = {}
    for which, (stack, kind) in ATTENTIONS.items():
        layers = len(model.layers[stack])
        found[f"{which}_weights"] = see(f"{which}_weights", stacked(seen, layers, f"{kind}.weights", stack=stack))
    cross = found["cross_weights"]  # [L, h, n, m]
    layers, heads = cross.shape[:2]
    mean = see("cross_mean", cross.mean(axis=(0, 1)))  # [n, m]
    most = int(mean[look.place].argmax())
    return found | {
        "cross_mean": mean,
        "reads": see("reads", cross[:, :, look.place].reshape(layers * heads, -1)),
        "reads_names": [f"{layer + 1}·{head + 1}" for layer in range(layers) for head in range(heads)],
        "reads_most": most,
        "reads_share": mean[look.place, most],
    }


def _enlarged(seen, model, look, visible):
    """One head, step by step, with what was added to its scores: ``added`` is [queries, keys]."""
    stack, kind = ATTENTIONS[look.attention]
    steps = one_head(seen, look.layer, look.head, stack=stack, kind=kind)
    bias = seen.get(f"{stack}.relative_bias") if kind == "self" else None
    if look.attention == "decoder":
        mask = causal(len(steps["attention"]))
    else:
        mask = None if visible is None else np.where(visible, 0.0, -np.inf)
    added = combine(np.zeros(steps["attention"].shape), None if bias is None else bias[look.head], mask)
    scale = getattr(model.layers[stack][look.layer], f"{kind}_attention").scale
    d_k = steps["heads"].shape[-1]
    return {
        **steps,
        "added": see("added", added),
        "adds": bool(added.any()),
        "d_k": d_k,
        "scale": d_k**-0.5 if scale is None else scale,
    }


def _positions(seen, model):
    """Where each model has its order of the tokens: rows of a table, or numbers for distances."""
    found = {}
    for stack in ("encoder", "decoder"):
        if f"{stack}.embeddings.position" in seen:
            found[f"{stack}_positions"] = seen[f"{stack}.embeddings.position"]
        if f"{stack}.relative_bias" in seen:
            bias = found[f"{stack}_bias"] = seen[f"{stack}.relative_bias"]
            options = {"num_buckets": model.config.relative_attention_num_buckets, "both_ways": stack == "encoder"}
            far = model.config.relative_attention_max_distance
            found[f"{stack}_buckets"] = see(f"{stack}_buckets", buckets(bias.shape[-1], max_distance=far, **options))
    return found


def _predicted(chosen, logits, place):
    """What comes next after each decoder token, how probable the right answer was, and what that costs."""
    _, shares, texts = candidates(logits, chosen.names, 1)
    logs = log_softmax(logits)[np.arange(len(logits)), chosen.target]
    ids, own, own_texts = candidates(logits[place], chosen.names, TOP)
    return {
        "next_texts": texts,
        "next_probabilities": see("next_probabilities", shares[:, 0]),
        "answer_probabilities": see("answer_probabilities", np.exp(logs)),
        "losses": see("losses", -logs),
        "loss": float(-logs.mean()),
        "loss_of_guessing": math.log(len(chosen.names)),
        "right": int((logits.argmax(-1) == chosen.target).sum()),
        "texts": own_texts,
        "probabilities": see("probabilities", own),
    }


def _lens(seen, model, names, place):
    layers = len(model.layers["decoder"])
    stream = hidden_states(seen, layers)  # [L + 1, n, d_model]
    _, shares, texts = logit_lens(model, stream, names, LENS)
    return {
        "stream": see("stream", stream[:, place]),
        "stream_names": [str(layer) for layer in range(layers + 1)],
        "lens_probabilities": see("lens_probabilities", shares),
        "lens_texts": texts,
    }


def _changed(chosen, decoder_ids, logits, attention, look):
    """What the silenced heads and hidden tokens did to the prediction, and to the row of one head."""
    if not (look.quiet or look.unseen):
        return {"moved": 0.0}
    with apart(), trace() as seen:
        before = chosen.model.forward(chosen.source, decoder_ids)
    told = compared(before[look.place], logits[look.place], chosen.names, TOP)
    found = {name if name == "moved" else f"compared_{name}": value for name, value in told.items()}
    if not look.unseen or look.attention == "decoder":
        return found
    stack, kind = ATTENTIONS[look.attention]
    whole = one_head(seen, look.layer, look.head, stack=stack, kind=kind)["attention"]
    shared = see("renormalised", renormalised(whole, look.unseen))
    difference = see("renormalised_difference", attention - shared)
    return found | {
        "attention_before": see("attention_before", whole),
        "renormalised": shared,
        "renormalised_difference": difference,
        "renormalised_error": float(abs(difference).max()),
    }
