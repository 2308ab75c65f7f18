"""Multi-head attention on a sentence of one's own, step by step.

Untrained weights make meaningless pictures, so the reader chooses among four honest sets: ``hand_built`` heads that do
something one can name, ``random_scaled`` (entries of size 1/sqrt(d_model)), ``random_001`` (size 0.01, as in much
example code: every row comes out uniform) and ``paper``, a few small integers to follow with a pencil.
"""

import math

import numpy as np

from ..attention import init_attention, multi_head_attention
from ..checks import finite, flag, head_width, matrix, whole
from ..hand_built import hand_built_heads, hand_built_vectors, head_names
from ..mask import causal as causal_mask
from ..mask import combine
from ..mask import padding as padding_mask
from ..positional import sinusoidal
from ..sentence import sentence, word_order
from ..token_vectors import token_vectors
from ..trace import see, trace

# An edited kernel may have lost a see() and with it a picture. Inner steps (dots, peak, exp, total) may go.
PICTURES = ("Q", "K", "V", "scores", "masked", "weights", "heads", "concat", "output")
WEIGHT_SETS = ("hand_built", "random_scaled", "random_001", "paper")
MOST_HEADS, WIDEST = 64, 1024  # what a browser tab holds with every step kept
MOST = 1_000_000  # numbers beyond would overflow the float32 that the page draws


def run(
    *,
    tokens=tuple("猫追老鼠，老鼠躲猫"),
    weight_set="hand_built",
    d_model=64,
    num_heads=4,
    seed=0,
    causal=False,
    padding=0,
    scaled=True,
    sharpness=1.0,
    positional=True,
    shuffle=0,
    paper_X=((1, 0), (0, 1), (1, 1)),
    paper_W_Q=((1, 1), (0, 1)),
    paper_W_K=((2, 0), (1, 1)),
    paper_W_V=((1, 2), (3, 0)),
    paper_W_O=((1, 0), (1, 1)),
):
    """Every step from the tokens' vectors to the output.

    Parameters
    ----------
    tokens : list of str, 1 to 128
    weight_set : {"hand_built", "random_scaled", "random_001", "paper"}
    d_model, num_heads, seed : int
    causal : bool
        Hide the keys after each query.
    padding : int
        How many tokens at the end are filling that nobody may look at.
    scaled : bool
        Whether the scores are divided by sqrt(d_k).
    sharpness : float
        Multiplies the scale: 0 looks at everything equally, large values at the best match alone.
    positional : bool
        Whether the positional encoding is added.
    shuffle : int
        0 leaves the order; k > 0 shuffles the words (not the padding) with seed k, and compares the outputs.
    paper_X : [n, d_model], paper_W_Q, paper_W_K, paper_W_V, paper_W_O : [d_model, d_model]
        The numbers of "paper", which has one head and ignores tokens, d_model, num_heads, seed, positional and shuffle.

    Returns
    -------
    dict
        What the trace saw, by the names of the kernels, and the plain facts around it.
    """
    causal, scaled, positional = flag("causal", causal), flag("scaled", scaled), flag("positional", positional)
    if weight_set not in WEIGHT_SETS:
        raise ValueError(f"weight_set={weight_set!r} is unknown: use one of {', '.join(WEIGHT_SETS)}")
    if weight_set == "paper":
        vectors, weights, names = _paper(paper_X, paper_W_Q, paper_W_K, paper_W_V, paper_W_O)
        tokens, shuffle = [f"x{i + 1}" for i in range(len(paper_X))], 0
    else:
        tokens, d_model = sentence(tokens), whole("d_model", d_model, least=1, most=WIDEST)
        head_width(d_model, whole("num_heads", num_heads, least=1, most=MOST_HEADS))
        choices = d_model, num_heads, whole("seed", seed, least=0), positional
        if weight_set == "hand_built":
            vectors, weights, names = _hand_built(*choices)
        else:
            vectors, weights, names = _random(*choices, spread=0.01 if weight_set == "random_001" else None)

    n, d_model, num_heads = len(tokens), len(weights["W_Q"]), len(names)
    d_k = head_width(d_model, num_heads)
    padding, shuffle = whole("padding", padding, least=0, most=n), whole("shuffle", shuffle, least=0)
    scale = finite("sharpness", sharpness, least=0, most=MOST) * (1 / math.sqrt(d_k) if scaled else 1)
    mask = combine(np.zeros((n, n)), causal_mask(n) if causal else None, padding_mask(n - padding, n)[0])

    def attend(words):
        embedding, positions = vectors(words)
        X = see("X", see("embedding", embedding) + see("positions", positions))
        for name, values in weights.items():
            see(name, values)
        return multi_head_attention(X, **weights, num_heads=num_heads, mask=see("mask", mask), scale=scale)

    order = np.concatenate([word_order(n - padding, shuffle), np.arange(n - padding, n)])  # filling stays at the end
    shown = [tokens[i] for i in order]
    original = attend(tokens)[order] if shuffle else None  # before the trace opens: only the shown pass is recorded
    with trace() as seen:
        output = attend(shown)
        seen.need(*PICTURES)
        see("row_sums", seen["weights"].sum(axis=-1))
        if shuffle:
            difference = see("difference", output - see("output_original", original))
            see("max_change", abs(difference).max())
    facts = {"tokens": shown, "n": n, "d_model": d_model, "num_heads": num_heads, "d_k": d_k, "scale": scale}
    return {**facts, "head_names": names, **seen}


# Each set: a function from tokens to (embedding, positions), the weights, and the names of the heads.


def _hand_built(d_model, num_heads, seed, positional):
    def vectors(words):
        return hand_built_vectors(words, d_model, num_heads, seed=seed, positional=positional)

    return vectors, hand_built_heads(d_model, num_heads), head_names(num_heads)


def _random(d_model, num_heads, seed, positional, spread):
    def vectors(words):
        positions = sinusoidal(len(words), d_model) if positional else np.zeros((len(words), d_model))
        return token_vectors(words, d_model, seed=seed), positions

    weights = init_attention(np.random.default_rng(seed), d_model, scale=spread)
    return vectors, weights, [f"random_{i + 1}" for i in range(num_heads)]


def _paper(X, W_Q, W_K, W_V, W_O):
    X = matrix("paper_X", X, None, None, most=MOST)
    given = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O}
    weights = {name: matrix(f"paper_{name}", W, X.shape[1], X.shape[1], most=MOST) for name, W in given.items()}
    return lambda words: (X, np.zeros_like(X)), weights, ["paper"]
