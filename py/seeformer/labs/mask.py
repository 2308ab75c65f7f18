"""Masks on one head of attention: who may look at whom, and what hangs on it.

The mask is the sum of the kinds that are switched on (causal, window, padding, drawn by hand). Around the one masked
pass stand four experiments, each a real computation on the same vectors:

- zero after: softmax of everything, and the hidden weights set to 0 afterwards: the rows no longer sum to 1;
- leak: one token is replaced; which outputs move with the mask, without it, and with zero after;
- empty row: one query is left with nothing to see, in our softmax and in the one of most example code;
- prefixes: every beginning of the sentence alone, as a model reads that writes it, against the one masked pass.
"""

import math

import numpy as np

from ..attention import init_attention, scaled_dot_product_attention, softmax
from ..checks import flag, matrix, whole
from ..hand_built import hand_built_heads, hand_built_vectors, head_names
from ..mask import causal as causal_mask
from ..mask import combine, sliding_window
from ..mask import padding as padding_mask
from ..positional import sinusoidal
from ..sentence import sentence
from ..token_vectors import token_vectors
from ..trace import see, trace

PICTURES = ("scores", "masked", "weights")
MOST_TOKENS = 32  # a larger mask is no longer drawn by hand
WIDTH = 16  # columns of Q, K and V
MOST = 1_000_000  # numbers beyond would overflow the float32 that the page draws
STILL = 1e-12  # an output that changes by no more than this has not moved: rounding


def run(
    *,
    tokens=tuple("猫坐在垫子上"),
    weight_set="random_scaled",
    seed=5,  # one at which the small leak of zero after can be seen at once, in both languages' sentences
    causal=True,
    window=0,
    padding=0,
    padding_left=False,
    drawn=(),
    change_at=0,
    empty_row=1,
    paper_scores=((1, 2, 3, 0), (2, 2, 0, 1), (0, 0, 0, 3), (1, 0, 0, 1)),
    paper_V=((6, 0), (0, 6), (0, 0), (6, 6)),
):
    """One masked pass, and the four experiments around it.

    Parameters
    ----------
    tokens : list of str, 1 to 32
    weight_set : {"random_scaled", "hand_built", "paper"}
        Random projections, the hand-built head that looks at the next token, or scores and values written down.
    seed : int
    causal : bool
        Hide the keys after each query.
    window : int
        Hide the keys that are this many steps away, or more; 0 for no window.
    padding : int
        How many tokens only fill up the length: hidden from every query.
    padding_left : bool
        Whether they stand at the beginning, not at the end.
    drawn : list of str
        A string for each query with a sign for each key: 1 visible, 0 hidden. What is not drawn is visible; what lies
        outside of the sentence is ignored.
    change_at : int
        The token that the leak test replaces, counted from 1; 0 for the last.
    empty_row : int
        The query from which the empty-row test hides everything, counted from 1.
    paper_scores : [n, n], paper_V : [n, d_v]
        The numbers of "paper", which ignores tokens and seed.

    Returns
    -------
    dict
        What the trace saw, by the names of the kernels and of the experiments below, and the plain facts around it.
    """
    if weight_set not in SETS:
        raise ValueError(f"weight_set={weight_set!r} is unknown: use one of {', '.join(SETS)}")
    if weight_set == "paper":
        tokens, vectors, weights = _paper(paper_scores, paper_V)
        scale = 1.0
    else:
        tokens, scale = sentence(tokens, most=MOST_TOKENS), 1 / math.sqrt(WIDTH)
        vectors, weights = SETS[weight_set](whole("seed", seed, least=0))
    n = len(tokens)
    changed = whole("change_at", change_at, least=0, most=n) or n
    emptied = whole("empty_row", empty_row, least=1, most=n)
    replaced = [*tokens[: changed - 1], _other_than(tokens[changed - 1]), *tokens[changed:]]

    def attend(X, mask):
        """One head; returns what it saw on the way."""
        with trace() as step:
            Q, K, V = (see(name, X @ see(f"W_{name}", weights[f"W_{name}"])) for name in "QKV")
            see("output", scaled_dot_product_attention(Q, K, V, mask=mask, scale=scale))
        step.need(*PICTURES)
        return step

    with trace() as seen:  # of a name that is seen more than once the last value counts: the masked pass comes last
        parts = _parts(n, causal, window, padding, padding_left, drawn)
        mask = see("mask", combine(np.zeros((n, n)), *parts))
        X, changed_X = vectors(tokens), vectors(replaced)
        unmasked, masked = attend(X, None), attend(X, mask)
        before = masked["output"], unmasked["output"], _zero_after(mask, unmasked, masked)
        _leak(mask, before, attend(changed_X, mask), attend(changed_X, None))
        _empty_row(mask, emptied - 1, masked)
        _prefixes(masked, [attend(X[:t], mask[:t, :t]) for t in range(1, n + 1)])
        see("X", X)
        see("row_sums", attend(X, mask)["weights"].sum(axis=-1, keepdims=True))
    leaked = (seen["moved"][: changed - 1] > STILL).sum(axis=0)  # how many rows before the replaced token
    facts = {
        "tokens": tokens,
        "n": n,
        "d_k": weights["W_Q"].shape[1],
        "scale": scale,
        "visible": int((mask == 0).sum()),
        "cells": n * n,
        "blind_rows": int((mask == -np.inf).all(axis=-1).sum()),
        "replaced_tokens": replaced,
        "changed": changed,
        "ways": list(WAYS.values()),
        **{f"moved_{way}": int(count) for way, count in zip(WAYS, leaked, strict=True)},
        "emptied": emptied,
        "tokens_alone": n * (n + 1) // 2,
    }
    return {**facts, **seen}


# The mask


def _parts(n, causal, window, padding, padding_left, drawn):
    """The kinds that are switched on, each [n, n]."""
    padding_left = flag("padding_left", padding_left)
    window, padding = whole("window", window, least=0), whole("padding", padding, least=0, most=n)
    parts, visible = [], _visible(drawn, n)
    if flag("causal", causal):
        parts.append(see("mask_causal", causal_mask(n)))
    if window:
        parts.append(see("mask_window", sliding_window(n, window)))
    if padding:
        keys = padding_mask(n - padding, n)[0]  # [1, n]: one row for all queries
        parts.append(see("mask_padding", np.repeat(keys[:, ::-1] if padding_left else keys, n, axis=0)))
    if not visible.all():
        parts.append(see("mask_drawn", np.where(visible, 0.0, -np.inf)))
    return parts


def _visible(drawn, n):
    """The drawing on [n, n] cells, True where visible."""
    rows = drawn if isinstance(drawn, (list, tuple)) else [None]
    if not all(isinstance(row, str) and set(row) <= {"0", "1"} for row in rows):
        raise ValueError(f"drawn={drawn!r} is no drawing: use rows of 1 and 0 such as ['100', '110', '111']")
    longest = max(len(rows), *map(len, rows), 0)
    if longest > MOST_TOKENS:
        raise ValueError(f"drawn={longest} rows or signs in a row are too many: use at most {MOST_TOKENS}")
    return np.array([[sign != "0" for sign in row[:n].ljust(n, "1")] for row in [*rows, *[""] * n][:n]])


# The experiments


def _zero_after(mask, unmasked, masked):
    """The tempting shortcut: softmax over all keys, then 0 where the mask hides; returns the weights it makes."""
    zeroed = see("zeroed", np.where(mask == 0, see("weights_unmasked", unmasked["weights"]), 0.0))
    sums = see("zeroed_sums", zeroed.sum(axis=-1, keepdims=True))
    see("zeroed_least", sums.min())
    something = sums[:, 0] > 0
    see("repair_error", abs(zeroed[something] / sums[something] - masked["weights"][something]).max(initial=0))
    return zeroed @ unmasked["V"]


WAYS = {"masked": "①", "unmasked": "②", "zeroed": "③"}


def _leak(mask, before, masked_after, unmasked_after):
    """By how much each output moves when one token is replaced, in the three ways; before: the three outputs."""
    zeroed_after = np.where(mask == 0, unmasked_after["weights"], 0.0) @ unmasked_after["V"]
    moved = []
    for way, old, new in zip(
        WAYS, before, (masked_after["output"], unmasked_after["output"], zeroed_after), strict=True
    ):
        see(f"before_{way}", old), see(f"after_{way}", new)  # [n, d_v]
        moved.append(abs(see(f"difference_{way}", new - old)).max(axis=-1))
    see("moved", np.stack(moved, axis=-1))  # [n, 3]


def naive_softmax(x):
    """softmax as most example code writes it: the peak of a row that is all -inf is -inf, and -inf - -inf is NaN."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _empty_row(mask, row, masked):
    """One query sees nothing at all: what the naive softmax makes of it and of the next layer, and what ours does."""
    mask = combine(mask, np.where(np.arange(len(mask))[:, None] == row, -np.inf, 0.0))
    emptied, V = see("emptied_scores", masked["scores"] + mask), masked["V"]
    with np.errstate(invalid="ignore"):  # NumPy only warns
        naive = see("naive_output", see("naive_weights", naive_softmax(emptied)) @ V)
        naive_next = see("naive_next", naive_softmax(naive @ naive.T + mask) @ naive)  # a layer without projections
    output = see("emptied_output", see("emptied_weights", softmax(emptied)) @ V)
    output_next = see("emptied_next", softmax(output @ output.T + mask) @ output)
    for name, values in {"naive": naive, "naive_next": naive_next, "emptied_next": output_next}.items():
        see(f"{name}_nan_rows", int(np.isnan(values).any(axis=-1).sum()))


def _prefixes(masked, alone):
    """What the last token of every beginning gets when nothing after it exists yet."""
    alone = see("output_alone", np.stack([step["output"][-1] for step in alone]))
    difference = see("prefix_difference", masked["output"] - alone)
    see("prefix_max", abs(difference).max())


# Where the vectors come from: each set gives a function from tokens to X [n, d_model], and W_Q, W_K, W_V.


def _random(seed):
    weights = init_attention(np.random.default_rng(seed), WIDTH)
    return lambda words: token_vectors(words, WIDTH, seed=seed) + sinusoidal(len(words), WIDTH), weights


def _hand_built(seed):
    """The head "next" of the four built by hand."""
    at, d_model = head_names(4).index("next"), 4 * WIDTH
    columns = slice(at * WIDTH, (at + 1) * WIDTH)
    weights = {name: W[:, columns] for name, W in hand_built_heads(d_model, 4).items() if name.startswith("W")}
    return lambda words: sum(hand_built_vectors(words, d_model, 4, seed=seed)), weights


def _paper(scores, V):
    """Each token is a row of the identity: then Q is the scores, K the identity, and Q K^T the scores as written."""
    n = len(matrix("paper_scores", scores, None, None, most=MOST))
    scores, V = matrix("paper_scores", scores, n, n, most=MOST), matrix("paper_V", V, n, None, most=MOST)
    if n > MOST_TOKENS:
        raise ValueError(f"paper_scores={n} rows are too many: use at most {MOST_TOKENS}")
    tokens = [f"x{i + 1}" for i in range(n)]

    def vectors(words):
        return np.diag([1.0 if word in tokens else 2.0 for word in words])  # the replacement is twice the token

    return tokens, vectors, {"W_Q": scores, "W_K": np.eye(n), "W_V": V}


SETS = {"random_scaled": _random, "hand_built": _hand_built, "paper": _paper}


def _other_than(token):
    return "□" if token != "□" else "■"
