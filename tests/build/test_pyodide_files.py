"""Where Pyodide's files come from: three sources, one lock, and the hash decides."""

import hashlib
import io
import urllib.error

import pytest

from sitebuild import pyodide_files
from sitebuild.downloads import File
from sitebuild.errors import BuildError, NoNetwork

CORE, WHEEL = b"core" * 1000, b"wheel" * 1000
FILES = [
    File("pyodide.mjs", len(CORE), hashlib.sha256(CORE).hexdigest()),
    File("numpy.whl", len(WHEEL), hashlib.sha256(WHEEL).hexdigest()),
]
CONTENT = {"pyodide.mjs": CORE, "numpy.whl": WHEEL}


@pytest.fixture
def sources(monkeypatch, tmp_path):
    """A small lock, an empty cache, and three sources that are told what to do and remember what they were asked."""
    monkeypatch.setenv("SEEFORMER_CACHE", str(tmp_path))
    monkeypatch.setattr(pyodide_files, "FILES", FILES)
    asked = []

    def source(name, gives):
        def fetch(cache, missing):
            asked.append((name, [file.name for file in missing]))
            if isinstance(gives, Exception):
                raise gives
            for file in missing:
                if file.name in gives:
                    cache.store(file, io.BytesIO(gives[file.name]))

        monkeypatch.setattr(pyodide_files, f"_from_{name}", fetch)

    for name in ("npm", "cdn", "container"):
        source(name, {})
    return source, asked


def test_each_source_is_asked_only_for_what_is_still_missing(sources):
    source, asked = sources
    source("npm", {"pyodide.mjs": CORE})
    source("cdn", NoNetwork("the CDN", "connect"))
    source("container", CONTENT)
    found = pyodide_files.ensure_files()
    assert {name: path.read_bytes() for name, path in found.items()} == CONTENT
    both = ["pyodide.mjs", "numpy.whl"]
    assert asked == [("npm", both), ("cdn", ["numpy.whl"]), ("container", ["numpy.whl"])]


def test_a_full_cache_asks_nobody(sources):
    source, asked = sources
    source("cdn", CONTENT)
    pyodide_files.ensure_files()
    asked.clear()
    pyodide_files.ensure_files()
    assert asked == []


def test_a_damaged_file_in_the_cache_is_fetched_again(sources):
    source, asked = sources
    source("cdn", CONTENT)
    pyodide_files.ensure_files()["numpy.whl"].write_bytes(b"damaged")
    assert pyodide_files.ensure_files()["numpy.whl"].read_bytes() == WHEEL
    assert asked[-1] == ("cdn", ["numpy.whl"])


def test_a_source_with_a_wrong_file_is_passed_over(sources):
    source, _ = sources
    source("cdn", {**CONTENT, "numpy.whl": b"altered by a proxy"})
    source("container", CONTENT)
    assert pyodide_files.ensure_files()["numpy.whl"].read_bytes() == WHEEL


def test_when_all_have_a_wrong_file_that_is_the_error(sources, tmp_path):
    source, _ = sources
    source("npm", {"pyodide.mjs": CORE})
    source("cdn", {"numpy.whl": b"altered by a proxy"})
    source("container", NoNetwork("pip", "connect"))
    with pytest.raises(BuildError, match=r"numpy\.whl is not the file that lock\.json names"):
        pyodide_files.ensure_files()
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["pyodide.mjs"]


def test_nothing_cached_and_no_network(sources, tmp_path):
    source, _ = sources
    for name in ("npm", "cdn", "container"):
        source(name, NoNetwork(name, "connect"))
    with pytest.raises(BuildError) as caught:
        pyodide_files.ensure_files()
    assert str(tmp_path) in caught.value.message and "pyodide.mjs, numpy.whl cannot be fetched" in caught.value.message
    assert "connect to the network once" in caught.value.remedy


def test_the_cdn_is_given_up_at_the_first_failure(monkeypatch, tmp_path):
    calls = []

    def refuse(url, timeout):
        calls.append((url, timeout))
        raise urllib.error.URLError("unreachable")

    monkeypatch.setattr(pyodide_files.urllib.request, "urlopen", refuse)
    with pytest.raises(BuildError, match="CDN: unreachable"):
        pyodide_files._from_cdn(pyodide_files.Cache(tmp_path), FILES)
    assert len(calls) == 1 and calls[0][1] <= 10


def test_the_cdn_gives_files_where_it_can_be_reached(monkeypatch, tmp_path):
    """Not reachable where this runs: a stand-in answers by the name at the end of the address."""
    base = pyodide_files.LOCK["distribution"]
    answer = lambda url, timeout: io.BytesIO(CONTENT[url.removeprefix(base)])  # noqa: E731
    monkeypatch.setattr(pyodide_files.urllib.request, "urlopen", answer)
    cache = pyodide_files.Cache(tmp_path)
    pyodide_files._from_cdn(cache, FILES)
    assert all(cache.has(file) for file in FILES)
