# Runs inside Pyodide (matmul.py), with BUILD given; the last line is [(product, unit, stock, fast, limit), ...].
import ctypes
from statistics import median
from time import perf_counter

import numpy as np

import seeformer.fast
from seeformer.fast import loops

loops.best_build = lambda: BUILD  # noqa: F821
limits = ctypes.CDLL("/tmp/limits.wasm")
TURNS = 25
random = np.random.default_rng(0)


def array(*shape, dtype=np.float32):
    return random.standard_normal(shape).astype(dtype)


def seconds(work, *arguments, times):
    begun = perf_counter()
    for _ in range(times):
        work(*arguments)
    return (perf_counter() - begun) / times


def chains(dtype):
    """The limit in flops a second is that of the best number of sums at a time."""
    name = "float" if dtype == np.float32 else "double"
    lanes = 16 // np.dtype(dtype).itemsize
    for count in (8, 10, 12):
        loop = getattr(limits, f"{name}_{count}")
        loop.restype, loop.argtypes = ctypes.c_double, [ctypes.c_int, ctypes.c_double]
        yield loop, 2 * lanes * count


BEST = {}
for dtype in (np.float32, np.float64):
    speeds = []
    for loop, flops in chains(dtype):
        seconds(loop, 10**6, 0.5, times=10)
        speeds.append(flops / min(seconds(loop, 40_000, 0.5, times=1) for _ in range(60)))
    BEST[dtype] = list(chains(dtype))[int(np.argmax(speeds))]

weights = array(768, 3072)
seconds(limits.read, ctypes.c_void_p(weights.ctypes.data), weights.nbytes, times=100)  # until it is well compiled
cases = {f"float32 {n}": (array(n, n), array(n, n)) for n in (8, 16, 32, 64, 128, 256, 512, 1024)}
cases |= {
    f"float64 {n}": (array(n, n, dtype=np.float64), array(n, n, dtype=np.float64)) for n in (8, 16, 128, 256, 512)
}
cases["16 x (128x64 @ 64x64)"] = array(16, 128, 64), array(16, 64, 64)
cases["8 heads, Q K^T"] = array(64, 8, 64).transpose(1, 0, 2), array(64, 8, 64).transpose(1, 2, 0)
cases["8 heads, weights V"] = array(8, 64, 64), array(64, 8, 64).transpose(1, 0, 2)
cases["1 row"] = array(1, 768), weights
cases["1 row, W.T"] = array(1, 768), np.ascontiguousarray(weights.T).T
cases["4 rows"] = array(4, 768), weights


def measure(name, left, right):
    product = np.matmul
    flops = 2 * product(left, right).size * left.shape[-1]
    dtype = left.dtype.type
    streams = "1 row" in name
    loop, flops_a_round = BEST[dtype]
    times = max(1, int(2e7 / flops))
    stock, fast, limit = [], [], []
    for turn in range(-3, TURNS):
        seeformer.fast.enable()
        if streams:
            bound = (
                right.nbytes
                / 1e9
                / seconds(limits.read, ctypes.c_void_p(weights.ctypes.data), weights.nbytes, times=times)
            )
        else:
            rounds = 4 * (flops * times // flops_a_round // 4)
            bound = rounds * flops_a_round / 1e9 / seconds(loop, rounds, 0.5, times=1)
        amount = right.nbytes if streams else flops
        speed = amount / 1e9 / seconds(product, left, right, times=times)
        if turn >= 0:
            limit.append(bound)
            fast.append(speed)
        if turn >= 0 and (turn % 5 == 0 or flops < 1e7):
            seeformer.fast.disable()
            stock.append(amount / 1e9 / seconds(product, left, right, times=max(1, times // 16)))
    return [name, "GB/s" if streams else "GFLOP/s", median(stock), median(fast), median(limit)]


[measure(name, *pair) for name, pair in cases.items()]
