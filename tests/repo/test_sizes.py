"""Files stay small enough to be read in one sitting; glue has a ceiling."""

from tracked import name, text_files

CEILINGS = {"web/main.js": 80, "build.py": 40}
LONGEST = 400
SOURCES = text_files(".py", ".js", ".mjs", ".css", ".c")


def test_length():
    lengths = {name(path): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert {path: lines for path, lines in lengths.items() if lines > CEILINGS.get(path, LONGEST)} == {}


def test_the_ceilings_are_of_files_that_exist():
    assert CEILINGS.keys() <= {name(path) for path in SOURCES}


def test_no_file_is_called_utils():
    vague = {"utils", "util", "helpers", "helper", "misc", "common"}
    assert [name(path) for path in SOURCES if path.stem.lower() in vague] == []


def test_nothing_is_left_for_later():
    signs = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "console" + ".log("]
    found = {name(path): [sign for sign in signs if sign in path.read_text("utf-8")] for path in SOURCES}
    assert {path: left for path, left in found.items() if left} == {}
