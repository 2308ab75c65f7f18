"""What the mask lab's note computes: the same numbers as ``mask.run``, as one would write them down."""

import numpy as np

from ..attention import init_attention, softmax
from ..hand_built import GAIN
from ..mask import causal as causal_mask
from ..mask import padding as padding_mask
from ..mask import sliding_window
from ..notes.show import show
from ..notes.words import remark, words
from ..positional import sinusoidal
from ..token_vectors import token_vectors
from .mask import WIDTH

SECTION = "5.2"  # of the course
FORMULAS = (
    r"\text{masked} = \text{scores} + \text{mask},\quad \text{mask}_{ij} \in \{0, -\infty\}",
    r"\text{weights}_{ij} = \frac{\exp(\text{masked}_{ij})}{\sum_k \exp(\text{masked}_{ik})}",
)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}, "window": {"window": 2, "weight_set": "hand_built"}, "paper": {"weight_set": "paper"}}


def note(
    *,
    tokens,
    weight_set,
    seed,
    causal,
    window,
    padding,
    padding_left,
    drawn,
    empty_row,
    paper_scores,
    paper_V,
):
    """Names of ``mask.run``, whose docstring says what they mean."""
    if weight_set == "paper":
        scores = np.array(paper_scores, dtype=float)
        V = np.array(paper_V, dtype=float)
        tokens = [f"x{i + 1}" for i in range(len(scores))]
    n = len(tokens)
    if weight_set == "random_scaled":
        X = token_vectors(tokens, WIDTH, seed=seed) + sinusoidal(n, WIDTH)
        W_Q, W_K, W_V, _ = init_attention(np.random.default_rng(seed), WIDTH).values()
        Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    elif weight_set == "hand_built":
        remark("next")
        Q, K = GAIN * sinusoidal(n, WIDTH, offset=1), sinusoidal(n, WIDTH)
        V = token_vectors(tokens, WIDTH, seed=seed)
        V *= np.sqrt(WIDTH / 2) / np.linalg.norm(V, axis=-1, keepdims=True)
    if weight_set != "paper":
        scores = Q @ K.T / np.sqrt(WIDTH)

    remark("mask")
    mask = np.zeros((n, n))
    if causal:
        mask = mask + causal_mask(n)
    if window:
        mask = mask + sliding_window(n, window)
    if padding and padding_left:
        mask = mask + padding_mask(n - padding, n)[0, 0, ::-1]
    elif padding:
        mask = mask + padding_mask(n - padding, n)[0, 0]
    if len(drawn) > 0:
        drawing = np.array([[sign != "0" for sign in row[:n].ljust(n, "1")] for row in [*drawn, *[""] * n][:n]])
        mask = np.where(drawing, mask, -np.inf)
    masked = scores + mask
    weights = softmax(masked)
    output = weights @ V
    show(mask, tokens, tokens, words("mask_title"))
    show(weights, tokens, tokens, words("weights"))
    show(output, tokens, title=words("output"))
    print(words("sums"), weights.sum(axis=-1).round(6))

    remark("zeroed")
    zeroed = np.where(mask == 0, softmax(scores), 0.0)
    print(words("zeroed_sums"), zeroed.sum(axis=-1).round(3))

    remark("empty")
    blind = masked[empty_row - 1] - np.inf
    print(words("empty_weights"), softmax(blind))
