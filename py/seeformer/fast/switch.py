"""On, off, and what is the case."""

import sys

from .refusal import Refusal

_state = {"enabled": False, "build": None, "loops": [], "reason": "enable() was not called"}


def enable() -> dict:
    """Put the fast loops under NumPy's ufuncs; a second time changes nothing. -> status()"""
    try:
        if sys.platform != "emscripten":
            raise Refusal(
                f"this is Python on {sys.platform}: seeformer.fast is for Pyodide, NumPy here has its own BLAS"
            )
        from .loops import put_in_place

        _state.update(put_in_place(), enabled=True, reason=None)
    except Refusal as refusal:
        _state.update(enabled=False, build=None, loops=[], reason=str(refusal))
        print(f"seeformer.fast: not enabled: {refusal}", file=sys.stderr)
    return status()


def disable() -> dict:
    """Give NumPy its own loops back; harmless where nothing was changed. -> status()"""
    if sys.platform == "emscripten":
        from .loops import put_back

        put_back()
    _state.update(enabled=False, build=None, loops=[], reason="disabled")
    return status()


def status() -> dict:
    """{enabled, build: "plain" | "relaxed" | None, loops: ["matmul ff->f", ...], reason: why it is not enabled}"""
    return {**_state, "loops": list(_state["loops"])}
