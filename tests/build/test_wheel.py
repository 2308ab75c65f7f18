"""The wheel: pure, small in its demands, and the same bytes whoever builds it."""

import os
import shutil
import subprocess
import sys
import zipfile
from email import message_from_bytes

import pytest

from sitebuild.paths import ROOT, VENV_PYTHON
from sitebuild.wheel import build_wheel, version, wheel_name

INPUTS = ["LICENSE", "pyproject.toml", ".gitignore", "build.py"]


@pytest.fixture(scope="module")
def wheel(site):
    return site / "wheels" / wheel_name()


@pytest.fixture
def copy(tmp_path):
    """The project in another folder, under another umask, with other times."""
    root = tmp_path / "elsewhere"
    shutil.copytree(
        ROOT / "py", root / "py", ignore=shutil.ignore_patterns("__pycache__"), copy_function=shutil.copyfile
    )
    for name in INPUTS:
        shutil.copyfile(ROOT / name, root / name)
    for number, path in enumerate(sorted(root.rglob("*"))):
        os.utime(path, (1_000_000_000 + number, 1_100_000_000 + number))
        path.chmod(0o700 if path.is_dir() else 0o600)
    return root


def test_same_input_same_bytes(wheel, copy, tmp_path):
    old = os.umask(0o077)
    try:
        again = build_wheel(copy, tmp_path / "wheel")
    finally:
        os.umask(old)
    assert again.name == wheel.name and again.read_bytes() == wheel.read_bytes()


def test_another_source_gives_another_wheel(wheel, copy, tmp_path):
    with (copy / "py/seeformer/__init__.py").open("a") as file:
        file.write("\n# changed\n")
    assert build_wheel(copy, tmp_path / "wheel").read_bytes() != wheel.read_bytes()


def test_it_holds_the_package_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    folders = {name.split("/")[0] for name in names}
    assert folders == {"seeformer", f"seeformer-{version()}.dist-info"}
    sources = {path.relative_to(ROOT / "py").as_posix() for path in (ROOT / "py/seeformer").rglob("*.py")}
    fast = [path for path in (ROOT / "py/seeformer/fast").rglob("*") if path.suffix in (".wasm", ".c", ".h")]
    sources |= {path.relative_to(ROOT / "py").as_posix() for path in fast}
    assert sum(name.endswith(".wasm") for name in sources) == 2
    assert {name for name in names if name.startswith("seeformer/")} == sources
    assert any(name.endswith("LICENSE") for name in names)


def test_it_asks_for_little(wheel):
    with zipfile.ZipFile(wheel) as archive:
        info = f"seeformer-{version()}.dist-info"
        metadata = message_from_bytes(archive.read(f"{info}/METADATA"))
        tags = message_from_bytes(archive.read(f"{info}/WHEEL"))
    always = [need for need in metadata.get_all("Requires-Dist") if "extra ==" not in need]
    assert always == ["numpy"], "a pin would make micropip refuse the NumPy that is there"
    assert metadata["Requires-Python"] == ">=3.11"
    assert (tags["Tag"], tags["Root-Is-Purelib"]) == ("py3-none-any", "true")


def test_pip_install_works(copy, tmp_path):
    target = tmp_path / "installed"
    command = [VENV_PYTHON, "-m", "pip", "install", "--no-index", "--no-deps", "--no-build-isolation", "--quiet"]
    subprocess.run([*command, "--target", target, "."], cwd=copy, check=True, capture_output=True)
    code = "import seeformer, seeformer.attention; print(seeformer.__file__, seeformer.__version__)"
    env = {**os.environ, "PYTHONPATH": str(target)}
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=env, check=True
    )
    assert found.stdout.split() == [str(target / "seeformer" / "__init__.py"), version()]
    assert not (target / "sitebuild").exists()
