"""Obsidian with Code Emitter for the tests of notes: one server for the session, one page for all engines of a file.

A page that is loaded anew keeps its process, and with it the compiled WebAssembly: a further engine costs half.
"""

import pytest
from support.code_emitter import Obsidian
from support.watch import Watch


@pytest.fixture(scope="session")
def obsidian():
    from sitebuild.generations import CODE_EMITTER
    from sitebuild.pyodide_files import ensure_files

    files = ensure_files(CODE_EMITTER)
    with Obsidian(files["pyodide-lock.json"].parent) as obsidian:
        yield obsidian


@pytest.fixture(scope="module")
def note_page(browser):
    context = browser.new_context(viewport={"width": 800, "height": 900})
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def heard(note_page, obsidian, server):
    """What the note's page complains of. It may ask the laboratory's server too (for the wheel), and nobody else."""
    watch = Watch(note_page, obsidian.url)
    yield watch
    assert watch.errors == [] and [request for request in watch.foreign if server not in request] == []


@pytest.fixture(scope="module")
def open_note(obsidian, note_page, heard):
    """Factory: open_note() -> a note with a fresh engine; the one before is gone."""
    return lambda: obsidian.open(note_page)
