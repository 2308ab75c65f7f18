"""The page's own Python has it from the start; a note in Obsidian gets it with the page's wheel."""

import ast

import pytest
from support.code_emitter import Obsidian

from sitebuild.wheel import fast_wheel_name, wheel_name

NOTE = """import micropip
await micropip.install("{wheel}")
import seeformer.fast; seeformer.fast.enable()
import numpy as np
A = np.arange(64.0 * 64).reshape(64, 64)
print(seeformer.fast.status()["enabled"], bool((A @ A == np.einsum("ij,jk->ik", A, A)).all()))
"""


def test_in_the_page(ready_page):
    cell = ready_page.evaluate("() => seeformer.run('import seeformer.fast\\nseeformer.fast.status()')")
    status = ast.literal_eval(cell["result"])
    assert status["enabled"] and status["build"] == "relaxed" and "matmul dd->d" in status["loops"]
    assert cell["stderr"] == ""


@pytest.fixture(scope="module")
def obsidian():
    from sitebuild.generations import CODE_EMITTER
    from sitebuild.pyodide_files import ensure_files

    with Obsidian(ensure_files(CODE_EMITTER)["pyodide-lock.json"].parent) as obsidian:
        yield obsidian


@pytest.mark.parametrize("name", [wheel_name(), fast_wheel_name()])
def test_in_a_note(obsidian, browser, server, name):
    context = browser.new_context()
    told = obsidian.open(context.new_page()).run(NOTE.format(wheel=f"{server}wheels/{name}"))
    context.close()
    assert told.error is None and told.stdout[-1].split() == ["True", "True"], told.lines
