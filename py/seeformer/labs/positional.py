"""Positional encoding: what it is, why attention needs it, how it is read, and what came later.

The lab is a row of small experiments, each a function below, on the same few settings.
"""

import math

import numpy as np

from ..alibi import alibi_slopes
from ..attention import init_attention, multi_head_attention, softmax
from ..checks import finite, whole
from ..mask import causal, combine
from ..positional import alibi, encode, learned, rotary, rotation, sinusoidal
from ..rates import rates
from ..sentence import sentence, word_order
from ..token_vectors import token_vectors
from ..trace import see, trace

LONGEST, WIDEST, MOST_TOKENS, MOST_HEADS = 128, 256, 32, 8  # what a browser tab draws at once
HIGHEST_BASE, FARTHEST, MOST_STEPS = 1e9, 1_000_000, 64
BASES = (10.0, 1000.0, 10000.0, 1e6)  # beside the chosen one
SAMPLES = 8  # points of a curve between two positions
CLOCKS = 8  # hands that are drawn


def run(
    *,
    seq_len=48,
    d_model=32,
    base=10000.0,
    offset=0,
    dims=(0, 1, 4, 6),
    tokens=("狗", "咬", "人"),
    shuffle=3,
    pair=2,
    pos=2,
    steps=4,
    layout="interleaved",
    num_heads=4,
    seed=0,
):
    """Every array of the lab.

    Parameters
    ----------
    seq_len : int, 1 to 128
    d_model : int, 1 to 256
        An odd width has a sine without its cosine: then there is no rotation, and no RoPE.
    base : float, 1 to 1e9
    offset : int, 0 to a million
        The first position.
    dims : list of int
        The columns of PE that are drawn as curves, 1 to 6 of them.
    tokens : list of str, 1 to 32
    shuffle : int
        k > 0 shuffles the words with seed k; 0 leaves them, and both sentences are the same.
    pair, pos, steps : int
        The hand: which pair of columns, from which position, how many steps onwards.
    layout : {"interleaved", "half"}
        Of RoPE.
    num_heads : int, 1 to 8
        Of ALiBi.
    seed : int
        Of the random words, weights and learned table.

    Returns
    -------
    dict
        By section: what it is, why it is needed, similarity, rotation, base, added or concatenated, what came later.
    """
    seq_len = whole("seq_len", seq_len, least=1, most=LONGEST)
    d_model = whole("d_model", d_model, least=1, most=WIDEST)
    base = finite("base", base, least=1, most=HIGHEST_BASE)
    offset = whole("offset", offset, least=0, most=FARTHEST)
    seed = whole("seed", seed, least=0)
    dims, tokens = _columns(dims, d_model), sentence(tokens, most=MOST_TOKENS)
    order = word_order(len(tokens), shuffle)
    pair = whole("pair", pair, least=0, most=(d_model + 1) // 2 - 1)
    pos = whole("pos", pos, least=0, most=FARTHEST)
    steps = whole("steps", steps, least=-MOST_STEPS, most=MOST_STEPS)
    num_heads = whole("num_heads", num_heads, least=1, most=MOST_HEADS)

    code = what_it_is(seq_len, d_model, base, offset, dims)
    return {
        **{"seq_len": seq_len, "d_model": d_model, "base": base, "offset": offset, "pairs": (d_model + 1) // 2},
        **{"tokens": tokens, "shuffled": [tokens[i] for i in order], "order": order},
        **{"pair": pair, "pos": pos, "steps": steps, "num_heads": num_heads},
        **code,
        **why_it_is_needed(tokens, order, d_model, base, offset, seed),
        **similarity(code["PE"], offset),
        **(turning(code["PE"], base, offset, pair, pos, steps) if d_model % 2 == 0 else {}),
        **what_base_does(seq_len, d_model, base, offset),
        **added_or_concatenated(tokens, d_model, base, offset, seed),
        **(rope(seq_len, d_model, base, offset, layout, seed) if d_model % 2 == 0 else {}),
        **other_ways(seq_len, d_model, num_heads, seed),
    }


def what_it_is(seq_len, d_model, base, offset, dims):
    """PE, the angles behind it, and a few of its columns as curves."""
    with trace() as seen:
        see("PE", sinusoidal(seq_len, d_model, base=base, offset=offset))  # [seq_len, d_model]
        seen.need("angles")
        see("rates", rates(d_model, base))  # [pairs]
    positions = np.arange(offset, offset + seq_len)
    between = offset + np.arange((seq_len - 1) * SAMPLES + 1) / SAMPLES
    return {
        **seen,
        "positions": positions.astype(str),
        "columns": np.arange(d_model).astype(str),
        "pair_numbers": np.arange((d_model + 1) // 2).astype(str),
        "dims": np.array(dims),
        "dim_names": [f"{'cos' if dim % 2 else 'sin'} {dim}" for dim in dims],
        "curve_positions": between,
        "curves": encode(between, d_model, base=base)[:, dims].T,  # [dims, positions]
        "point_positions": positions,
        "points": seen["PE"][:, dims].T,
    }


def why_it_is_needed(tokens, order, d_model, base, offset, seed):
    """The same random attention on the sentence and on the shuffled one, without and with positions."""
    weights = init_attention(np.random.default_rng(seed), d_model)

    def attend(words, positional):
        X = token_vectors(words, d_model, seed=seed)
        if positional:
            X = X + sinusoidal(len(words), d_model, base=base, offset=offset)
        return multi_head_attention(X, **weights, num_heads=1)

    shuffled = [tokens[i] for i in order]
    with trace() as seen:
        for name, positional in (("without", False), ("with", True)):
            before = see(f"output_{name}", attend(tokens, positional))
            after = see(f"shuffled_{name}", attend(shuffled, positional))
            difference = see(f"difference_{name}", after - before[order])  # each word with itself
            see(f"change_{name}", abs(difference).max())
    return _own(seen)


def similarity(PE, offset):
    """Every code with every other, and how that depends on the distance alone."""
    n = len(PE)
    with trace() as seen:
        alike = see("similarity", PE @ PE.T)  # [seq_len, seq_len]
        see("drift", _drift(alike))
        places = np.unique([0, (n - 1) // 2, n - 1])  # seen from the start, the middle and the end
        see("profiles", alike[places])
        see("profile_distances", np.arange(n) - places[:, None])
    return {**seen, "profile_names": (places + offset).astype(str)}


def turning(PE, base, offset, pair, pos, steps):
    """The rotation by ``steps``, on all of PE and on the hand of one pair."""
    d_model = PE.shape[1]
    columns = slice(2 * pair, 2 * pair + 2)
    clocks = np.unique([pair, *np.linspace(0, d_model // 2 - 1, CLOCKS).astype(int)])
    path = np.linspace(0, steps, max(32, SAMPLES * abs(steps)) + 1)  # on the way from pos to pos + steps
    with trace() as seen:
        turn = see("rotation", rotation(d_model, steps, base=base))  # [d_model, d_model]
        moved = see("moved", PE @ turn)
        later = see("later", sinusoidal(len(PE), d_model, base=base, offset=offset + steps))
        see("rotation_error", abs(moved - later).max())
        hand = see("hand", sinusoidal(1, d_model, base=base, offset=pos)[:, columns])  # [1, 2]
        see("hand_moved", hand @ see("turn", turn[columns, columns]))
        angle = see("angle", steps * rates(d_model, base)[pair])
        see("degrees", math.degrees(angle))
        sweeps = encode(pos + path, d_model, base=base).reshape(len(path), -1, 2)
        see("sweep", sweeps[:, pair])  # [points, 2], sine and cosine
        see("clock_sweeps", sweeps[:, clocks].swapaxes(0, 1))  # [clocks, points, 2]
        starts = see("starts", pos + np.arange(1, 5) * max(1, len(PE) // 5))
        see("start_sweeps", encode(starts[:, None] + path, d_model, base=base)[..., columns])
    facts = {"clocks": clocks, "after": pos + steps, "hand_columns": [str(2 * pair), str(2 * pair + 1)]}
    return {**_own(seen), **facts}


def what_base_does(seq_len, d_model, base, offset):
    """The same positions with other bases: wavelengths, similarity, and the two positions most alike."""
    bases = sorted({base, *(other for other in BASES if not 0.5 < other / base < 2)})
    codes = [sinusoidal(seq_len, d_model, base=each, offset=offset) for each in bases]
    wavelengths = np.stack([2 * math.pi / rates(d_model, each) for each in bases])
    chosen = bases.index(base)
    closest = _closest(codes[chosen], offset)
    with trace() as seen:
        see("wavelengths", wavelengths)  # [bases, pairs]
        see("slow_pairs", int((wavelengths[chosen] > seq_len).sum()))
        see("slowest", wavelengths[chosen, -1])
        see("fading", np.stack([code[0] @ code.T / (code[0] @ code[0] or 1) for code in codes]))  # [bases, seq_len]
        see("codes", np.stack(codes))
    facts = {"bases": np.array(bases), "chosen": chosen, "distances": np.arange(seq_len)}
    facts["base_names"] = [f"{each:.15g}" for each in bases]
    return {**facts, **seen, **closest}


def added_or_concatenated(tokens, d_model, base, offset, seed):
    """One projection of the sum, and of the two side by side: with W twice, one above the other, they agree."""
    W = init_attention(np.random.default_rng(seed), d_model)["W_Q"]
    with trace() as seen:
        embedding = see("embedding", token_vectors(tokens, d_model, seed=seed))
        code = see("code", sinusoidal(len(tokens), d_model, base=base, offset=offset))
        added = see("added", embedding + code)  # [n, d_model]
        concatenated = see("concatenated", np.concatenate([embedding, code], axis=-1))  # [n, 2 * d_model]
        W_Q = see("W_Q", W)  # [d_model, d_model]
        W_twice = see("W_twice", np.concatenate([W, W]))  # [2 * d_model, d_model]
        one = see("Q_added", added @ W_Q)
        other = see("Q_concatenated", concatenated @ W_twice)
        see("sum_error", abs(one - other).max())
        see("parameters_added", W_Q.size)
        see("parameters_concatenated", W_twice.size)
    return _own(seen)


def rope(seq_len, d_model, base, offset, layout, seed):
    """One query and one key, the same at every position, turned by where they stand."""
    q, k = np.random.default_rng(seed).standard_normal((2, d_model))
    with trace() as seen:
        queries, keys = see("queries", np.tile(q, (seq_len, 1))), see("keys", np.tile(k, (seq_len, 1)))
        rotated_queries = see("rotated_queries", rotary(queries, base=base, offset=offset, layout=layout))
        rotated_keys = see("rotated_keys", rotary(keys, base=base, offset=offset, layout=layout))
        meet = see("rope_scores", rotated_queries @ rotated_keys.T)
        see("rope_drift", _drift(meet))
        see("rope_stretch", abs(np.linalg.norm(rotated_queries, axis=-1) - np.linalg.norm(q)).max())
        see("turns", seen["turns"])
    return _own(seen)


def other_ways(seq_len, d_model, num_heads, seed):
    """A table of trainable vectors before any training, and ALiBi where all scores are equal."""
    with trace() as seen:
        table = see("learned", learned(np.random.default_rng(seed), seq_len, d_model))
        see("learned_similarity", table @ table.T)
        see("slopes", alibi_slopes(num_heads))
        bias = see("alibi", combine(alibi(num_heads, seq_len), causal(seq_len)))  # [num_heads, seq_len, seq_len]
        see("alibi_weights", softmax(bias))
    return _own(seen)


def _columns(dims, d_model):
    if not isinstance(dims, (list, tuple)) or not 1 <= len(dims) <= 6:
        raise ValueError(f"dims={dims!r} is not a list of 1 to 6 columns: use one such as [0, 1, 4]")
    return [whole("dims", dim, least=0, most=d_model - 1) for dim in dims]


def _own(seen):
    """What this file named; what the kernels named inside is another lab's business."""
    return {name: value for name, value in seen.items() if seen.lines[name][0] == __name__}


def _drift(table):
    """How much an entry changes at most when both its positions go one step on: 0 if only their distance counts."""
    return abs(table[1:, 1:] - table[:-1, :-1]).max(initial=0)


def _closest(code, offset):
    """Which two positions have the most similar codes, and how far apart these are."""
    if len(code) < 2:
        return {}
    size = (code**2).sum(axis=-1)
    gaps = np.sqrt(np.maximum(size[:, None] + size - 2 * code @ code.T, 0))
    i, j = np.unravel_index(np.argmin(gaps.round(9) + np.diag(np.full(len(code), np.inf))), gaps.shape)
    return {"closest_first": offset + i, "closest_second": offset + j, "closest_gap": gaps[i, j]}
