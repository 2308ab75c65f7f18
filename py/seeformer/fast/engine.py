"""The compiled module that this engine can run."""

import ctypes
from pathlib import Path

from .refusal import Refusal

# The smallest modules with one instruction of each kind: () -> v128, i.e. f32x4.relaxed_madd (or f32x4.add) of zeros.
_SPLAT = "4100fd0f"  # i32.const 0, i8x16.splat
_HEAD = "0061736d01000000010501600001" + "7b030201000a"  # magic, type () -> v128, one function, code


def _probe(operands: int, opcode: str) -> bytes:
    code = "00" + _SPLAT * operands + opcode + "0b"
    body = f"{len(code) // 2:02x}{code}"
    section = f"01{body}"
    return bytes.fromhex(f"{_HEAD}{len(section) // 2:02x}{section}")


PROBES = {"relaxed": _probe(3, "fd8502"), "plain": _probe(2, "fde401")}  # the better one first


def best_build() -> str:
    """The name of the build: relaxed (the chip's FMA) where the engine has it, else plain."""
    from js import WebAssembly
    from pyodide.ffi import to_js

    for build, probe in PROBES.items():
        if WebAssembly.validate(to_js(probe)):
            return build
    raise Refusal("this engine has no WebAssembly SIMD: use a newer browser")


def load(build: str) -> ctypes.CDLL:
    """The module, in NumPy's own memory and function table."""
    # Named .wasm, not .so: micropip loads every .so of a wheel, and one that does not compile fails the install.
    path = Path(__file__).with_name(f"loops-{build}.wasm")
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise Refusal(f"{path.name} cannot be loaded here ({error}): install seeformer again") from error
