"""NumPy 1.26 in a folder of its own: what notes run with in Obsidian's Code Emitter, here for the venv's Python."""

import sys
from pathlib import Path

from .paths import WORK
from .python_env import require

LAST_PYTHON = (3, 12)  # NumPy 1.26 has wheels up to this one
FOLDER = WORK / f"numpy-1.26-py{sys.version_info[0]}{sys.version_info[1]}"


def ensure_older_numpy() -> Path | None:
    """The folder to put on PYTHONPATH; None where there is no such NumPy for this Python."""
    if sys.version_info[:2] > LAST_PYTHON:
        return None
    require("numpy-1.26", folder=FOLDER)
    return FOLDER
