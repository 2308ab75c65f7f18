"""Times an RNN, an LSTM and self-attention on sequences of growing length, in turns.

In turns, so that a busy machine hurts all alike, and the fastest of them counts, for whatever else the machine does
only adds to a time. Never for long, because labs and cells share one interpreter.
"""

from time import perf_counter

import numpy as np

from ..attention import init_attention, multi_head_attention
from ..recurrence import lstm, rnn
from ..recurrence_weights import init_lstm, init_rnn
from ..trace import see

WIDTH = 64  # of all three
LENGTHS = (16, 32, 64, 128, 256, 512, 1024)
TURNS, FEWEST = 7, 2
PATIENCE = 1.8  # seconds, after which no further turn begins
AT_LEAST = 0.002  # seconds of one timing: less is mostly noise


def timings():
    """Yields what ``told`` gives after each turn."""
    runs = _runs()
    began, samples = perf_counter(), []
    for turn in range(TURNS):
        if turn >= FEWEST and perf_counter() - began > PATIENCE:
            return
        samples.append([[_milliseconds(each) for each in row] for row in runs])
        yield told(np.min(samples, axis=0), turn + 1)


def empty():
    """As if measured, with nothing in it."""
    return told(np.full((3, len(LENGTHS)), np.nan), 0)


def told(times, turn):
    """The shortest times [3, lengths] in ms, how they grow over the last doubling, and which attention still wins."""
    recurrent, attention = times[0], times[2]
    ahead = [length for length, a, b in zip(LENGTHS, attention, recurrent, strict=True) if a < b]
    return {
        "times": see("times", times),
        "lengths": np.array(LENGTHS),
        "timed_width": WIDTH,
        "turn": turn,
        "doubling": times[:, -1] / times[:, -2],
        "step_us": 1000 * times[:2, -1] / LENGTHS[-1],
        "ahead": max(ahead, default=0),
    }


def _runs():
    """A function without arguments for each network and length, warmed up."""
    rng = np.random.default_rng(0)
    made = dict(dtype=np.float32)
    of_rnn, of_lstm = (init(rng, WIDTH, WIDTH, **made) for init in (init_rnn, init_lstm))
    of_attention = init_attention(rng, WIDTH, **made)
    inputs = [rng.standard_normal((n, WIDTH)).astype(np.float32) for n in LENGTHS]
    networks = (
        lambda X: rnn(X, **of_rnn),
        lambda X: lstm(X, **of_lstm),
        lambda X: multi_head_attention(X, **of_attention, num_heads=1),
    )
    for network in networks:
        network(inputs[0])
    return [[lambda f=f, X=X: f(X) for X in inputs] for f in networks]


def _milliseconds(call):
    """One call, as the mean of as many as the time has room for."""
    times, began = 0, perf_counter()
    while (took := perf_counter() - began) < AT_LEAST or not times:
        call()
        times += 1
    return 1000 * took / times
