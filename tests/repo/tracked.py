"""The files of the project as git has them (a clone without git: all that is not ignored by rule)."""

import subprocess
from functools import cache
from pathlib import Path

from sitebuild.paths import ROOT

BUILT = {".git", ".venv", ".build", "node_modules", "site", "vendor", "__pycache__", "dist"}
BINARY = {".png", ".npz", ".bin", ".safetensors", ".wasm"}


@cache
def tracked_files() -> tuple[Path, ...]:
    """Tracked files, and new ones that git would track."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        found = [ROOT / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        found = [path for path in ROOT.rglob("*") if not BUILT & set(path.relative_to(ROOT).parts)]
    return tuple(sorted(path for path in found if path.is_file()))


def text_files(*suffixes: str) -> list[Path]:
    """Tracked text files, all of them or those with a suffix."""
    kept = [path for path in tracked_files() if path.suffix not in BINARY]
    return [path for path in kept if not suffixes or path.suffix in suffixes]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
