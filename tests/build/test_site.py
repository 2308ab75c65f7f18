"""The site as built: what the page's loader is promised is there."""

import hashlib
import json
import re
import struct

import pytest

from sitebuild.generations import PAGE
from sitebuild.labs import labs, languages
from sitebuild.paths import ROOT


@pytest.fixture(scope="module")
def manifest(site):
    return json.loads((site / "manifest.json").read_text())


def lock(site, name):
    return json.loads((site / "pyodide" / name).read_text())


def test_boot_files_are_there_and_right(site, manifest):
    assert {entry["path"].split("/")[0] for entry in manifest["boot"]} == {"pyodide", "boot"}
    for entry in manifest["boot"] + manifest["later"]["packages"]:
        data = (site / entry["path"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (entry["bytes"], entry["sha256"]), entry["path"]


def test_boot_has_all_that_starts_python_and_no_more(manifest):
    modules = {module["path"] for module in manifest["modules"]}
    assert all(re.search(r"/numpy/(_core|linalg|random)/", path) for path in modules) and len(modules) == 11
    names = [entry["path"].split("/")[1].split("-")[0] for entry in manifest["boot"] if entry["path"] not in modules]
    core = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide"]
    assert sorted(names) == sorted([*core, "snapshot.bin", "seeformer"])
    assert [package["name"] for package in manifest["later"]["packages"]] == ["numpy", "micropip", "autograd"]
    assert manifest["later"]["labs"] == ["norm", "recurrence"]


def test_manifest_facts(manifest):
    assert manifest["network"] is False and manifest["labs"] == labs() and manifest["pyodide"] == PAGE.version
    assert manifest["wheel"] == f"wheels/seeformer-{manifest['version']}-py3-none-any.whl"


def test_the_shelf_has_what_its_lock_names_and_what_that_needs(site):
    packages = lock(site, "pyodide-lock.json")["packages"]
    assert {"micropip", "numpy", "matplotlib"} < packages.keys()
    for package in packages.values():
        data = (site / "pyodide" / package["file_name"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == package["sha256"], package["file_name"]
        assert set(package["depends"]) <= packages.keys(), f"{package['name']} needs what is not on the shelf"


def test_every_wheel_of_the_shelf_is_in_its_lock(site):
    named = {package["file_name"] for package in lock(site, "pyodide-lock.json")["packages"].values()}
    assert named == {path.name for path in (site / "pyodide").glob("*.whl")}


def test_the_full_lock_names_all_packages_and_where_the_others_are(site):
    full, shelf = lock(site, "pyodide-lock.full.json")["packages"], lock(site, "pyodide-lock.json")["packages"]
    assert len(full) > 300 and shelf.keys() < full.keys()
    for name, package in full.items():
        far = package["file_name"].startswith(PAGE.facts["distribution"])
        assert far != (name in shelf), name


def test_index_of_labs(site):
    text = (site / "web/labs/index.js").read_text()
    assert all(f'{lab}: () => import("./{lab}.js"),' in text for lab in labs())
    assert all((site / f"web/labs/{lab}.js").exists() for lab in labs())


def test_the_page_is_put_together_from_all_that_it_names(site):
    """index.html names what is in page/, and what is there imports only what is there too."""
    text = (site / "index.html").read_text()
    named = re.findall(r'(?:href|src)="(page/[^"]+)"', text)
    assert {"page/style.css", "page/early.js", "page/main.js"} <= set(named) and text.count('rel="stylesheet"') == 1
    assert all((site / path).exists() for path in named)
    modules = list((site / "page").glob("*.js"))
    assert {f"{lab}-" for lab in labs()} <= {path.name.rpartition("-")[0] + "-" for path in modules}
    for module in modules:
        for name in re.findall(r'(?:from|import\() ?"(\./[^"]+)"', module.read_text()):
            assert (site / "page" / name).exists(), (module.name, name)
    style = (site / "page" / "style.css").read_text()
    assert all(path.read_text() in style for path in (site / "web" / "style").glob("*.css"))


def test_the_page_uses_relative_addresses_only(site):
    text = (site / "index.html").read_text()
    assert 'src="/' not in text and 'href="/' not in text and "http:" not in text


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("lab", labs())
def test_precomputed_results_are_whole(site, lab, language):
    head = json.loads((site / f"data/{lab}.{language}.json").read_text())
    data = (site / f"data/{lab}.{language}.bin").read_bytes()
    assert head["lab"] == lab and head["params"].keys() == head["defaults"].keys()
    ends = [0]
    for entry in head["meta"]:
        if entry["kind"] == "array":
            count = 1
            for size in entry["shape"]:
                count *= size
            assert entry["offset"] == ends[-1], "arrays lie one after the other"
            ends.append(ends[-1] + count)
    assert len(data) == 4 * ends[-1] > 0
    floats = struct.unpack(f"<{ends[-1]}f", data)
    assert any(value != 0 for value in floats)
    names = {entry["name"] for entry in head["meta"]}
    assert head["lines"] and {"weights", "scores"} <= names & head["lines"].keys() or lab != "attention"


def test_stored_attention_rows_sum_to_one(site):
    head = json.loads((site / "data/attention.en.json").read_text())
    data = (site / "data/attention.en.bin").read_bytes()
    entry = next(entry for entry in head["meta"] if entry["name"] == "weights")
    heads, rows, columns = entry["shape"]
    weights = struct.unpack_from(f"<{heads * rows * columns}f", data, 4 * entry["offset"])
    for row in range(heads * rows):
        assert sum(weights[row * columns : (row + 1) * columns]) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("lab", labs())
def test_stored_sources_are_the_files(site, lab):
    sources = json.loads((site / f"data/{lab}.sources.json").read_text())
    assert f"seeformer.labs.{lab}" in [entry["module"] for entry in sources]
    for entry in sources:
        path = ROOT / "py" / (entry["module"].replace(".", "/") + ".py")
        path = path if path.exists() else path.with_suffix("") / "__init__.py"
        assert entry["source"] == path.read_text("utf-8"), entry["module"]
