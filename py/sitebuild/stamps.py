"""Whether a step still has to run: a fingerprint of its inputs, kept beside what it made.

The stamp lies inside the step's own output, so deleting the output deletes the stamp.
"""

import hashlib
from pathlib import Path


def fingerprint(*inputs: Path | str) -> str:
    """A hash of file contents (a Path; a folder counts with everything in it) and of plain words."""
    digest = hashlib.sha256()
    for item in inputs:
        for part in _parts(item):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _parts(item: Path | str):
    if isinstance(item, str):
        yield item.encode()
    elif item.is_dir():
        for path in source_files(item):
            yield path.relative_to(item).as_posix().encode()
            yield path.read_bytes()
    else:
        yield item.name.encode()
        yield item.read_bytes() if item.exists() else b"(absent)"


def source_files(folder: Path) -> list[Path]:
    """Every file below `folder` in a fixed order, without caches and hidden files."""
    found = []
    for path in folder.rglob("*"):
        inner = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in inner):
            found.append(path)
    return sorted(found)


class Stamp:
    def __init__(self, path: Path):
        self.path = path

    def holds(self, mark: str) -> bool:
        try:
            return self.path.read_text() == mark
        except OSError:
            return False

    def set(self, mark: str) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(mark)

    def drop(self) -> None:
        self.path.unlink(missing_ok=True)
