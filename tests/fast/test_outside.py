"""seeformer.fast where it cannot work, and what is in its files."""

import subprocess
import sys
import zipfile

import pytest

from sitebuild.fast_modules import BUILDS, FOLDER, compile_fast, module_name
from sitebuild.paths import PY
from sitebuild.wheel import build_fast_wheel, fast_wheel_name, version


def test_outside_pyodide_it_says_so_and_does_nothing():
    code = (
        "import sys, numpy as np; before = set(sys.modules)\n"
        "import seeformer.fast as fast\n"
        "status = fast.enable(); assert fast.enable() == status == fast.status(); fast.disable()\n"
        "assert not status['enabled'] and 'is for Pyodide' in status['reason']\n"
        "assert (np.ones((3, 4)) @ np.ones((4, 5)) == 4).all()\n"
        "print(sorted(name for name in set(sys.modules) - before if 'seeformer' in name or 'ctypes' in name))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(PY)}
    )
    assert done.stdout.split("'")[1::2] == [
        "seeformer",
        "seeformer.fast",
        "seeformer.fast.limits",
        "seeformer.fast.refusal",
        "seeformer.fast.switch",
    ]
    lines = done.stderr.splitlines()
    assert len(lines) == 2 and all(line.startswith("seeformer.fast: not enabled: this is Python on ") for line in lines)


@pytest.mark.timeout(600)
def test_the_modules_come_from_their_source(tmp_path):
    for made in compile_fast(tmp_path):
        assert made.read_bytes() == (FOLDER / made.name).read_bytes(), "run: python build.py compile"


@pytest.mark.parametrize("build", BUILDS)
def test_a_module_asks_for_nothing_but_memory(build):
    """No function of C's library, none of Python's: so one file fits every Pyodide."""
    assert imports((FOLDER / module_name(build)).read_bytes()) == {
        "memory",
        "__indirect_function_table",
        "__stack_pointer",
        "__memory_base",
        "__table_base",
    }


def imports(module: bytes) -> set[str]:
    place = 8
    while module[place] != 2:
        size, start = number(module, place + 1)
        place = start + size
    _, place = number(module, place + 1)
    count, place = number(module, place)
    names = set()
    for _ in range(count):
        for _ in range(2):
            size, place = number(module, place)
            name, place = module[place : place + size].decode(), place + size
        names.add(name)
        kind, place = module[place], place + 1
        place += 1 if kind in (1, 3) else 0  # a table's type of entry, a global's type
        if kind in (1, 2):
            flags, place = number(module, place)
            for _ in range(1 + (flags & 1)):
                _, place = number(module, place)
        else:
            _, place = number(module, place)
    return names


def number(module: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte, place = module[place], place + 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, place


def test_its_own_wheel(site):
    wheel = site / "wheels" / fast_wheel_name()
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.startswith(f"seeformer_fast-{version()}.dist-info/")}
        content = {name: archive.read(name) for name in names}
    files = [path for path in FOLDER.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert content == {path.relative_to(PY).as_posix(): path.read_bytes() for path in files}
    assert {f"seeformer/fast/{module_name(build)}" for build in BUILDS} <= names
    assert wheel.stat().st_size < 60_000


def test_its_wheel_is_the_same_wherever_it_is_built(site, tmp_path):
    assert build_fast_wheel(folder=tmp_path).read_bytes() == (site / "wheels" / fast_wheel_name()).read_bytes()
