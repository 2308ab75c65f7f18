"""Normalization and the residual connection: which numbers share a mean, and why depth needs both.

The input is made so that the axes can be told apart: one token is louder than the others (a row), one feature is
larger than the others (a column). ``paper`` takes small integers instead.
"""

import math
from functools import lru_cache
from itertools import combinations

import numpy as np

from ..checks import finite, matrix, whole
from ..depth import VARIANTS, signal_sizes
from ..norm import NORMS, batch_norm, layer_norm, residual, rms_norm
from ..sentence import sentence
from ..token_vectors import token_vectors
from ..trace import see, trace

KINDS = {"layer": layer_norm, "batch": batch_norm, "rms": lambda x, gamma, beta, eps: rms_norm(x, gamma, eps)}
INPUTS = ("sentence", "paper")
MARKED = 2  # the token and the feature that stand out, or the last if there are fewer
WIDEST, MOST = 512, 1_000_000  # numbers beyond would overflow the float32 that the page draws
BINS = 30


def run(
    *,
    tokens=tuple("猫追老鼠，老鼠躲猫"),
    input="sentence",
    kind="layer",
    order="post",
    d_model=8,
    scale=1.0,
    shift=0.0,
    row_scale=4.0,
    column_shift=4.0,
    gamma=1.0,
    beta=0.0,
    eps_exponent=-5,
    depth=12,
    seed=0,
    paper_X=((1, 1, 5, 5), (0, 4, 0, 4), (3, 3, 3, 3)),
    paper_gamma=((1, 1, 1, 1),),
    paper_beta=((0, 0, 0, 0),),
    paper_W=((0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 2), (0, 0, 1, 0)),
):
    """Every step of one normalization, LayerNorm beside BatchNorm, one residual block, and a stack of many.

    Parameters
    ----------
    tokens : list of str, 1 to 128
    input : {"sentence", "paper"}
    kind : {"layer", "batch", "rms"}
        The normalization shown step by step.
    order : {"post", "pre", "none"}
        Of the residual block, whose sublayer is x W.
    d_model, seed : int
    scale, shift : float
        X = scale * (a vector for each token) + shift ...
    row_scale, column_shift : float
        ... with the third token multiplied by the one, and the other added to the third feature.
    gamma, beta : float
        One value for all features.
    eps_exponent : int
        eps = 10 ** eps_exponent.
    depth : int
        Layers of the stack (seeformer.depth).
    paper_X : [n, d_model], paper_gamma, paper_beta : [1, d_model], paper_W : [d_model, d_model]
        The numbers of "paper", which ignores tokens, d_model, scale, shift, row_scale, column_shift, gamma and beta.

    Returns
    -------
    dict
        What the trace saw, by the names of the kernels; those of the two norms side by side begin with "layer_" and
        "batch_". steps_<order> are the steps of a residual block as they followed each other, wires_<order> what each
        was computed from.
    """
    for name, value, known in (("input", input, INPUTS), ("kind", kind, tuple(KINDS)), ("order", order, NORMS)):
        if value not in known:
            raise ValueError(f"{name}={value!r} is unknown: use one of {', '.join(known)}")
    eps = 10.0 ** whole("eps_exponent", eps_exponent, least=-12, most=2)
    activations, gradients = _sizes(whole("depth", depth, least=1, most=48), whole("seed", seed, least=0))
    quiet = None  # the same input without the loud token
    if input == "paper":
        X, gamma, beta, W = _paper(paper_X, paper_gamma, paper_beta, paper_W)
        tokens = [f"x{i + 1}" for i in range(len(X))]
    else:
        tokens, d_model = sentence(tokens), whole("d_model", d_model, least=1, most=WIDEST)
        vectors = token_vectors(tokens, d_model, seed=seed)
        numbers = {"scale": scale, "shift": shift, "row_scale": row_scale, "column_shift": column_shift}
        numbers = {name: finite(name, value, least=-MOST, most=MOST) for name, value in numbers.items()}
        X, quiet = _standing_out(vectors, **numbers), _standing_out(vectors, **numbers | {"row_scale": 1.0})
        gamma, beta = (
            np.full(d_model, finite(name, value, least=-MOST, most=MOST))
            for name, value in (("gamma", gamma), ("beta", beta))
        )
        W = np.random.default_rng(seed).standard_normal((d_model, d_model)) / math.sqrt(d_model)

    marked = min(MARKED, len(tokens) - 1)
    see("X", X)
    facts = {
        "kind": kind,
        "order": order,
        "tokens": tokens,
        "n": len(tokens),
        "d_model": X.shape[1],
        "eps": eps,
        "marked": marked,
    }
    facts |= {"X": X, "gamma": gamma, "beta": beta, "W": W, "variants": list(VARIANTS)}
    facts |= {"activations": see("activations", activations), "gradients": see("gradients", gradients)}
    facts |= _side_by_side(X, quiet, marked, gamma, beta, eps)
    for each in sorted(NORMS, key=lambda each: each == order):  # the chosen one last: its lines are those on show
        steps, wires, arrays = _block(X, W, each, gamma, beta, eps)
        facts |= {f"steps_{each}": steps, f"wires_{each}": wires}
    with trace() as seen:
        output = KINDS[kind](X, gamma, beta, eps)
    seen.need("mean_square" if kind == "rms" else "mean", "normalized", "output")
    counts, edges = _histograms(X, output, marked)
    see("histogram", counts)
    return {**facts, **arrays, **seen, "histogram": counts, "edges": edges}


def _standing_out(vectors, *, scale, shift, row_scale, column_shift):
    n, d_model = vectors.shape
    row = np.arange(n)[:, None] == min(MARKED, n - 1)
    column = np.arange(d_model) == min(MARKED, d_model - 1)
    return (scale * vectors + shift) * np.where(row, row_scale, 1.0) + np.where(column, column_shift, 0.0)


def _paper(X, gamma, beta, W):
    X = matrix("paper_X", X, None, None, most=MOST)
    d_model = X.shape[1]
    gamma, beta = (
        matrix(name, x, 1, d_model, most=MOST)[0] for name, x in (("paper_gamma", gamma), ("paper_beta", beta))
    )
    return X, gamma, beta, matrix("paper_W", W, d_model, d_model, most=MOST)


def _side_by_side(X, quiet, marked, gamma, beta, eps):
    """LayerNorm and BatchNorm of the same X; and how far each moves when the marked token is no longer loud."""
    found = {}
    for name in ("layer", "batch"):
        with trace() as seen:
            output = see(f"{name}_output", KINDS[name](X, gamma, beta, eps))
        seen.need("mean", "variance")
        found |= {f"{name}_output": output}
        found |= {f"{name}_{step}": see(f"{name}_{step}", seen[step]) for step in ("mean", "variance")}
        if quiet is not None and len(X) > 1 and not np.array_equal(X, quiet):
            moved = see(f"{name}_moved", output - KINDS[name](quiet, gamma, beta, eps))
            others = np.arange(len(X)) != marked
            found |= {f"{name}_moved": moved, f"{name}_others": abs(moved[others]).max()}
    return found


def _block(X, W, order, gamma, beta, eps):
    """The steps of a residual block in the order of the trace; "a>b" for each a that b was computed from."""
    parameters = () if order == "none" else (gamma, beta)
    with trace() as seen:
        residual(X, lambda x: see("given", x) @ W, *parameters, norm=order, eps=eps)
    seen.need("change", "sum", *(() if order == "none" else ("normed", "before")))
    arrays = {name: value for name, value in seen.items() if name in ("normed", "change", "sum")}
    known = {"X": X, **arrays}
    wires = [
        f"{name}>{step}"
        for step, read in (("change", "given"), ("normed", "before"))
        for name, value in known.items()
        if value is seen.get(read)
    ]
    moments = {f"normed_{name}": seen[name] for name in ("mean", "variance") if name in seen}
    return list(arrays), wires + [f"{name}>sum" for name in _summands(known)], arrays | moments


def _summands(known):
    """The names of the arrays that make up "sum": two of them, or one if an edited kernel has lost the residual."""
    total, names = known["sum"], sorted(known.keys() - {"sum"}, key=("change", "X", "normed").index)
    pairs = (pair for pair in combinations(names, 2) if np.array_equal(known[pair[0]] + known[pair[1]], total))
    return next(pairs, [name for name in names if np.array_equal(known[name], total)])


def _histograms(X, output, marked):
    """Counts [before and after, the other tokens and the marked one, bins] in the same bins, and their edges."""
    both = np.concatenate([X, output])
    edges = np.histogram_bin_edges(both, bins=BINS)
    row = np.arange(len(X)) == marked
    counts = [[np.histogram(x[rows], bins=edges)[0] for rows in (~row, row)] for x in (X, output)]
    return np.array(counts), edges


@lru_cache(maxsize=8)  # the other controls do not touch it
def _sizes(depth, seed):
    """Activations and gradients [variants, depth + 1]."""
    sizes = [signal_sizes(variant, depth, seed=seed) for variant in VARIANTS]
    return tuple(np.array(each) for each in zip(*sizes, strict=True))
