"""What the feed-forward lab's note computes: the same numbers as ``ffn.run``, as one would write them down."""

import numpy as np

from ..feedforward import feed_forward, init_feed_forward
from ..notes.show import show
from ..notes.words import remark, words
from ..sentence import word_order
from ..token_vectors import token_vectors
from .ffn import detectors

SECTION = "5.1"  # of the course
FORMULAS = (r"\operatorname{FFN}(x) = \operatorname{activation}(x W_1 + b_1)\,W_2 + b_2",)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}, "detectors": {"weight_set": "detectors"}, "paper": {"weight_set": "paper"}}


def note(
    *,
    tokens,
    weight_set,
    d_model,
    multiple,
    activation,
    seed,
    bias,
    changed,
    shuffle,
    paper_X,
    paper_W_1,
    paper_b_1,
    paper_W_2,
    paper_b_2,
):
    """Names of ``ffn.run``, whose docstring says what they mean."""
    if weight_set == "paper":
        X = np.array(paper_X, dtype=float)
        W_1 = np.array(paper_W_1, dtype=float)
        W_2 = np.array(paper_W_2, dtype=float)
        tokens = [f"x{i + 1}" for i in range(len(X))]
    else:
        X = token_vectors(tokens, d_model, seed=seed)
    if weight_set == "random":
        rng = np.random.default_rng(seed)
        W_1, _, W_2, _ = init_feed_forward(rng, d_model, multiple * d_model).values()
    elif weight_set == "detectors":
        weights, _, _ = detectors(tokens, d_model, multiple * d_model, seed)
        W_1, b_1, W_2, b_2 = weights.values()
    if weight_set == "random" and bias:
        b_1, b_2 = (rng.standard_normal(size) / 2 for size in (multiple * d_model, d_model))
    elif weight_set == "paper" and bias:
        b_1, b_2 = np.array(paper_b_1, dtype=float)[0], np.array(paper_b_2, dtype=float)[0]
    elif weight_set != "detectors":
        b_1 = None
        b_2 = None
    if shuffle and weight_set != "paper":
        remark("shuffled")
        order = word_order(len(tokens), shuffle)
        tokens, X = [tokens[i] for i in order], X[order]
    output = feed_forward(X, W_1, b_1, W_2, b_2, activation=activation)
    remark("identity")
    hidden = feed_forward(X, W_1, b_1, np.eye(len(W_2)), None, activation=activation)
    show(hidden, tokens, title=words("hidden"))
    show(output, tokens, title=words("output"))
    print(words("fires"), (hidden > 0).sum(), "/", hidden.size)

    if changed:
        remark("changed")
        moved = X.copy()
        if weight_set == "paper":
            moved[changed - 1] += 1
        else:
            moved[changed - 1] = token_vectors([tokens[changed - 1] + "′"], d_model, seed=seed)[0]
        difference = feed_forward(moved, W_1, b_1, W_2, b_2, activation=activation) - output
        show(difference, tokens, title=words("difference"))
