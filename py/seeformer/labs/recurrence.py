"""Why Transformers: an RNN, an LSTM and self-attention read the same sentence, none of them trained.

Three questions to each: how much the output at one position depends on the input at another (exactly, by derivatives),
through how many positions what is known has to be handed on, and how many steps must wait for each other. How long
that takes on the reader's machine is measured only when asked for: ``measure`` is the page's Run, never a parameter in
an address.
"""

from functools import lru_cache

import numpy as np

from ..attention import init_attention, multi_head_attention
from ..checks import finite, flag, whole
from ..learn.dependence import dependence
from ..mask import causal as causal_mask
from ..recurrence import lstm, lstm_cell, rnn
from ..recurrence_weights import init_lstm, init_rnn
from ..sentence import sentence
from ..token_vectors import token_vectors
from ..trace import see, trace
from .recurrence_timing import empty, timings

NETWORKS = ("rnn", "lstm", "attention")
LONGEST, WIDEST = 32, 16  # the derivatives of n * hidden numbers by n * hidden numbers
GATES = ("input_gate", "forget_gate", "candidate", "output_gate", "cell")


def run(
    *,
    tokens=tuple("猫坐在垫子上，因为它累了，想睡觉"),
    network="rnn",
    n=16,
    hidden=8,
    recurrent_scale=0.9,
    forget_bias=1.0,
    causal=True,
    seed=0,
    measure=False,
):
    """What the three make of the sentence, and, if asked for, their times.

    Parameters
    ----------
    tokens : list of str, 1 to 128
    network : {"rnn", "lstm", "attention"}
        Which of the three is shown step by step.
    n : int, 2 to 32
        How many tokens are read: the sentence is cut, or begun again, to be so long.
    hidden : int, 1 to 16
        The width of everything: of the vectors, of the states, of attention.
    recurrent_scale : float, 0 to 4
        The spectral radius of W_h, of each of its four blocks in the LSTM.
    forget_bias : float, -6 to 6
    causal : bool
        Whether attention, too, sees only what came before.
    seed : int
    measure : bool
        Whether to measure. Then this is a generator that yields after each turn.

    Returns
    -------
    dict
        What the trace saw, by the names of the kernels, and for each of the three networks <network>_dependence [n, n]
        (outputs, inputs), <network>_total [n] its row sums and <network>_share [n, n] the rows divided by them;
        last [3, n] the last row of each share by distance from the end; path_recurrent, path_attention [n, n].
    """
    if network not in NETWORKS:
        raise ValueError(f"network={network!r} is unknown: use one of {', '.join(NETWORKS)}")
    tokens, n = sentence(tokens), whole("n", n, least=2, most=LONGEST)
    hidden = whole("hidden", hidden, least=1, most=WIDEST)
    recurrent_scale = finite("recurrent_scale", recurrent_scale, least=0, most=4)
    forget_bias = finite("forget_bias", forget_bias, least=-6, most=6)
    causal, seed = flag("causal", causal), whole("seed", seed, least=0)
    tokens = [tokens[t % len(tokens)] for t in range(n)]
    settings = {"rnn": (recurrent_scale,), "lstm": (recurrent_scale, forget_bias), "attention": (causal,)}
    facts = {"tokens": tokens, "n": n, "hidden": hidden, "causal": int(causal), "networks": list(NETWORKS)}

    for name in NETWORKS:
        of_pairs = see(f"{name}_dependence", _dependence(name, tuple(tokens), hidden, seed, *settings[name]))
        total = of_pairs.sum(axis=-1)
        share = see(f"{name}_share", of_pairs / total[:, None])
        facts |= {f"{name}_dependence": of_pairs, f"{name}_total": total, f"{name}_share": share}
        facts[f"{name}_first"] = 100 * share[-1, 0]
    facts["last"] = see("last", np.stack([facts[f"{name}_share"][-1, ::-1] for name in NETWORKS]))
    facts |= _paths(n, causal) | _work(n, hidden)

    X = see("X", token_vectors(tokens, hidden, seed=seed))
    facts |= {"network": network, "X": X, **STEPS[network](X, *_network(network, hidden, seed, n, *settings[network]))}
    return _measured(facts) if flag("measure", measure) else facts | empty()


def _measured(facts):
    for told in timings():
        yield facts | told


def _network(name, hidden, seed, n, *settings):
    """(the function of [..., n, hidden], its weights)."""
    rng = np.random.default_rng([seed, NETWORKS.index(name)])
    if name == "rnn":
        weights = init_rnn(rng, hidden, hidden, scale=settings[0])
        return lambda X: rnn(X, **weights), weights
    if name == "lstm":
        weights = init_lstm(rng, hidden, hidden, scale=settings[0], forget_bias=settings[1])
        return lambda X: lstm(X, **weights)[0], weights
    weights, mask = init_attention(rng, hidden), causal_mask(n) if settings[0] else None
    return lambda X: multi_head_attention(X, **weights, num_heads=1, mask=mask), weights


@lru_cache(maxsize=32)  # most controls touch one of the three
def _dependence(name, tokens, hidden, seed, *settings):
    f, _ = _network(name, hidden, seed, len(tokens), *settings)
    return dependence(f, token_vectors(tokens, hidden, seed=seed))


# The steps of each network by the names of the kernels, and the matrices that a cell's arithmetic needs.


def _of_rnn(X, f, weights):
    with trace() as seen:
        f(X)
    seen.need("from_input", "rnn_states")
    return {name: seen[name] for name in ("from_input", "rnn_states")} | _seen(weights, "W_x", "W_h")


def _of_lstm(X, f, weights):
    with trace() as seen:
        f(X)
    seen.need("gates_from_input", "lstm_states")
    h = c = np.zeros(X.shape[-1])
    steps = []
    for x in X:
        with trace() as step:
            h, c = lstm_cell(x, h, c, **weights)
        step.need(*GATES)
        steps.append(step)
    facts = {name: np.stack([step[name] for step in steps]) for name in GATES}
    return facts | {name: seen[name] for name in ("gates_from_input", "lstm_states")} | {"W_h": weights["W_h"]}


def _of_attention(X, f, weights):
    with trace() as seen:
        f(X)
    seen.need("weights", "exp", "total", "concat", "output")
    heads = {name: seen[name][0] for name in ("weights", "exp", "total")}
    return heads | {name: seen[name] for name in ("concat", "output")} | _seen(weights, "W_O")


def _seen(weights, *names):
    return {name: see(name, weights[name]) for name in names}


STEPS = {"rnn": _of_rnn, "lstm": _of_lstm, "attention": _of_attention}


def _paths(n, causal):
    """How often what token s says is handed on before it is in output t; -inf where it never gets there."""
    t, s = np.arange(n)[:, None], np.arange(n)
    recurrent = np.where(s <= t, t - s, -np.inf)
    attention = np.where((s <= t) | (not causal), (s != t).astype(float), -np.inf)
    return {
        "path_recurrent": see("path_recurrent", recurrent),
        "path_attention": see("path_attention", attention),
        "when_recurrent": np.arange(1, n + 1),
        "when_attention": np.ones(n),
    }


def _work(n, hidden):
    """Of each network: steps that must wait for each other, the longest path, and multiplications."""
    square = hidden * hidden
    return {
        "waits": np.array([n, n, 1]),
        "longest": np.array([n - 1, n - 1, 1]),
        "products": np.array([2 * n * square, 8 * n * square, 4 * n * square + 2 * n * n * hidden]),
    }
