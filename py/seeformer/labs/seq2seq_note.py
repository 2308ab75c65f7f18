"""What the seq2seq lab's note computes: the same numbers as ``seq2seq.run``, as one would write them down."""

import numpy as np

from ..activation import gelu, gelu_tanh, relu
from ..attention import merge_heads, softmax, split_heads
from ..mask import causal
from ..models.beam import log_softmax
from ..models.relative import relative_bias
from ..norm import layer_norm, rms_norm
from ..notes.show import show
from ..notes.words import remark, words

SECTION = "7.3"  # of the course
FORMULAS = (
    r"\text{memory} = \operatorname{Encoder}(\text{source}),\quad p(y_t \mid y_{<t}, \text{source}) = "
    r"\operatorname{softmax}\big(\operatorname{Decoder}(y_{<t}, \text{memory})\,W_E^\top\big)",
    r"\text{cross: } Q = Y\,W_Q,\quad K = \text{memory}\,W_K,\quad V = \text{memory}\,W_V",
)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}, "t5": {"style": "t5"}}


def _matrix(seed, place, rows, columns, size):
    return np.random.default_rng((seed, place)).standard_normal((rows, columns), np.float32) * np.float32(size)


def _four(seed, places, size, sharpness):
    """W_Q, W_K, W_V, W_O of one attention; size is 1 / sqrt(d_model)."""
    d_model = round(size**-2)
    sizes = size * sharpness, size, size, size
    return [_matrix(seed, place, d_model, d_model, each).T for place, each in zip(places, sizes, strict=True)]


def _attend(x, context, W, num_heads, mask, scale):
    Q, K, V = (split_heads(each @ M, num_heads) for each, M in zip((x, context, context), W[:3], strict=True))
    weights = softmax(Q @ K.swapaxes(-1, -2) * scale + mask)
    return merge_heads(weights @ V) @ W[3], weights


def _post(x, layers, memory, masks, num_heads):
    """BART's layers: the norm comes after each sublayer. Also the weights of the last attention of each layer."""
    seen = []
    for *attentions, W_1, W_2 in layers:
        for W, mask, context in zip(attentions, masks, (None, memory), strict=False):
            change, weights = _attend(
                x, x if context is None else context, W, num_heads, mask, (len(W[3]) // num_heads) ** -0.5
            )
            x = layer_norm(x + change)
        x = layer_norm(x + gelu(x @ W_1) @ W_2)
        seen.append(weights)
    return x, np.stack(seen)


def _pre(x, layers, memory, masks, num_heads):
    """T5's layers: the norm comes before each sublayer, and once more at the end."""
    seen = []
    for *attentions, W_gate, W_1, W_2 in layers:
        for W, mask, context in zip(attentions, masks, (None, memory), strict=False):
            normed = rms_norm(x, eps=1e-6)
            change, weights = _attend(normed, normed if context is None else context, W, num_heads, mask, 1)
            x = x + change
        normed = rms_norm(x, eps=1e-6)
        x = x + (relu(normed @ W_1) if W_gate is None else gelu_tanh(normed @ W_gate) * (normed @ W_1)) @ W_2
        seen.append(weights)
    return rms_norm(x, eps=1e-6), np.stack(seen)


def _bart(ids, W_E, places, layers, memory, unseen, num_heads):
    masks = causal(len(ids)).astype(np.float32), unseen
    y, cross = _post(layer_norm(W_E[ids] + places[: len(ids)]), layers, memory, masks, num_heads)
    return y @ W_E.T, cross


def _t5(ids, W_E, distances, layers, memory, unseen, num_heads):
    n = len(ids)
    bias = relative_bias(distances, n, both_ways=False, max_distance=16)
    masks = bias + causal(n).astype(np.float32), unseen
    y, cross = _pre(W_E[ids], layers, memory, masks, num_heads)
    return y * W_E.shape[-1] ** -0.5 @ W_E.T, cross


def note(
    *,
    source,
    target,
    style,
    feed_forward,
    num_layers,
    num_heads,
    d_model,
    seed,
    sharpness,
    ablated,
    hidden,
    steps,
):
    """Names of ``seq2seq.run``, whose docstring says what they mean."""
    if style == "bart":
        special, start, end = ["<s>", "<pad>", "</s>", "<unk>"], "</s>", 2
        texts = ["<s>", *source, "</s>"], ["<s>", *target, "</s>"]
    else:
        special, start, end = ["<pad>", "</s>", "<unk>"], "<pad>", 1
        texts = [*source, "</s>"], [*target, "</s>"]
    names = list(dict.fromkeys([*special, *source, *target]))
    source_ids, answer_ids = (np.array([names.index(token) for token in text]) for text in texts)
    m = len(source_ids)

    remark("weights")
    size, wide = d_model**-0.5, 4 * d_model
    encoder, decoder = [], []
    if style == "bart":
        first = 4 + 16 * num_layers
        W_E = _matrix(seed, 0, len(names), d_model, size)
        source_places, target_places = (_matrix(seed, place, 66 + 2, d_model, size)[2:] for place in (1, first))
        for layers, place, attentions in ((encoder, 4, 1), (decoder, first + 3, 2)):
            for _ in range(num_layers):
                parts = []
                for _ in range(attentions):
                    parts.append(_four(seed, range(place, place + 8, 2), size, sharpness))
                    place += 10
                W_1 = _matrix(seed, place, wide, d_model, size).T
                W_2 = _matrix(seed, place + 2, d_model, wide, size / 2).T
                layers.append([*parts, W_1, W_2])
                place += 6
    else:
        sharper = sharpness * (d_model // num_heads) ** -0.5
        wider = 1 if feed_forward == "relu" else 2
        first = 3 + (7 + wider) * num_layers
        W_E, distances = _matrix(seed, 0, len(names), d_model, 1), []
        for layers, place, attentions in ((encoder, 1, 1), (decoder, first, 2)):
            for _ in range(num_layers):
                parts = []
                for _ in range(attentions):
                    parts.append(_four(seed, range(place, place + 4), size, sharper))
                    place += 5
                place += wider
                W_gate = None if wider == 1 else _matrix(seed, place - 2, wide, d_model, size).T
                W_1 = _matrix(seed, place - 1, wide, d_model, size).T
                W_2 = _matrix(seed, place, d_model, wide, size / 2).T
                layers.append([*parts, W_gate, W_1, W_2])
                place += 2
            distances.append(_matrix(seed, place, 8, num_heads, 1))
    if len(ablated) > 0:
        remark("ablated")
        for stack, at, kind, head in (each.split(".") for each in ablated):
            if int(at) < num_layers and int(head) < num_heads:
                W_O = (encoder if stack == "encoder" else decoder)[int(at)][kind == "cross"][3]
                split_heads(W_O.T, num_heads)[int(head)] = 0

    remark("encoder")
    unseen = np.zeros(m, np.float32)
    if len(hidden) > 0:
        unseen[[int(place) for place in hidden if int(place) < m]] = -np.inf
    if style == "bart":
        x = layer_norm(W_E[source_ids] + source_places[:m])
        memory = _post(x, encoder, None, [unseen], num_heads)[0]
    else:
        bias = relative_bias(distances[0], m, both_ways=True, max_distance=16)
        memory = _pre(W_E[source_ids], encoder, None, [bias + unseen], num_heads)[0]

    remark("forced")
    target_ids = np.array([names.index(start), *answer_ids[:-1]])
    if style == "bart":
        logits, cross_weights = _bart(target_ids, W_E, target_places, decoder, memory, unseen, num_heads)
    else:
        logits, cross_weights = _t5(target_ids, W_E, distances[1], decoder, memory, unseen, num_heads)
    cross_mean = cross_weights.mean(axis=(0, 1))
    losses = -log_softmax(logits)[range(len(answer_ids)), answer_ids]
    rows, columns = ([names[token] for token in ids] for ids in (target_ids, source_ids))
    show(cross_mean, rows, columns, words("mean"))
    print(words("loss"), losses.mean().round(4))

    remark("writing")
    text = target_ids[:1]
    while len(text) <= steps:
        if style == "bart":
            logits, _ = _bart(text, W_E, target_places, decoder, memory, unseen, num_heads)
            best = end if len(text) == steps else logits[-1].argmax()
        else:
            best = _t5(text, W_E, distances[1], decoder, memory, unseen, num_heads)[0][-1].argmax()
        text = np.append(text, best)
        if best == end:
            break
    print(words("text"), "".join(names[token] for token in text[1:]))
