"""The wheels, the whole and seeformer.fast alone: same input, same bytes, whoever builds them and wherever."""

import re
import shutil
from pathlib import Path

from .command import run
from .errors import BuildError
from .paths import PY, ROOT, VENV_PYTHON, WORK
from .python_env import require
from .stamps import Stamp, fingerprint

FAST_PROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "seeformer-fast"
version = "{version}"
description = "NumPy's own @ at the chip's speed in Pyodide: import seeformer.fast; seeformer.fast.enable()"
requires-python = ">=3.11"
license = "MIT"
license-files = ["LICENSE"]
dependencies = ["numpy"]

[tool.hatch.build.targets.wheel]
packages = ["seeformer"]
"""
REPRODUCIBLE = {"SOURCE_DATE_EPOCH": "1577836800", "PYTHONHASHSEED": "0"}  # 2020-01-01: zip knows no date before 1980


def version() -> str:
    text = (PY / "seeformer" / "__init__.py").read_text(encoding="utf-8")
    match = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    if not match:
        raise BuildError("py/seeformer/__init__.py has no __version__", 'write a line like __version__ = "0.1.0" there')
    return match.group(1)


def wheel_name() -> str:
    return f"seeformer-{version()}-py3-none-any.whl"


def fast_wheel_name() -> str:
    return f"seeformer_fast-{version()}-py3-none-any.whl"


def build_wheel(root: Path = ROOT, folder: Path = WORK / "wheel") -> Path:
    """Build the wheel of the project at `root` into `folder`; nothing happens if it is there already."""
    mark = fingerprint(root / "py" / "seeformer", root / "pyproject.toml", root / "LICENSE")
    return _hatch(root, folder, wheel_name(), mark)


def build_fast_wheel(root: Path = ROOT, folder: Path = WORK / "fast-wheel") -> Path:
    """seeformer.fast alone, in a wheel of some kilobytes: it may stand beside the whole one, whose files it has."""
    package, project = root / "py" / "seeformer" / "fast", folder / "project"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(package, project / "seeformer" / "fast", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(root / "LICENSE", project / "LICENSE")
    (project / "pyproject.toml").write_text(FAST_PROJECT.format(version=version()), encoding="utf-8")
    return _hatch(project, folder, fast_wheel_name(), fingerprint(project))


def _hatch(root: Path, folder: Path, name: str, mark: str) -> Path:
    require("build")
    path = folder / name
    stamp = Stamp(folder / "seeformer-wheel.stamp")
    if stamp.holds(mark) and path.exists():
        return path
    stamp.drop()
    for old in folder.glob("*.whl"):
        old.unlink()
    run(
        [VENV_PYTHON, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        name="wheel",
        doing=f"building {path.name}",
        remedy="mend what hatchling names above",
        env=REPRODUCIBLE,
        cwd=root,
        show_output=True,
    )
    stamp.set(mark)
    return path
