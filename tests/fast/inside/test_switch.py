"""On, off, twice, and refusals that leave NumPy as it was."""

import ctypes
import importlib

import numpy as np
import pytest

import seeformer.fast
from seeformer.fast import engine, loops, numpy_ufunc


def every_slot():
    return [numpy_ufunc.Slot(ufunc, types) for ufunc in loops._ufuncs() for types in loops.SIGNATURES[ufunc.__name__]]


def there():
    """The addresses of the loops that NumPy has now."""
    return [slot.loop for slot in every_slot()]


@pytest.fixture(autouse=True)
def own():
    seeformer.fast.disable()
    before = there()
    yield before
    seeformer.fast.disable()
    assert there() == before


def test_on_and_off(own):
    status = seeformer.fast.enable()
    assert status["enabled"] and status["reason"] is None and status["build"] in ("plain", "relaxed")
    assert len(status["loops"]) == 2 * len(loops._ufuncs()) and status == seeformer.fast.status()
    assert not set(there()) & set(own)
    assert seeformer.fast.disable() == {"enabled": False, "build": None, "loops": [], "reason": "disabled"}
    assert there() == own


def test_twice_is_harmless(own):
    first = seeformer.fast.enable()
    ours = there()
    assert seeformer.fast.enable() == first and there() == ours
    seeformer.fast.disable()
    seeformer.fast.disable()
    assert there() == own


def test_a_second_copy_of_the_package(own):
    """One that was imported anew finds NumPy's own loops where the first one has left them."""
    seeformer.fast.enable()
    ours = there()
    importlib.reload(loops)
    assert seeformer.fast.enable()["enabled"] and there() == ours
    seeformer.fast.disable()
    assert there() == own


def test_what_somebody_else_has_put_there_since_stays(own):
    seeformer.fast.enable()
    slot = numpy_ufunc.Slot(np.exp, "f->f")
    ours, other = slot.loop, ctypes.cast(engine.load("plain").float_exp, ctypes.c_void_p).value
    slot.put(other)
    seeformer.fast.disable()
    left = slot.loop
    slot.put(own[[each.name for each in every_slot()].index(slot.name)])
    assert left == other != ours


def test_the_better_build_that_the_engine_has(monkeypatch):
    assert engine.best_build() == "relaxed"  # Chromium
    monkeypatch.setattr(engine, "PROBES", {"relaxed": b"not in this engine", "plain": engine.PROBES["plain"]})
    assert engine.best_build() == "plain"


@pytest.mark.parametrize("build", ["plain", "relaxed"])
def test_both_builds(build, monkeypatch):
    monkeypatch.setattr(loops, "best_build", lambda: build)
    assert seeformer.fast.enable()["build"] == build
    left = np.arange(900.0).reshape(30, 30)
    assert np.array_equal(left @ left, np.einsum("ij,jk->ik", left, left))


def refused(monkeypatch, capsys, own):
    status = seeformer.fast.enable()
    monkeypatch.undo()
    words = capsys.readouterr().err
    assert not status["enabled"] and there() == own
    assert words == f"seeformer.fast: not enabled: {status['reason']}\n"
    return status["reason"]


def test_an_unknown_numpy(monkeypatch, capsys, own):
    monkeypatch.setattr(np, "__version__", "3.0.1")
    assert "NumPy 3.0.1 is unknown" in refused(monkeypatch, capsys, own)


def test_an_unknown_pyodide(monkeypatch, capsys, own):
    monkeypatch.setattr("pyodide.__version__", "400.1.0")
    assert "Pyodide 400.1.0 is unknown" in refused(monkeypatch, capsys, own)


def test_an_engine_without_simd(monkeypatch, capsys, own):
    monkeypatch.setattr(engine, "PROBES", {"plain": b"no module"})
    assert "no WebAssembly SIMD" in refused(monkeypatch, capsys, own)


def test_a_missing_module(monkeypatch, capsys, own):
    monkeypatch.setattr(loops, "best_build", lambda: "absent")
    assert "loops-absent.wasm cannot be loaded" in refused(monkeypatch, capsys, own)


def test_a_ufunc_that_lies_otherwise(monkeypatch, capsys, own):
    class Other(ctypes.Structure):
        _fields_ = [("padding", ctypes.c_int), *numpy_ufunc._Ufunc._fields_[:-1]]

    monkeypatch.setattr(numpy_ufunc, "_Ufunc", Other)
    assert "does not lie in memory" in refused(monkeypatch, capsys, own)


def test_a_table_that_is_another(monkeypatch, capsys, own):
    def other():
        raise numpy_ufunc.Refusal("the C API is not as expected")

    monkeypatch.setattr(numpy_ufunc, "_replace", other)
    assert "not as expected" in refused(monkeypatch, capsys, own)


def test_a_numpy_that_does_not_take_a_loop(monkeypatch, capsys, own):
    monkeypatch.setattr(numpy_ufunc, "_replace", lambda: lambda *given: 0)
    assert "did not take another loop for matmul ff->f" in refused(monkeypatch, capsys, own)


def test_sums_that_are_wrong(monkeypatch, capsys, own):
    """Found after the loops were put there: all of them are taken out again."""
    monkeypatch.setattr(loops, "PREFIXES", {"f": "double", "d": "float"})
    assert "sums failed" in refused(monkeypatch, capsys, own)
