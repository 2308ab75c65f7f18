"""What the ViT lab's note computes: the same numbers as ``vit.run``, of kernels alone."""

import numpy as np

from ..attention import merge_heads, scaled_dot_product_attention, softmax, split_heads
from ..feedforward import feed_forward
from ..models.vit import patches
from ..norm import layer_norm
from ..notes.show import show
from ..notes.words import remark, words
from .vit import shuffled

SECTION = "7.4"  # of the course
FORMULAS = (
    r"X = \left[\,\text{CLS};\ \text{patches}\cdot W_\text{patch}\,\right] + \text{position}",
    r"\text{logits} = \operatorname{LN}\big(x^{(L)}_\text{CLS}\big)\,W",
)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}, "bag": {"positional": False, "shuffle": 1}}


def drawn_array(seed, place, shape, spread):
    """One array of a random model, each with a seed of its own, as ``models.initial`` draws it."""
    values = np.random.default_rng((seed, place)).standard_normal(shape, np.float32)
    return (values * np.float32(spread)).astype(float)


def note(
    *,
    picture,
    patch_size,
    num_layers,
    num_heads,
    d_model,
    spread,
    seed,
    positional,
    shuffle,
    layer,
    head,
    query,
    ablated,
    hidden,
):
    """Names of ``vit.run``, whose docstring says what they mean."""
    pixels = np.array([[int(sign, 16) for sign in row] for row in picture]) / 15
    if shuffle:
        pixels = shuffled(pixels, patch_size, shuffle)
    side = len(pixels) // patch_size
    n = side * side + 1

    remark("patches")
    rows = patches(pixels[None], patch_size)
    remark("weights")
    W_patch = drawn_array(seed, 2, (d_model, patch_size**2), spread).T
    remark("embed")
    projected = rows @ W_patch
    if positional:
        X = np.concatenate([drawn_array(seed, 0, (1, d_model), spread), projected])
        X = X + drawn_array(seed, 1, (n, d_model), spread)
    else:
        X = np.concatenate([drawn_array(seed, 0, (1, d_model), spread), projected])
    if hidden:
        mask = np.where(np.isin(np.arange(n), [int(place) for place in hidden]), -np.inf, 0.0)
    else:
        mask = None

    remark("layer")
    x = X
    for i in range(num_layers):
        start = 4 + 16 * i
        W_Q, W_K, W_V, W_O = (drawn_array(seed, start + at, (d_model, d_model), spread).T for at in (2, 4, 6, 8))
        if ablated:
            remark("silenced")
            on = [f"encoder.{i}.self.{at}" not in ablated for at in range(num_heads)]
            W_O = W_O * np.repeat(on, d_model // num_heads)[:, None]
        normed = layer_norm(x, eps=1e-12)
        queries, keys, values = (split_heads(normed @ W, num_heads) for W in (W_Q, W_K, W_V))
        x = x + merge_heads(scaled_dot_product_attention(queries, keys, values, mask=mask)) @ W_O
        W_1 = drawn_array(seed, start + 12, (4 * d_model, d_model), spread).T
        W_2 = drawn_array(seed, start + 14, (d_model, 4 * d_model), spread).T
        x = x + feed_forward(layer_norm(x, eps=1e-12), W_1, None, W_2, None, activation="gelu")
    logits = layer_norm(x[0], eps=1e-12) @ drawn_array(seed, 6 + 16 * num_layers, (10, d_model), spread).T
    probabilities = softmax(logits)

    remark("identity")
    last = scaled_dot_product_attention(queries, keys, np.eye(n), mask=mask)
    show(pixels, title=words("picture"))
    seen_by_cls = last[:, 0, 1:].mean(axis=0).reshape(side, side)
    show(seen_by_cls, title=words("look"))
    print(words("probabilities"))
    print(np.round(probabilities, 3))
