"""Never a stale build: a changed source is built before the page is given out."""

import os
import time

import pytest

from sitebuild import freshness
from sitebuild.errors import BuildError
from sitebuild.freshness import Rebuild


@pytest.fixture
def tree(monkeypatch, tmp_path):
    for name in ("web/core/a.js", "web/vendor/lib.js", "py/seeformer/attention.py", "index.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("first")
    for name, folder in {"ROOT": "", "WEB": "web", "PY": "py"}.items():
        monkeypatch.setattr(freshness, name, tmp_path / folder)
    return tmp_path


@pytest.fixture
def builds():
    return []


@pytest.fixture
def rebuild(tree, builds):
    return Rebuild(lambda: builds.append("built"))


def test_nothing_changed_builds_nothing(rebuild, builds):
    rebuild()
    rebuild()
    assert builds == []


@pytest.mark.parametrize("name", ["web/core/a.js", "py/seeformer/attention.py", "index.html", "web/labs/new.js"])
def test_a_changed_or_new_file_builds_once(rebuild, builds, tree, name):
    (tree / name).parent.mkdir(exist_ok=True)
    (tree / name).write_text("second!")
    rebuild()
    rebuild()
    assert builds == ["built"]


def test_a_removed_file_builds(rebuild, builds, tree):
    (tree / "web/core/a.js").unlink()
    rebuild()
    assert builds == ["built"]


def test_an_older_file_of_the_same_size_builds_too(rebuild, builds, tree):
    """git checkout of an older version: newer than the build it is not, but other."""
    long_ago = time.time() - 1e6
    os.utime(tree / "index.html", (long_ago, long_ago))
    rebuild()
    assert builds == ["built"]


def test_what_the_build_itself_writes_does_not_build(rebuild, builds, tree):
    (tree / "web/vendor/lib.js").write_text("bundled again")
    rebuild()
    assert builds == []


@pytest.mark.parametrize("error", [BuildError("broken", "mend it"), OSError(28, "No space left on device")])
def test_a_failing_build_is_told_each_time_until_it_works(tree, error, capsys):
    outcomes = [error, error, None]

    def build():
        outcome = outcomes.pop(0)
        if outcome:
            raise outcome

    rebuild = Rebuild(build)
    (tree / "index.html").write_text("broken!")
    for _ in range(2):
        with pytest.raises(BuildError):
            rebuild()
    assert capsys.readouterr().err.count("error: ") == 2
    rebuild()
    rebuild()
    assert outcomes == []
