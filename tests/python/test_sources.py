"""What the Code face shows: everything that runs for a lab, from a folder as from a wheel."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import seeformer
import seeformer.attention
from seeformer.sources import PACKAGE, source_of, sources

LAB = "attention"


def test_the_lab_comes_first_then_what_it_imports_in_that_order():
    listed = [entry["module"] for entry in sources(LAB)]
    assert listed[0] == "seeformer.labs.attention"
    direct = [f"seeformer.{name}" for name in ("attention", "mask", "positional", "trace")]
    assert [name for name in listed if name in direct] == direct
    assert len(listed) == len(set(listed))


def test_what_an_imported_module_imports_is_there_too():
    listed = {entry["module"]: entry["source"] for entry in sources(LAB)}
    for module, source in listed.items():
        compile(source, module, "exec")
    # each line that names a sibling has that sibling on the list
    named = {
        f"seeformer.{line.split()[1].lstrip('.')}"
        for source in listed.values()
        for line in source.splitlines()
        if line.startswith("from .")
    }
    assert named and {name for name in named if source_of(name)} <= set(listed)


def test_packages_and_strangers_are_no_source():
    for name in (PACKAGE, "seeformer.labs", "numpy", "seeformer.nothing", "seeformer.attention.softmax", "seeformerly"):
        assert source_of(name) is None, name


def test_source_is_the_file_to_the_letter():
    assert source_of("seeformer.attention") == Path(seeformer.attention.__file__).read_text(encoding="utf-8")


def test_it_works_from_inside_a_zip(tmp_path):
    package = Path(seeformer.__file__).parent
    wheel = tmp_path / "seeformer.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in package.rglob("*.py"):
            archive.write(path, path.relative_to(package.parent))
    program = f"import sys, json; sys.path.insert(0, {str(wheel)!r}); from seeformer.sources import sources; print(json.dumps(sources({LAB!r})))"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert json.loads(told.stdout) == sources(LAB)
