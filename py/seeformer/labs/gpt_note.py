"""What the GPT lab's note computes: the same numbers as ``gpt.run``, as one would write them down."""

import numpy as np

from ..attention import merge_heads, softmax, split_heads
from ..characters import characters
from ..feedforward import feed_forward
from ..mask import causal
from ..norm import layer_norm
from ..notes.show import show
from ..notes.words import remark, words

SECTION = "7.2"  # of the course
FORMULAS = (
    r"x^{(l)} = \text{Layer}_l\big(x^{(l-1)}\big),\quad \text{logits} = \operatorname{LN}\big(x^{(L)}\big)\,W_E^\top",
    r"p(\text{next}) = \operatorname{softmax}(\text{logits} / \text{temperature})",
)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}}


def _matrix(spread, seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape, np.float32) * np.float32(spread)


def _read(ids, mask, W_E, W_P, layers, num_heads):
    x, seen = W_E[ids] + W_P[: len(ids)], []
    for W_Q, W_K, W_V, W_O, W_1, W_2 in layers:
        Q, K, V = (split_heads(layer_norm(x) @ W, num_heads) for W in (W_Q, W_K, W_V))
        seen.append(softmax(Q @ K.swapaxes(-1, -2) * Q.shape[-1] ** -0.5 + mask))
        x = x + merge_heads(seen[-1] @ V) @ W_O
        x = x + feed_forward(layer_norm(x), W_1, None, W_2, None, activation="gelu_tanh")
    return layer_norm(x) @ W_E.T, np.stack(seen)


def note(
    *,
    prompt,
    num_layers,
    num_heads,
    d_model,
    seed,
    spread,
    layer,
    head,
    ablated,
    hidden,
    temperature,
    top_k,
    top_p,
    draw,
    steps,
):
    """Names of ``gpt.run``, whose docstring says what they mean."""
    names = characters(prompt)
    tokens = list(prompt)
    ids = np.array([names.index(token) for token in tokens])

    remark("weights")
    W_E, W_P = _matrix(spread, (seed, 0), len(names), d_model), _matrix(spread, (seed, 1), 160, d_model)
    layers = []
    for at in range(6, 6 + 12 * num_layers, 12):
        W_QKV, W_O = (
            _matrix(spread, (seed, at), d_model, 3 * d_model),
            _matrix(spread, (seed, at + 2), d_model, d_model),
        )
        W_1 = _matrix(spread, (seed, at + 4), d_model, 4 * d_model)
        W_2 = _matrix(spread, (seed, at + 6), 4 * d_model, d_model)
        layers.append([*np.split(W_QKV, 3, axis=1), W_O, W_1, W_2])
    if len(ablated) > 0:
        remark("ablated")
        for _, at, _, silent in (each.split(".") for each in ablated):
            if int(at) < num_layers and int(silent) < num_heads:
                split_heads(layers[int(at)][3].T, num_heads)[int(silent)] = 0

    mask = causal(len(ids)).astype(np.float32)
    if len(hidden) > 0:
        mask[:, [int(place) for place in hidden]] = -np.inf
    logits, weights = _read(ids, mask, W_E, W_P, layers, num_heads)
    layer, head = min(layer, num_layers), min(head, num_heads)
    show(weights[layer - 1, head - 1], tokens, tokens, words("head").format(layer, head))
    shares = softmax(logits[-1])
    for token in np.argsort(-shares, kind="stable")[:5]:
        print(repr(names[token]), shares[token].round(4))

    remark("writing")
    random, text = np.random.default_rng(draw), ids
    for _ in range(min(steps, 160 - len(ids))):
        mask = causal(len(text)).astype(np.float32)
        last = _read(text, mask, W_E, W_P, layers, num_heads)[0][-1]
        if temperature == 0:
            text = np.append(text, last.argmax())
            continue
        last = last / temperature
        if 0 < top_k < len(last):
            last = np.where(last < np.sort(last)[-top_k], -np.inf, last)
        shares = softmax(last)
        if top_p < 1:
            order = np.argsort(shares, kind="stable")
            dropped = order[:-1][shares[order].cumsum()[:-1] <= 1 - top_p]
            shares[dropped] = 0
        bounds = shares.cumsum(dtype=float)
        text = np.append(text, np.searchsorted(bounds, random.random() * bounds[-1], side="right"))
    print(words("text"), "".join(names[token] for token in text))
