"""What the BERT lab's note computes: the same numbers as ``bert.run``, as one would write them down."""

import numpy as np

from ..activation import gelu_tanh
from ..attention import softmax
from ..norm import layer_norm
from ..notes.show import show
from ..notes.words import remark, words

SECTION = "7.1"  # of the course
FORMULAS = (
    r"x = \operatorname{LN}(E_{\text{word}} + E_{\text{segment}} + E_{\text{position}})",
    r"p_i = \operatorname{softmax}\big(\operatorname{head}(\operatorname{Encoder}(x)_i)\,E_{\text{word}}^\top + b\big)",
)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}}


def _matrix(spread, seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape, np.float32) * np.float32(spread)


def note(
    *,
    tokens,
    second,
    blanks,
    position,
    layer,
    head,
    ablated,
    hidden,
    num_layers,
    num_heads,
    d_model,
    spread,
    seed,
    padding,
    vocabulary,
):
    """Names of ``bert.run``, whose docstring says what they mean."""
    remark("layout")
    text, segments = ["[CLS]", *tokens, "[SEP]"], [0] * (len(tokens) + 2)
    if len(second) > 0:
        text, segments = [*text, *second, "[SEP]"], segments + [1] * (len(second) + 1)
    names = list(dict.fromkeys(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *vocabulary, *text]))
    text = ["[MASK]" if str(place) in blanks else token for place, token in enumerate(text)]
    if padding:
        mask = np.array([0.0] * len(text) + [-np.inf] * padding, np.float32)
        text, segments = text + ["[PAD]"] * padding, segments + [0] * padding
    else:
        mask = np.zeros(len(text), np.float32)
    if len(hidden) > 0:
        mask[[int(place) for place in hidden if int(place) < len(text)]] = -np.inf
    ids = np.array([names.index(token) for token in text])

    remark("weights")
    E_word, E_position = _matrix(spread, (seed, 0), len(names), d_model), _matrix(spread, (seed, 1), 64, d_model)
    E_segment = _matrix(spread, (seed, 2), 2, d_model)
    x = layer_norm(E_word[ids] + E_segment[segments] + E_position[: len(ids)], eps=1e-12)

    remark("layers")
    weights = np.zeros((num_layers, num_heads, len(ids), len(ids)), np.float32)
    for at, number in enumerate(range(5, 5 + 16 * num_layers, 16)):
        W_q, W_k, W_v, W_o = (_matrix(spread, (seed, number + k), d_model, d_model).T for k in (0, 2, 4, 6))
        W_1 = _matrix(spread, (seed, number + 10), 4 * d_model, d_model).T
        W_2 = _matrix(spread, (seed, number + 12), d_model, 4 * d_model).T
        q, k, v = ((x @ W).reshape(len(ids), num_heads, -1).swapaxes(0, 1) for W in (W_q, W_k, W_v))
        weights[at] = softmax(q @ k.swapaxes(-1, -2) * q.shape[-1] ** -0.5 + mask)
        mixed = weights[at] @ v
        if len(ablated) > 0:
            remark("ablated")
            mixed[[of for of in range(num_heads) if f"encoder.{at}.self.{of}" in ablated]] = 0
        x = layer_norm(x + np.concatenate(mixed, axis=-1) @ W_o, eps=1e-12)
        x = layer_norm(x + gelu_tanh(x @ W_1) @ W_2, eps=1e-12)
    if layer > num_layers:
        layer = num_layers
    if head > num_heads:
        head = num_heads
    show(weights[layer - 1, head - 1], text, text, words("head").format(layer, head))

    remark("guess")
    W = _matrix(spread, (seed, 7 + 16 * num_layers), d_model, d_model).T
    logits = layer_norm(gelu_tanh(x @ W), eps=1e-12) @ E_word.T
    if position:
        place = min(position, len(ids)) - 1
    else:
        place = text.index("[MASK]") if "[MASK]" in text else 0
    likeliest = np.argsort(-logits[place], kind="stable")[:8]
    probabilities = softmax(logits[place])[likeliest]
    print(words("place").format(place), [names[token] for token in likeliest], probabilities.round(4))
