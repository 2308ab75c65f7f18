"""The feed-forward network, a position at a time: what its hidden units do, and that no position sees another.

Three honest sets of weights: ``random`` ones, where every effect that needs no training can be seen; ``detectors``
written by hand, of which each fires for words one can name; and ``paper``, small integers to follow with a pencil.
"""

import math
from itertools import chain, combinations, cycle, islice

import numpy as np

from ..attention import init_attention, multi_head_attention
from ..checks import flag, matrix, whole
from ..feedforward import ACTIVATIONS, feed_forward, init_feed_forward
from ..sentence import sentence, word_order
from ..token_vectors import token_vectors
from ..trace import see, trace

PICTURES = ("pre_activation", "hidden", "output")
WEIGHT_SETS = ("random", "detectors", "paper")
WIDEST, MOST_TIMES = 256, 8
MOST = 1_000_000  # numbers beyond would overflow the float32 that the page draws
SAME = 1e-9  # differences below are rounding


def run(
    *,
    tokens=tuple("猫追老鼠，老鼠躲猫"),
    weight_set="random",
    d_model=16,
    multiple=4,
    activation="relu",
    seed=5,
    bias=True,
    unit=1,
    changed=1,
    shuffle=0,
    paper_X=((1, 0), (2, -1), (-1, 1)),
    paper_W_1=((1, -1, 0, 1), (0, 1, 1, -1)),
    paper_b_1=((0, 0, -1, 1),),
    paper_W_2=((1, 0), (1, 2), (1, 1), (0, -1)),
    paper_b_2=((1, 0),),
):
    """One pass through the network, what one unit does in it, and what changes when the input does.

    Parameters
    ----------
    tokens : list of str, 1 to 128
    weight_set : {"random", "detectors", "paper"}
    d_model, multiple, seed : int
        d_ff = multiple * d_model.
    activation : {"relu", "gelu", "gelu_tanh"}
    bias : bool
        Whether there are b_1 and b_2 ("detectors" need theirs and keep them).
    unit : int
        The hidden unit looked at, 1 to d_ff.
    changed : int
        The position that gets another vector, 1 to n, to compare the outputs; 0 changes none.
    shuffle : int
        0 leaves the order; k > 0 shuffles the positions with seed k, and compares the outputs.
    paper_X : [n, d_model], paper_W_1 : [d_model, d_ff], paper_b_1 : [1, d_ff], paper_W_2, paper_b_2
        The numbers of "paper", which ignores tokens, d_model, multiple, seed and shuffle.

    Returns
    -------
    dict
        What the trace saw, by the names of the kernels, and the plain facts around it.
    """
    bias = flag("bias", bias)
    if weight_set not in WEIGHT_SETS:
        raise ValueError(f"weight_set={weight_set!r} is unknown: use one of {', '.join(WEIGHT_SETS)}")
    if weight_set == "paper":
        X, weights = _paper(paper_X, paper_W_1, paper_b_1, paper_W_2, paper_b_2)
        tokens, shuffle, seed, other = [f"x{i + 1}" for i in range(len(X))], 0, 0, X + 1
        units = [f"h{j + 1}" for j in range(weights["W_1"].shape[1])]
    else:
        tokens, d_model = sentence(tokens), whole("d_model", d_model, least=1, most=WIDEST)
        d_ff = d_model * whole("multiple", multiple, least=1, most=MOST_TIMES)
        seed = whole("seed", seed, least=0)
        X, other = (token_vectors(words, d_model, seed=seed) for words in (tokens, _primed(tokens)))
        make = _random if weight_set == "random" else detectors
        weights, units, asked = make(tokens, d_model, d_ff, seed)
    if not bias and weight_set != "detectors":
        weights |= {"b_1": None, "b_2": None}

    n, (d_model, d_ff) = len(tokens), weights["W_1"].shape
    unit, changed = whole("unit", unit, least=1, most=d_ff), whole("changed", changed, least=0, most=n)
    order = word_order(n, shuffle)
    shown = [tokens[i] for i in order]
    shown_changed = [_primed([token])[0] if i + 1 == changed else token for i, token in enumerate(shown)]

    # All comparisons come before the shown pass, so that the last thing any trace records is the shown one.
    with trace() as seen:
        feed_forward(X, **weights, activation=activation)
        seen.need(*PICTURES)
    original = {name: seen[name][order] for name in ("output", "pre_activation")}
    X, other = X[order], other[order]
    reach = max(4.0, np.ceil(abs(original["pre_activation"][:, unit - 1]).max()))
    curve_x = np.linspace(-reach, reach, 161)
    curves = np.stack([curve(curve_x) for curve in ACTIVATIONS.values()])
    attention = init_attention(np.random.default_rng([seed, 1]), d_model)
    biases = {name.replace("W", "b"): np.zeros(d_model) for name in attention if weights["b_1"] is not None}
    if changed:
        moved = X.copy()
        moved[changed - 1] = other[changed - 1]
        output_changed = feed_forward(moved, **weights, activation=activation)
        attend = [multi_head_attention(each, **attention, **biases, num_heads=1) for each in (X, moved)]

    with trace() as seen:
        see("X", X)
        for name, values in weights.items():
            if values is not None:
                see(name, values)
        output = feed_forward(X, **weights, activation=activation)
        hidden = seen["hidden"]
        fires = hidden > 0
        per_unit = see("firing_units", fires.sum(axis=0))
        see("firing_positions", fires.mean(axis=-1))
        see("units_by_count", np.bincount(per_unit, minlength=n + 1))
        _watch_unit(unit - 1, seen, weights)
        if changed:
            see("X_changed", moved)
            difference = see("difference", see("output_changed", output_changed) - output)
            mixed = see("difference_attention", attend[1] - attend[0])
            see("rows_changed", _rows(difference))
            see("rows_changed_attention", _rows(mixed))
        if shuffle:
            shuffled = see("difference_shuffled", output - see("output_original", original["output"]))
            see("max_change", abs(shuffled).max())

    facts = {
        "tokens": shown,
        "tokens_changed": shown_changed,
        "n": n,
        "d_model": d_model,
        "d_ff": d_ff,
        "activation": activation,
        "unit": unit,
        "unit_name": units[unit - 1],
        "unit_names": units,
        "cells": hidden.size,
        "fired": int(fires.sum()),
        "zeros": int((hidden == 0).sum()),
        "silent_units": int((per_unit == 0).sum()),
        "lowest": hidden.min(),
        "curve_x": curve_x,
        "curves": curves,
        "curve_names": list(ACTIVATIONS),
        **_count(attention | biases, weights),
    }
    if weight_set == "detectors":
        facts["misfires"] = int((fires != asked[order]).sum())
    return {**facts, **seen}


def _primed(tokens):
    """The names of other words, and so, by token_vectors, of other vectors."""
    return [f"{token}′" for token in tokens]


def _watch_unit(j, seen, weights):
    """What unit j reads, how it answers each position, what it writes, and what it thereby adds to the output."""
    see("unit_pre_activation", seen["pre_activation"][:, j])
    see("unit_reads", weights["W_1"][:, j])
    answers, writes = see("unit_hidden", seen["hidden"][:, j]), see("unit_writes", weights["W_2"][j])
    see("contribution", answers[:, None] * writes)


def _rows(difference):
    return int((abs(difference).max(axis=-1) > SAME).sum())


def _count(attention, feed_forward):
    """How many numbers each array holds, attention's first."""
    counts = [
        {name: values.size for name, values in arrays.items() if values is not None}
        for arrays in (attention, feed_forward)
    ]
    ends = [np.cumsum([*count.values()]) for count in counts]  # where each array ends in a bar of its block
    spans = [np.stack([end - [*count.values()], end], axis=-1) for end, count in zip(ends, counts, strict=True)]
    return {
        "parameter_names": [name for count in counts for name in count],
        "parameter_blocks": [block for block, count in zip(("attention", "ffn"), counts, strict=True) for _ in count],
        "parameter_counts": np.array([size for count in counts for size in count.values()]),
        "parameter_spans": np.concatenate(spans),  # [arrays, 2]
        "parameters_attention": sum(counts[0].values()),
        "parameters_ffn": sum(counts[1].values()),
        "parameter_ratio": sum(counts[1].values()) / sum(counts[0].values()),
    }


# Each set: the weights, the names of the hidden units, and at which positions which unit should fire (None: no plan).


def _random(tokens, d_model, d_ff, seed):
    rng = np.random.default_rng(seed)
    weights = init_feed_forward(rng, d_model, d_ff)
    biases = {name: rng.standard_normal(weights[name].size) / 2 for name in ("b_1", "b_2")}  # as if training moved them
    return weights | biases, [f"h{j + 1}" for j in range(d_ff)], None


def detectors(tokens, d_model, d_ff, seed):
    """Each unit asks "is it this word?", then "is it one of these two?", and over again; what it writes is random.

    The keys are the pseudo-inverse of the words' vectors, so that word . key is 1 for its own word and 0 for the
    others, as long as there are no more words than dimensions. Doubled, minus a threshold of 1: +1 and -1.
    """
    words = list(dict.fromkeys(tokens))
    questions = chain(combinations(range(len(words)), 1), combinations(range(len(words)), 2))
    groups = list(islice(cycle(questions), d_ff))
    member = np.stack([np.isin(np.arange(len(words)), group) for group in groups], axis=-1)  # [words, d_ff]
    keys = np.linalg.pinv(token_vectors(words, d_model, seed=seed))  # [d_model, words]
    weights = {
        "W_1": 2 * keys @ member,
        "b_1": -np.ones(d_ff),
        "W_2": np.random.default_rng(seed).standard_normal((d_ff, d_model)) / math.sqrt(d_ff),
        "b_2": np.zeros(d_model),
    }
    names = ["/".join(words[i] for i in group) for group in groups]
    return weights, names, member[[words.index(token) for token in tokens]]


def _paper(X, W_1, b_1, W_2, b_2):
    X = matrix("paper_X", X, None, None, most=MOST)
    W_1 = matrix("paper_W_1", W_1, X.shape[1], None, most=MOST)
    W_2 = matrix("paper_W_2", W_2, W_1.shape[1], X.shape[1], most=MOST)
    b_1 = matrix("paper_b_1", b_1, 1, W_1.shape[1], most=MOST)[0]
    b_2 = matrix("paper_b_2", b_2, 1, X.shape[1], most=MOST)[0]
    return X, {"W_1": W_1, "b_1": b_1, "W_2": W_2, "b_2": b_2}
