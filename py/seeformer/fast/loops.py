"""Puts the compiled loops into NumPy's ufuncs, all or none, and takes them out again."""

import ctypes

import numpy as np

from .engine import best_build, load
from .numpy_ufunc import Slot, check_versions
from .refusal import Refusal

PRODUCTS = ("matmul", "matvec", "vecmat", "vecdot")  # the last three where NumPy has them: 2.0 and 2.2
SIGNATURES = dict.fromkeys((*PRODUCTS, "maximum"), ("ff->f", "dd->d")) | dict.fromkeys(
    ("exp", "tanh"), ("f->f", "d->d")
)
PREFIXES = {"f": "float", "d": "double"}

_taken: list[tuple[Slot, int, int]] = []  # (slot, NumPy's own loop, ours)
_library: ctypes.CDLL | None = None  # ufuncs point into it: it is never let go


def put_in_place() -> dict:
    """-> {build, loops}; raises Refusal and leaves NumPy as it was where something is not as expected."""
    global _library
    build = best_build()
    if not _taken:
        check_versions()
        slots = [Slot(ufunc, types) for ufunc in _ufuncs() for types in SIGNATURES[ufunc.__name__]]
        _library = load(build)
        own = (ctypes.c_void_p * len(slots)).from_address(_place_of_own_loops())
        try:
            for slot in slots:
                types = slot.name.split()[1]
                ours = _address(f"{PREFIXES[types[0]]}_{slot.ufunc.__name__}")
                if slot.loop != ours:  # else a copy of this package, since imported anew, was here before
                    own[len(_taken)] = slot.loop
                _taken.append((slot, own[len(_taken)], ours))
                if slot.loop != ours:
                    slot.put(ours)
            _check_results()
        except BaseException:
            put_back()
            raise
    return {"build": build, "loops": [slot.name for slot, _, _ in _taken]}


def put_back() -> None:
    while _taken:
        slot, own, ours = _taken.pop()
        if slot.loop == ours:  # else somebody has put another one there since, which is not ours to remove
            slot.put(own)


def _ufuncs() -> list[np.ufunc]:
    return [getattr(np, name) for name in SIGNATURES if isinstance(getattr(np, name, None), np.ufunc)]


def _address(name: str) -> int:
    try:
        return ctypes.cast(getattr(_library, name), ctypes.c_void_p).value
    except AttributeError as error:
        raise Refusal(f"the module has no {name}: install seeformer again") from error


def _place_of_own_loops() -> int:
    place = ctypes.CFUNCTYPE(ctypes.c_void_p)(_address("own_loops_place"))()
    if not place:
        raise Refusal("the module keeps no loops: install seeformer again")
    return place


def _check_results() -> None:
    """Whole numbers, whose sums are exact however they are added, and the exact values of the others."""
    for number in (np.float32, np.float64):
        left, right = np.arange(9 * 7).reshape(9, 7), np.arange(7 * 11).reshape(7, 11)
        ends = np.array([0, -np.inf, np.inf], number)
        results = {
            "sums": (left.astype(number) @ right.astype(number), left @ right),
            "exp": (np.exp(ends), [1, 0, np.inf]),
            "tanh": (np.tanh(ends), [0, -1, 1]),
            "maximum": (np.maximum(ends, number(1)), [1, 1, np.inf]),
        }
        for name, (got, exact) in results.items():
            if not np.array_equal(got, exact):
                raise Refusal(f"the check of {number.__name__} {name} failed")
