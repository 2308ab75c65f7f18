# Runs inside Pyodide after bench/products.py, with BUILD given.
import ctypes

import seeformer.fast
from seeformer.fast import engine, limits, loops

engine.best_build = loops.best_build = lambda: BUILD  # noqa: F821
reading = ctypes.CDLL("/tmp/reading.wasm")
TURNS = 7
WARM = 5  # turns that do not count: the page was idle while the others had theirs, and its caches are theirs


def readers():
    for name in ("read_1", "read_2", "read_4"):
        loop = getattr(reading, name)
        loop.restype, loop.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_int]
        yield loop


def fastest(choices, cost):
    """A limit is that of the best loop, all tried in turns, after the optimising compiler had its time."""
    [cost(choice) for choice in choices for _ in range(40)]
    best = [min(costs) for costs in zip(*([cost(choice) for choice in choices] for _ in range(100)), strict=True)]
    return choices[best.index(min(best))]


CHAINS = {name: limits.timed_loop(name) for name in limits.FLOPS_A_ROUND}
weights = PRODUCTS["1 row x 768x3072"][1]  # noqa: F821
READER = fastest(list(readers()), lambda loop: seconds(loop, weights.ctypes.data, weights.nbytes))  # noqa: F821


def limit(name):
    """For about as long as the product takes, right before it: a busy machine hurts both alike."""
    left, right = PRODUCTS[name]  # noqa: F821
    if is_stream(name):  # noqa: F821
        return right.nbytes / 1e9 / seconds(READER, right.ctypes.data, right.nbytes, times=times(name))  # noqa: F821
    flops_a_round = limits.FLOPS_A_ROUND[left.dtype.name]
    rounds = 4 * (flops(left, right) * times(name) // flops_a_round // 4)  # noqa: F821
    return rounds * flops_a_round / 1e9 / CHAINS[left.dtype.name](rounds)


def round_of(name, with_stock):
    """{limit, fast, stock?, einsum?} in the same unit, and share, of the limit."""
    seeformer.fast.enable()
    pairs = [(limit(name), speed(name)) for _ in range(WARM + TURNS)][WARM:]  # noqa: F821
    told = {"limit": median(pair[0] for pair in pairs), "fast": median(pair[1] for pair in pairs)}  # noqa: F821
    told["share"] = median(fast / limit for limit, fast in pairs)  # noqa: F821
    if with_stock:
        seeformer.fast.disable()
        left, right = PRODUCTS[name]  # noqa: F821
        small = flops(left, right) < 1e5  # noqa: F821
        how = {"turns": 5 if small else 1, "divided": 1 if small else 16}
        told["stock"] = speed(name, **how)  # noqa: F821
        transposed = np.ascontiguousarray(right.swapaxes(-1, -2))  # noqa: F821
        einsum = lambda left, right: np.einsum("...ij,...kj->...ik", left, right)  # noqa: E731, F821
        told["einsum"] = speed(name, einsum, (left, transposed), **how)  # noqa: F821
    return told
