"""Every block of both vaults, four ways: in Obsidian, in a cell of the page, in CPython with NumPy 2 and with 1.26.

In Obsidian a note's blocks run in order in a fresh engine, and then each alone in globals of its own. All others run
a note in order. Nothing runs twice: each place keeps what it told, and the tests look at that.
"""

import ast
from dataclasses import dataclass
from functools import cache
from importlib import import_module

import numpy as np
import pytest
from support import block_arrays
from support.cpython_blocks import run_notes
from support.html_line import mistakes
from support.labs import call
from support.note_blocks import blocks_of_notes
from support.python_cells import run

from seeformer.notes.demo import MODULE
from sitebuild.labs import labs, text
from sitebuild.vault.course import title
from sitebuild.vault.deliver import deliver
from sitebuild.vault.pack import vaults

LANGUAGES = ["zh", "en"]
pytestmark = pytest.mark.timeout(900)  # an engine is started for each note


@dataclass
class Ran:
    stderr: str
    error: str | None
    arrays: dict[str, np.ndarray]
    told: object = None  # what only Obsidian can tell
    held_back: str = ""  # a last line without its end, which Obsidian would show at the next block


@pytest.fixture(scope="module")
def blocks(tmp_path_factory):
    """{language: {note: its blocks}}"""
    folder = tmp_path_factory.mktemp("vaults")
    for language, files in vaults().items():
        deliver(files, folder / language)
    return {language: blocks_of_notes(folder / language) for language in LANGUAGES}


@pytest.fixture(scope="module")
def in_obsidian(open_note, blocks):
    """language -> {note: (each block in order, each block alone)}"""

    def ran(note, code, **how):
        told = note.run(code, **how)
        return Ran("\n".join(told.stderr), told.error, note.arrays(), told)

    @cache
    def in_obsidian(language):
        done = {}
        for name, codes in blocks[language].items():
            note = open_note()
            done[name] = [ran(note, code) for code in codes], [ran(note, code, alone=True) for code in codes]
        return done

    return in_obsidian


@pytest.fixture(scope="module")
def in_cells(_booted, blocks):
    """language -> {note: blocks in order}"""
    page, _ = _booted

    def ran(code):
        told = run(page, code)
        asked = run(page, f"print({block_arrays.EXPRESSION})")
        return Ran(told["stderr"], told["error"] and told["error"]["message"], block_arrays.read(asked["stdout"]))

    @cache
    def in_cells(language):
        done = {}
        for name, codes in blocks[language].items():
            page.evaluate("() => seeformer.reset()")
            done[name] = [ran(code) for code in codes]
        page.evaluate("() => seeformer.reset()")
        return done

    return in_cells


@pytest.fixture(scope="module")
def in_cpython(blocks):
    """language, older=False -> {note: blocks in order}"""

    def ran(stdout, stderr, error, asked):
        return Ran(stderr, error, block_arrays.read(asked), held_back=stdout.rpartition("\n")[2])

    @cache
    def in_cpython(language, older=False):
        done = run_notes(blocks[language], block_arrays.EXPRESSION, packages=older_numpy() if older else None)
        return {name: [ran(**block) for block in told] for name, told in done.items()}

    return in_cpython


def older_numpy():
    from sitebuild.older_numpy import LAST_PYTHON, ensure_older_numpy

    folder = ensure_older_numpy()
    if folder is None:
        pytest.skip(f"NumPy 1.26 has no wheel for a Python after {LAST_PYTHON[0]}.{LAST_PYTHON[1]}")
    return folder


def complaints(where, ran):
    held_back = ran.held_back and f"prints {ran.held_back!r} without a final newline"
    return [f"{where}: {word}" for word in filter(None, [ran.error, ran.stderr, held_back])]


def seen(where, told):
    """What a reader's eye would object to."""
    wrong = [f"chokes on {line[:60]}" for line in told.choking]
    wrong += [f"{told.slowest:.0f} ms for an HTML line"] * (told.slowest > 50)
    wrong += [f"{mistake} in {line[:60]}" for line in told.html for mistake in mistakes(line)]
    wrong += [f"a picture of {picture['colours']} colours" for picture in told.pictures if picture["colours"] < 2]
    wrong += ["a picture without a size" for picture in told.pictures if min(picture["shown"]) < 1]
    drawn = sum(line.count("<img") for line in told.stdout)
    images = [picture for picture in told.pictures if picture["tag"] == "img"]
    wrong += [f"{drawn} pictures printed, {len(images)} on the page"] * (drawn != len(images))
    return [f"{where}: {word}" for word in wrong]


def each_block(done):
    """(where, what it did) of every block, to be looked at one by one."""
    return [(f"{name}, block {number}", ran) for name, all in done.items() for number, ran in enumerate(all, 1)]


def test_there_are_blocks_and_pictures(in_obsidian, blocks):
    assert all(len(blocks[language]) > 1 for language in LANGUAGES)
    for language in LANGUAGES:
        assert any(ran.told.pictures for in_order, _ in in_obsidian(language).values() for ran in in_order)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("alone", [False, True], ids=["in order", "alone"])
def test_in_obsidian(in_obsidian, language, alone):
    done = {name: both[alone] for name, both in in_obsidian(language).items()}
    found = []
    for where, ran in each_block(done):
        found += complaints(where, ran) + seen(where, ran.told)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_cell_of_the_page(in_cells, language):
    found = [word for where, ran in each_block(in_cells(language)) for word in complaints(where, ran)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("older", [False, True], ids=["NumPy 2", "NumPy 1.26"])
def test_in_cpython(in_cpython, language, older):
    found = [word for where, ran in each_block(in_cpython(language, older)) for word in complaints(where, ran)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_block_alone_has_the_values_it_has_in_its_note(in_obsidian, language):
    found = []
    for name, (in_order, alone) in in_obsidian(language).items():
        for number, (one, other) in enumerate(zip(in_order, alone, strict=True), 1):
            arrays = {key: one.arrays.get(key, np.empty(0)) for key in other.arrays}
            told = block_arrays.differences({"alone": other.arrays, "in order": arrays})
            found += [f"{name}, block {number}: {word}" for word in told]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", ["a cell of the page", "CPython", "CPython with NumPy 1.26"])
def test_the_values_are_those_of_obsidian(in_obsidian, in_cells, in_cpython, language, place):
    there = {
        "a cell of the page": in_cells,
        "CPython": in_cpython,
        "CPython with NumPy 1.26": lambda language: in_cpython(language, older=True),
    }
    done, found = there[place](language), []
    for name, (in_order, _) in in_obsidian(language).items():
        for number, (one, other) in enumerate(zip(in_order, done[name], strict=True), 1):
            told = block_arrays.differences({"Obsidian": one.arrays, place: other.arrays})
            found += [f"{name}, block {number}: {word}" for word in told]
    assert not found, "\n".join(found)
    assert any(ran.arrays for all in done.values() for ran in all)


def made_by(code):
    """The names that a block itself gives a value to; cells before it have left others, its functions have their own."""
    tree = compile(code, "block", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST)
    top = [statement for statement in tree.body if not isinstance(statement, ast.FunctionDef)]
    nodes = [node for statement in top for node in ast.walk(statement)]
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_values_are_those_that_the_page_shows(in_cells, _booted, blocks, language):
    page, words, found, compared = _booted[0], text(language), [], 0
    for lab in labs():
        presets = import_module(MODULE.format(lab)).PRESETS.values()
        note = f"{title(lab, words)}.md"
        told = zip(presets, blocks[language][note], in_cells(language)[note], strict=True)
        for number, (changed, code, ran) in enumerate(told, 1):
            shown = call(page, lab, **words["labs"][lab].get("defaults", {}) | changed)
            both = {
                name: ran.arrays[name] for name in made_by(code) & ran.arrays.keys() if np.size(shown.get(name)) > 1
            }
            compared += len(both)
            for name, array in both.items():  # the page draws float32
                if not np.allclose(np.broadcast_to(array, shown[name].shape), shown[name], rtol=1e-5, atol=1e-5):
                    found.append(f"{lab}, block {number}: {name}")
    assert not found, "\n".join(found)
    assert compared > 5 * len(labs())
