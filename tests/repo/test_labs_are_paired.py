"""A lab is two files, its note, words in both languages and a test; nothing else knows its name."""

import re

import pytest
from tracked import name, text_files

from sitebuild.labs import languages, page_labs, python_labs, text
from sitebuild.paths import ROOT


def test_there_are_labs():
    assert "attention" in python_labs()


def test_every_python_lab_has_a_page_and_every_page_lab_has_python():
    assert python_labs() == page_labs()


@pytest.mark.parametrize("language", languages())
def test_words_of_labs_and_labs_of_words(language):
    assert sorted(text(language)["labs"]) == python_labs()


@pytest.mark.parametrize("lab", python_labs())
def test_every_lab_has_a_browser_test(lab):
    tests = [path.name for path in (ROOT / "tests/browser").glob("test_*.py")]
    assert f"test_{lab}_lab.py" in tests


@pytest.mark.parametrize("lab", python_labs())
def test_every_lab_has_a_note(lab):
    source = (ROOT / f"py/seeformer/labs/{lab}_note.py").read_text("utf-8")
    for part in (r"^SECTION = ", r"^FORMULAS = ", r"^PRESETS = ", r"^def note\("):
        assert re.search(part, source, re.MULTILINE), part


@pytest.mark.parametrize("lab", python_labs())
def test_a_lab_is_exported_under_its_own_id(lab):
    source = (ROOT / f"web/labs/{lab}.js").read_text("utf-8")
    exported = source[source.index("export default") :]
    assert re.search(rf'\bid: "{lab}"', exported)


@pytest.mark.parametrize("lab", python_labs())
def test_the_core_names_no_lab(lab):
    core = [path for path in text_files(".js") if name(path).startswith(("web/core/", "web/main.js", "web/worker.js"))]
    assert core
    guilty = [name(path) for path in core if re.search(rf'["\'`/]{lab}["\'`.]', path.read_text("utf-8"))]
    assert not guilty
