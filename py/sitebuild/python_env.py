"""The project's own .venv, filled from hash-pinned requirement files; downloads are kept in the cache.

pip is started only when a requirement file, or the Python below it, has changed.
"""

import sys
from pathlib import Path

from .command import run
from .console import say
from .errors import BuildError
from .paths import REQUIREMENTS, VENV, VENV_PYTHON, cache_folder
from .stamps import Stamp, fingerprint

OFFLINE_REMEDY = "connect to the network once, or check your pip settings"


def wheel_house():
    """Where pip's downloads are kept: what was installed once installs again without network."""
    return cache_folder() / "python"


def ensure_venv() -> None:
    mark = fingerprint(sys.base_prefix, sys.version)
    stamp = Stamp(VENV / "seeformer-venv.stamp")
    if stamp.holds(mark) and VENV_PYTHON.exists():
        return
    if sys.prefix != sys.base_prefix and str(VENV) == sys.prefix:
        raise BuildError(f"{VENV} is incomplete and build.py runs inside it", "deactivate it and run build.py again")
    base = getattr(sys, "_base_executable", sys.executable)
    run(
        [base, "-m", "venv", "--clear", VENV],
        name="venv",
        doing="making .venv",
        remedy="install Python's venv module (on Debian and Ubuntu: apt-get install python3-venv)",
    )
    stamp.set(mark)


def require(name: str, *, hashes: bool = True, folder: Path = VENV) -> None:
    """Have everything of requirements/<name>.txt in the venv, or in a `folder` for somebody's PYTHONPATH."""
    ensure_venv()
    wanted = REQUIREMENTS / f"{name}.txt"
    mark, stamp = fingerprint(wanted), Stamp(folder / f"seeformer-{name}.stamp")
    if stamp.holds(mark):
        return
    stamp.drop()
    check = ["--only-binary", ":all:"] + (["--require-hashes"] if hashes else [])
    elsewhere = [] if folder == VENV else ["--target", folder, "--upgrade"]
    house = wheel_house()
    house.mkdir(parents=True, exist_ok=True)
    offline = ["install", *elsewhere, "--no-index", "--find-links", house, *check, "-r", wanted]
    title = f"Python packages ({name})"
    if not pip(offline, name=f"{name}-cached", doing=f"{title}: looking in the cache", may_fail=True):
        download = ["download", "--dest", house, *check, "-r", wanted]
        pip(download, name=f"{name}-download", doing=f"{title}: downloading", watch=house)
        pip(offline, name=f"{name}-install", doing=f"{title}: installing")
    stamp.set(mark)
    say(f"{title}: ready")


def pip(arguments, *, name: str, doing: str, env=None, **options) -> bool:
    """Run the venv's pip with the settings it has on this machine (a mirror, a proxy), in its own log."""
    command = [VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input", "--retries", "2", *arguments]
    env = {"PIP_USER": "0", **(env or {})}  # a machine-wide --user is refused inside a venv
    return run(command, name=f"pip-{name}", doing=doing, remedy=OFFLINE_REMEDY, env=env, **options)
