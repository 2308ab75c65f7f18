"""The seeformer wheel: same input, same bytes, whoever builds it and wherever."""

import re
from pathlib import Path

from .command import run
from .errors import BuildError
from .paths import PY, ROOT, VENV_PYTHON, WORK
from .python_env import require
from .stamps import Stamp, fingerprint

REPRODUCIBLE = {"SOURCE_DATE_EPOCH": "1577836800", "PYTHONHASHSEED": "0"}  # 2020-01-01: zip knows no date before 1980


def version() -> str:
    text = (PY / "seeformer" / "__init__.py").read_text(encoding="utf-8")
    match = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    if not match:
        raise BuildError("py/seeformer/__init__.py has no __version__", 'write a line like __version__ = "0.1.0" there')
    return match.group(1)


def wheel_name() -> str:
    return f"seeformer-{version()}-py3-none-any.whl"


def build_wheel(root: Path = ROOT, folder: Path = WORK / "wheel") -> Path:
    """Build the wheel of the project at `root` into `folder`; nothing happens if it is there already."""
    require("build")
    path = folder / wheel_name()
    mark = fingerprint(root / "py" / "seeformer", root / "pyproject.toml", root / "LICENSE")
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
