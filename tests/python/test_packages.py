"""A missing package: which, why, and what to do."""

import sys
import types

import pytest

from seeformer.cells.packages import explainer

SHELF = {"numpy": ["numpy"], "Pillow": ["PIL", "_imaging_of_pillow"], "matplotlib": ["matplotlib", "mpl_toolkits"]}


@pytest.fixture
def run(make_reader):
    return lambda code, network=False: make_reader(explain=explainer(SHELF, network=network)).run(code)["error"]


@pytest.fixture
def micropip(monkeypatch):
    """Fails as the real one does; frames of the module `micropip` are what the explainer looks for."""

    def fail_with(statement):
        module = types.ModuleType("micropip")
        exec(f"async def install(name):\n    {statement}", module.__dict__)
        monkeypatch.setitem(sys.modules, "micropip", module)

    return fail_with


def test_a_module_on_the_shelf_names_the_package_that_brings_it(run):
    error = run("import _imaging_of_pillow")
    assert error["type"] == "ModuleNotFoundError" and 'await micropip.install("Pillow")' in error["message"]


def test_a_module_that_is_nowhere_names_what_there_is_and_the_way_out(run):
    error = run("x = 1\nimport pandas_of_nowhere.frame")
    assert error["message"] == (
        "No module named 'pandas_of_nowhere': this page ships only matplotlib, numpy, Pillow; "
        "start it with `python build.py serve --allow-network` to install others"
    )
    assert error["line"] == 2
    assert "--allow-network" not in run("import pandas_of_nowhere", network=True)["message"]


def test_a_missing_part_of_what_is_there_is_left_alone(run):
    assert run("import numpy.nothing")["message"] == "No module named 'numpy.nothing'"


def test_micropip_cannot_find_it(run, micropip):
    micropip(
        "raise ValueError(f\"Can't fetch metadata for '{name}'. Please make sure you have entered a correct name\")"
    )
    error = run("import micropip\nawait micropip.install('pandas')")
    assert error["type"] == "ValueError" and error["line"] == 2
    assert error["message"].startswith(
        "'pandas' is not here: this page ships only matplotlib, numpy, Pillow; start it with"
    )
    assert "Can't fetch" not in error["traceback"]
    assert run("import micropip\nawait micropip.install('pandas')", network=True)["message"].startswith("Can't fetch")


def test_micropip_may_not_fetch_an_address(run, micropip):
    micropip("raise ValueError(f\"Can't fetch wheel from '{name}'. One common reason\")")
    error = run("import micropip\nawait micropip.install('https://example.org/a-1-py3-none-any.whl')")
    assert error["message"].startswith(
        "https://example.org/a-1-py3-none-any.whl cannot be fetched: this page loads nothing from elsewhere"
    )


def test_other_errors_are_left_alone(run, micropip):
    micropip("raise ValueError('something else')")
    assert run("import micropip\nawait micropip.install('x')")["message"] == "something else"
    assert run("raise ValueError(\"Can't fetch metadata for 'x'\")")["message"].startswith("Can't fetch")
