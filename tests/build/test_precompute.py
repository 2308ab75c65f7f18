"""A lab that fails at its defaults fails the build, with the line that is wrong."""

import shutil
import subprocess

import pytest

from sitebuild.paths import PY, VENV_PYTHON


@pytest.fixture
def precompute(tmp_path):
    """precompute(lab source) in a copy of py/ -> the finished process, the folder it wrote to."""
    package = tmp_path / "py"
    shutil.copytree(PY, package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "web/text").mkdir(parents=True)
    (tmp_path / "web/text/en.json").write_text('{"labs": {"tiny": {"defaults": {"n": 5}, "note": {}}}}')
    (package / "seeformer/labs/tiny_note.py").write_text("def note(*, n, names):\n    print(n)\n")

    def run(source):
        (package / "seeformer/labs/tiny.py").write_text(source)
        command = [VENV_PYTHON, "-m", "sitebuild.precompute", tmp_path / "out", "en", "tiny"]
        return subprocess.run(command, cwd=package, capture_output=True, text=True), tmp_path / "out"

    return run


TINY = """
import numpy as np
from seeformer.trace import see
def run(*, n=3, names=("a", "b")):
    yield {"x": np.zeros(n)}
    yield {"x": see("x", np.arange(n) - np.inf)}
"""


def test_the_last_result_of_a_generator_with_the_texts_defaults(precompute):
    import json
    import struct

    done, out = precompute(TINY)
    assert done.returncode == 0, done.stderr
    head = json.loads((out / "tiny.en.json").read_text())
    assert head["params"] == {"n": 5, "names": ["a", "b"]} and head["defaults"]["n"] == 3
    assert head["meta"] == [{"name": "x", "kind": "array", "shape": [5], "offset": 0}]
    assert head["note"].endswith("\nn = 5\nprint(n)\n") and head["kernels"] == []
    assert head["lines"] == {"x": ["seeformer.labs.tiny", 6]}
    assert struct.unpack("<5f", (out / "tiny.en.bin").read_bytes()) == (float("-inf"),) * 5


def test_a_failing_lab_shows_its_line(precompute):
    done, _ = precompute("def run(*, n=3):\n    return {'x': 1 / 0}\n")
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr and "tiny.py" in done.stderr
    assert "error: lab tiny does not run at its defaults" in done.stderr
