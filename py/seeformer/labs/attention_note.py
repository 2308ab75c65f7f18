"""What the attention lab's note computes: the same numbers as ``attention.run``, as one would write them down."""

import numpy as np

from ..attention import init_attention, multi_head_attention, scaled_dot_product_attention, split_heads
from ..hand_built import GAIN, hand_built_heads, hand_built_vectors, head_names
from ..mask import causal as causal_mask
from ..mask import combine
from ..mask import padding as padding_mask
from ..notes.show import show, table
from ..notes.words import remark, words
from ..positional import sinusoidal
from ..sentence import word_order
from ..token_vectors import token_vectors

SECTION = "3"  # of the course
FORMULAS = (
    r"\text{weights} = \operatorname{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}} + \text{mask}\right)",
    r"\text{output} = \operatorname{Concat}(\text{weights}\,V)\,W_O",
)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}, "paper": {"weight_set": "paper"}, "causal": {"causal": True, "weight_set": "random_scaled"}}


def note(
    *,
    tokens,
    weight_set,
    d_model,
    num_heads,
    seed,
    causal,
    padding,
    scaled,
    sharpness,
    positional,
    shuffle,
    paper_X,
    paper_W_Q,
    paper_W_K,
    paper_W_V,
    paper_W_O,
):
    """Names of ``attention.run``, whose docstring says what they mean."""
    if weight_set == "paper":
        X = np.array(paper_X, dtype=float)
        tokens = [f"x{i + 1}" for i in range(len(X))]
    elif shuffle:
        order = word_order(len(tokens) - padding, shuffle)
        tokens = [tokens[i] for i in order] + tokens[len(order) :]
    n = len(tokens)

    if weight_set == "hand_built" and num_heads > 1 and d_model // num_heads % 2 == 0:
        remark("hand_built")
        d_k = d_model // num_heads
        identity = token_vectors(tokens, d_k, seed=seed)
        identity *= np.sqrt(d_k / 2) / np.linalg.norm(identity, axis=-1, keepdims=True)
        first = np.tile(sinusoidal(1, d_k), (n, 1))
        if positional:
            before, place, after = (sinusoidal(n, d_k, offset=step) for step in (-1, 0, 1))
        else:
            before = place = after = np.zeros((n, d_k))
        if num_heads <= 4:
            names = [words("previous"), words("first"), words("same"), words("next")][:num_heads]
            Q = GAIN * np.stack([before, first, identity, after])[:num_heads]
            K = np.stack([place, place, identity, place])[:num_heads]
        else:
            back = range(2, num_heads - 2)
            names = [words("previous"), words("first"), words("same"), words("next")]
            names += [words("back").format(k) for k in back]
            turned = [sinusoidal(n, d_k, offset=-k) if positional else place for k in back]
            Q = GAIN * np.stack([before, first, identity, after, *turned])
            K = np.stack([place, place, identity, *[place] * (num_heads - 3)])
        V = np.stack([identity] * num_heads)
    elif weight_set == "hand_built":
        remark("matrices")
        names = head_names(num_heads)
        X = sum(hand_built_vectors(tokens, d_model, num_heads, seed=seed, positional=positional))
        W_Q, W_K, W_V, W_O, b_Q = hand_built_heads(d_model, num_heads).values()
        Q, K = split_heads(X @ W_Q + b_Q, num_heads), split_heads(X @ W_K, num_heads)
    elif weight_set == "paper":
        Q, K = (X @ np.array(W, dtype=float) for W in (paper_W_Q, paper_W_K))
        V, W_O = X @ np.array(paper_W_V, dtype=float), np.array(paper_W_O, dtype=float)
    else:
        names = [words("random").format(i + 1) for i in range(num_heads)]
        X = token_vectors(tokens, d_model, seed=seed)
        if positional:
            X = X + sinusoidal(n, d_model)
        if weight_set == "random_001":
            W_Q, W_K, W_V, W_O = init_attention(np.random.default_rng(seed), d_model, scale=0.01).values()
        else:
            W_Q, W_K, W_V, W_O = init_attention(np.random.default_rng(seed), d_model).values()
        Q, K = split_heads(X @ W_Q, num_heads), split_heads(X @ W_K, num_heads)

    if causal and padding:
        mask = combine(causal_mask(n), padding_mask(n - padding, n)[0, 0])
    elif causal:
        mask = causal_mask(n)
    elif padding:
        mask = padding_mask(n - padding, n)[0, 0]
    else:
        mask = None
    if not scaled:
        scale = sharpness
    elif sharpness != 1:
        scale = sharpness / np.sqrt(Q.shape[-1])
    else:
        scale = None
    if weight_set == "hand_built" and num_heads > 1 and d_model // num_heads % 2 == 0:
        output = np.concatenate(scaled_dot_product_attention(Q, K, V, mask=mask, scale=scale), axis=-1)
    elif weight_set == "hand_built":
        output = multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads, b_Q=b_Q, mask=mask, scale=scale)
    elif weight_set == "paper":
        output = scaled_dot_product_attention(Q, K, V, mask=mask, scale=scale) @ W_O
    else:
        output = multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads, mask=mask, scale=scale)
    remark("identity")
    weights = scaled_dot_product_attention(Q, K, np.eye(n), mask=mask, scale=scale)

    print(words("rows"), weights.sum(axis=-1).min(), weights.sum(axis=-1).max())
    if weight_set == "paper":
        show(weights, tokens, tokens, words("weights"))
        table(weights, words("weights"))
        table(output, words("output"))
    else:
        for name, head in zip(names, weights, strict=True):
            show(head, tokens, tokens, name)
        show(output, tokens, title=words("output"))
