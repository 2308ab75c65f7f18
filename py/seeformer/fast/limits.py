"""What this chip can do at most in this engine, to hold a product's speed against."""

import sys

from .refusal import Refusal

FLOPS_A_ROUND = {"float32": 2 * 12 * 4, "float64": 2 * 12 * 2}  # of src/limit.h: two for each number of 12 registers
_LOOPS = {"float32": "float_limit", "float64": "double_limit"}


def limit(dtype="float32", seconds: float = 0.01) -> float:
    """GFLOP/s of multiply-adds on registers alone, one thread, measured now for about as long as `seconds`.

    Parameters
    ----------
    dtype : "float32" | "float64", or NumPy's
    seconds : float
        Of measuring; the first call takes longer, until the engine has compiled the loop well.

    Raises
    ------
    Refusal
        Outside Pyodide, or where the compiled module cannot be loaded.
    ValueError
        If there is no loop for the dtype.
    """
    name = getattr(dtype, "__name__", str(dtype))
    if name not in _LOOPS:
        raise ValueError(f"dtype={name} has no loop: use one of {', '.join(_LOOPS)}")
    if sys.platform != "emscripten":
        raise Refusal(f"this is Python on {sys.platform}: seeformer.fast is for Pyodide")
    timed = timed_loop(name)
    rounds = 4_000
    while (took := timed(rounds)) < seconds / 4:
        rounds *= 2
    rounds = 4 * max(1, int(rounds * seconds / took / 4))
    return rounds * FLOPS_A_ROUND[name] / timed(rounds) / 1e9


def timed_loop(name):
    """A function of the number of rounds (a multiple of 4) -> seconds."""
    import ctypes
    from time import perf_counter

    from .engine import best_build, load

    loop = getattr(load(best_build()), _LOOPS[name])
    loop.restype, loop.argtypes = ctypes.c_double, [ctypes.c_int, ctypes.c_double]

    def timed(rounds):
        begun = perf_counter()
        loop(rounds, 0.5)
        return perf_counter() - begun

    return timed
