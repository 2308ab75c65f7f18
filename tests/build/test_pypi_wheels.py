"""Wheels that come from PyPI: fetched once, verified always."""

from pathlib import Path

import pytest

from sitebuild import pypi_wheels
from sitebuild.errors import BuildError


@pytest.fixture
def wheel(monkeypatch, tmp_path):
    """An empty cache, and a pip that gives `content` and counts."""
    monkeypatch.setenv("SEEFORMER_CACHE", str(tmp_path))
    (only,) = pypi_wheels.WHEELS
    calls = []

    def give(content):
        def pip(arguments, **_):
            calls.append(arguments)
            Path(arguments[arguments.index("--dest") + 1], only.file.name).write_bytes(content)

        monkeypatch.setattr(pypi_wheels, "pip", pip)
        monkeypatch.setattr(pypi_wheels, "ensure_venv", lambda: None)

    return only, give, calls


@pytest.fixture(scope="module")
def right(site):
    (only,) = pypi_wheels.WHEELS  # not the site's: that one has compiled modules in it
    return pypi_wheels.ensure_wheels()[only.file.name].read_bytes()


def test_it_is_fetched_once(wheel, right):
    only, give, calls = wheel
    give(right)
    for _ in range(2):
        assert pypi_wheels.ensure_wheels()[only.file.name].read_bytes() == right
    assert len(calls) == 1 and calls[0][-1] == f"{only.package}=={only.version}"


def test_another_file_under_its_name_is_refused(wheel, right, tmp_path):
    only, give, _ = wheel
    give(right + b"altered by a proxy")
    with pytest.raises(BuildError, match=r"is not the file that lock\.json names"):
        pypi_wheels.ensure_wheels()
    assert not list(tmp_path.rglob("*.whl"))


def test_a_damaged_copy_in_the_cache_is_fetched_again(wheel, right):
    only, give, calls = wheel
    give(right)
    pypi_wheels.ensure_wheels()[only.file.name].write_bytes(b"damaged")
    assert pypi_wheels.ensure_wheels()[only.file.name].read_bytes() == right
    assert len(calls) == 2
