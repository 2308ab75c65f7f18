"""Where things are. Everything built is git-ignored and below ROOT; downloads live in the user's cache."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PY = ROOT / "py"
WEB = ROOT / "web"
VENDOR = WEB / "vendor"
SITE = ROOT / "site"
VENV = ROOT / ".venv"
NODE_MODULES = ROOT / "node_modules"
WORK = ROOT / ".build"  # intermediate products, logs, the lock between two builds
REQUIREMENTS = Path(__file__).parent / "requirements"


def cache_folder() -> Path:
    """The downloads' folder: $SEEFORMER_CACHE, else the platform's place for caches."""
    chosen = os.environ.get("SEEFORMER_CACHE")
    if chosen:
        return Path(chosen).expanduser().resolve()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "seeformer"


def venv_program(name: str) -> Path:
    if sys.platform == "win32":
        return VENV / "Scripts" / f"{name}.exe"
    return VENV / "bin" / name


VENV_PYTHON = venv_program("python")
