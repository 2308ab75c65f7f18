"""A version stands in one place, or it is the same in all."""

import json
import re
import tomllib

import pytest
from tracked import name, text_files

from sitebuild.bench import PEERS
from sitebuild.generations import CODE_EMITTER, FOLDER, PAGE, Generation
from sitebuild.paths import REQUIREMENTS, ROOT
from sitebuild.pyodide_files import ensure_files
from sitebuild.pypi_wheels import WHEELS
from sitebuild.wheel import version

PACKAGE = json.loads((ROOT / "package.json").read_text("utf-8"))
NPM_LOCK = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
NPM_FOLDERS = [ROOT, PEERS]  # the page's, and whom the bench measures beside it
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXACT = re.compile(r"\d+\.\d+\.\d+[\w.-]*")


def pins(which):
    found = re.findall(r"^([\w.-]+)==(\S+)", (REQUIREMENTS / f"{which}.txt").read_text("utf-8"), re.MULTILINE)
    return dict(found)


def test_pyodide():
    assert PACKAGE["dependencies"][PAGE.facts["npm"]] == PAGE.version
    assert NPM_LOCK["packages"]["node_modules/pyodide"]["version"] == PAGE.version


def test_numpy_is_the_same_in_the_page_and_in_the_venv():
    assert pins("build")["numpy"] == PAGE.facts["numpy"]


def test_the_older_numpy_is_that_of_code_emitter():
    assert pins("numpy-1.26") == {"numpy": CODE_EMITTER.facts["numpy"]}


@pytest.mark.parametrize("lock", sorted(path.name for path in FOLDER.glob("lock*.json")))
class TestGeneration:
    def test_its_files_have_the_versions_that_the_lock_tells(self, lock):
        generation = Generation.read(lock)
        names = [file.name for file in generation.files]
        for package in {"micropip", "numpy", "matplotlib"} & generation.facts.keys():
            assert any(file.startswith(f"{package}-{generation.facts[package]}-") for file in names)
        assert f"/v{generation.version}/" in generation.facts["distribution"]
        assert lock in ("lock.json", f"lock-{generation.version}.json")

    def test_its_hashes_are_the_official_ones_and_nothing_is_missing(self, lock):
        """The wheels' hashes are those of Pyodide's own lock, which is one of the core's files."""
        generation = Generation.read(lock)
        text = ensure_files(generation)["pyodide-lock.json"].read_text("utf-8")
        official = json.loads(text)["packages"]
        wheels = {file.name: file.sha256 for file in generation.files if file.name not in generation.core}
        packages = {name: entry for name, entry in official.items() if entry["file_name"] in wheels}
        assert {entry["file_name"]: entry["sha256"] for entry in packages.values()} == wheels
        assert packages.keys() == packages.keys() | {need for entry in packages.values() for need in entry["depends"]}


def test_wheels_from_pypi_are_those_of_the_venv():
    """Same version and same file: the page computes with what the precomputed pictures were computed with."""
    requirements = (REQUIREMENTS / "build.txt").read_text("utf-8")
    for wheel in WHEELS:
        assert pins("build")[wheel.package] == wheel.version and f"-{wheel.version}-" in wheel.file.name
        assert f"sha256:{wheel.file.sha256}" in requirements
    extras = PYPROJECT["project"]["optional-dependencies"]["gradients"]
    assert extras == [f"{wheel.package}=={wheel.version}" for wheel in WHEELS]


def test_package_version_has_one_home():
    assert PYPROJECT["project"]["dynamic"] == ["version"] and "version" not in PYPROJECT["project"]
    assert PYPROJECT["tool"]["hatch"]["version"]["path"] == "py/seeformer/__init__.py"
    assert EXACT.fullmatch(version())


@pytest.mark.parametrize("folder", NPM_FOLDERS, ids=lambda folder: folder.name)
def test_npm_packages_are_pinned_and_locked(folder):
    package, lock = (json.loads((folder / name).read_text("utf-8")) for name in ("package.json", "package-lock.json"))
    for group in ("dependencies", "devDependencies"):
        for npm, wanted in package.get(group, {}).items():
            assert EXACT.fullmatch(wanted), f"{npm}: {wanted} is a range"
            assert lock["packages"][f"node_modules/{npm}"]["version"] == wanted


@pytest.mark.parametrize("folder", NPM_FOLDERS, ids=lambda folder: folder.name)
def test_npm_lock_has_a_hash_for_everything_and_no_address(folder):
    lock = json.loads((folder / "package-lock.json").read_text("utf-8"))
    packages = {path: entry for path, entry in lock["packages"].items() if path}
    assert len(packages) >= 30
    assert [path for path, entry in packages.items() if "integrity" not in entry] == []
    assert [path for path, entry in packages.items() if "resolved" in entry] == []


def test_python_packages_are_pinned_by_hash():
    for which in ("build", "test", "node", "numpy-1.26"):
        text = (REQUIREMENTS / f"{which}.txt").read_text("utf-8")
        entries = re.split(r"\n(?=\S)", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).strip())
        assert entries
        for entry in entries:
            assert re.match(r"[\w.-]+==\S+", entry) and "--hash=sha256:" in entry, entry[:60]
        assert not re.search(r"^\s*-(i|-index|-extra|-find|f)\b", text, re.MULTILINE), (
            "an index belongs to the user's settings"
        )


def test_files_for_one_venv_agree():
    build, test = pins("build"), pins("test")
    assert all(build[package] == test[package] for package in build.keys() & test.keys())


def test_hypothesis_is_the_last_that_runs_in_pyodide():
    assert pins("test")["hypothesis"] == "6.155.7" and pins("test")["pytest"].startswith("9.")


def test_readmes_name_no_other_version():
    for path in text_files(".md"):
        for found in re.findall(r"Pyodide[  ](\d+\.\d+\.\d+)", path.read_text("utf-8")):
            assert found == PAGE.version, name(path)
