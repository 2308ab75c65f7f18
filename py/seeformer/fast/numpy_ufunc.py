"""NumPy's ufunc objects and the one function of its C API that exchanges an inner loop, checked before use."""

import ctypes
import sys
from functools import cache

import numpy as np

from .refusal import Refusal

KNOWN_NUMPY = ("1.26", "2.0", "2.2", "2.4")
KNOWN_PYODIDE = ("0.26", "0.27", "0.28", "314.0")
NUMBERS = {"f": 11, "d": 12}  # NPY_FLOAT, NPY_DOUBLE
REPLACE_LOOP_BY_SIGNATURE = 30  # its place in the table of numpy/__ufunc_api.h since NumPy 1.0


class _Ufunc(ctypes.Structure):
    """The head of PyUFuncObject (numpy/ufuncobject.h), the same since NumPy 1.0."""

    _fields_ = [
        ("ob_refcnt", ctypes.c_ssize_t),
        ("ob_type", ctypes.c_void_p),
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.c_void_p),
        ("ntypes", ctypes.c_int),
        ("reserved", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("types", ctypes.POINTER(ctypes.c_char)),
    ]


def check_versions() -> None:
    import pyodide

    for name, version, known in (
        ("NumPy", np.__version__, KNOWN_NUMPY),
        ("Pyodide", pyodide.__version__, KNOWN_PYODIDE),
    ):
        if ".".join(version.split(".")[:2]) not in known:
            raise Refusal(f"{name} {version} is unknown here (known: {', '.join(known)}): install a newer seeformer")
    if ctypes.sizeof(ctypes.c_void_p) != 4 or ctypes.sizeof(_Ufunc) != 48:
        raise Refusal(f"{sys.platform} with {ctypes.sizeof(ctypes.c_void_p)}-byte pointers is unknown here")


class Slot:
    """The place of one inner loop: a ufunc and one of its signatures, such as "ff->f"."""

    def __init__(self, ufunc: np.ufunc, signature: str):
        self.ufunc = ufunc
        self.name = f"{ufunc.__name__} {signature}"
        self.numbers = [NUMBERS[letter] for letter in signature.replace("->", "")]
        self._head = _Ufunc.from_address(id(ufunc))
        self._index = self._checked_index(signature)

    def _checked_index(self, signature: str) -> int:
        """Everything that Python knows of the ufunc has to stand in its memory as well."""
        head, ufunc = self._head, self.ufunc
        counts = (head.ob_type, head.nin, head.nout, head.nargs, head.ntypes)
        if counts != (id(np.ufunc), ufunc.nin, ufunc.nout, ufunc.nargs, ufunc.ntypes):
            raise Refusal(f"np.{ufunc.__name__} does not lie in memory as NumPy {np.__version__} should have it")
        if not (head.name and head.types and head.functions) or head.name != ufunc.__name__.encode():
            raise Refusal(f"np.{ufunc.__name__} has another name in memory")
        if signature not in ufunc.types:
            raise Refusal(f"np.{ufunc.__name__} has no loop {signature}")
        index = ufunc.types.index(signature)
        types = [head.types[index * ufunc.nargs + place][0] for place in range(ufunc.nargs)]
        if types != self.numbers:
            raise Refusal(f"the loop {signature} of np.{ufunc.__name__} is not where it should be")
        return index

    @property
    def loop(self) -> int:
        """The address of the loop that is there now."""
        return self._head.functions[self._index] or 0

    def put(self, loop: int) -> None:
        """Exchange the loop, through NumPy's public function."""
        before, replaced = self.loop, ctypes.c_void_p()
        failed = _replace()(self.ufunc, loop, (ctypes.c_int * 3)(*self.numbers), ctypes.byref(replaced))
        if failed or replaced.value != before or self.loop != loop:
            raise Refusal(f"NumPy {np.__version__} did not take another loop for {self.name}")


@cache
def _replace():
    """PyUFunc_ReplaceLoopBySignature(ufunc, new, types, &old) -> 0"""
    try:
        core = np._core if hasattr(np, "_core") else np.core
        capsule = core._multiarray_umath._UFUNC_API
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        table = (ctypes.c_void_p * (REPLACE_LOOP_BY_SIGNATURE + 1)).from_address(pointer(capsule, None))
    except (AttributeError, ValueError) as error:
        raise Refusal(f"NumPy {np.__version__} does not show its C API ({error})") from error
    if table[0] != id(np.ufunc) or not table[REPLACE_LOOP_BY_SIGNATURE]:
        raise Refusal(f"the C API of NumPy {np.__version__} is not as expected")
    numbers = ctypes.POINTER(ctypes.c_int)
    old = ctypes.POINTER(ctypes.c_void_p)
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p, numbers, old)
    return kind(table[REPLACE_LOOP_BY_SIGNATURE])
