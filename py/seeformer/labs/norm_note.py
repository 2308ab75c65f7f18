"""What the normalization lab's note computes: the same numbers as ``norm.run``, as one would write them down."""

import numpy as np

from ..norm import batch_norm, layer_norm, residual, rms_norm
from ..notes.show import show, table
from ..notes.words import remark, words
from ..token_vectors import token_vectors

SECTION = "6"  # of the course
FORMULAS = (
    r"\operatorname{LayerNorm}(x) = \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}}\,\gamma + \beta",
    r"\text{post: } \operatorname{LayerNorm}(x + f(x)),\quad \text{pre: } x + f(\operatorname{LayerNorm}(x))",
)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}, "batch": {"kind": "batch", "order": "pre"}, "paper": {"input": "paper"}}


def note(
    *,
    tokens,
    input,
    kind,
    order,
    d_model,
    scale,
    shift,
    row_scale,
    column_shift,
    gamma,
    beta,
    eps_exponent,
    seed,
    paper_X,
    paper_gamma,
    paper_beta,
    paper_W,
):
    """Names of ``norm.run``, whose docstring says what they mean."""
    if input == "paper":
        X = np.array(paper_X, dtype=float)
        W = np.array(paper_W, dtype=float)
        gamma, beta = np.array(paper_gamma, dtype=float)[0], np.array(paper_beta, dtype=float)[0]
        tokens = [f"x{i + 1}" for i in range(len(X))]
    else:
        remark("loud")
        X = scale * token_vectors(tokens, d_model, seed=seed) + shift
        X[min(2, len(tokens) - 1)] *= row_scale
        X[:, min(2, d_model - 1)] += column_shift
        W = np.random.default_rng(seed).standard_normal((d_model, d_model)) / np.sqrt(d_model)
        gamma, beta = np.full(d_model, gamma), np.full(d_model, beta)
    eps = 10.0**eps_exponent

    show(X, tokens, title=words("before"))
    if kind == "layer":
        output = layer_norm(X, gamma, beta, eps)
        show(output, tokens, title=words("layer"))
    elif kind == "batch":
        output = batch_norm(X, gamma, beta, eps)
        show(output, tokens, title=words("batch"))
    else:
        output = rms_norm(X, gamma, eps)
        show(output, tokens, title=words("rms"))
    if kind == "batch":
        remark("columns")
        table(np.stack([output.mean(axis=0), output.std(axis=0)]), words("moments"))
    elif kind == "layer":
        remark("rows")
        table(np.stack([output.mean(axis=-1), output.std(axis=-1)], axis=-1), words("moments"))
    else:
        remark("squares")
        print(words("size"), np.sqrt((output**2).mean(axis=-1)).round(3))

    if order == "post":
        remark("post")
        normed = residual(X, lambda x: x @ W, gamma, beta, norm="post", eps=eps)
        show(normed, tokens, title=words("block"))
    elif order == "pre":
        remark("pre")
        total = residual(X, lambda x: x @ W, gamma, beta, norm="pre", eps=eps)
        show(total, tokens, title=words("block"))
    else:
        remark("none")
        total = residual(X, lambda x: x @ W, norm="none")
        show(total, tokens, title=words("block"))
