"""The cache of downloaded files: nothing enters or leaves it without its sha256 being right."""

import contextlib
import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .console import Progress, say
from .errors import BuildError

CHUNK = 1 << 16
WORTH_A_LINE = 2_000_000  # bytes


@dataclass(frozen=True)
class File:
    """One line of a lock."""

    name: str
    bytes: int
    sha256: str


class Cache:
    def __init__(self, folder: Path, lock: str = "lock.json"):
        self.folder = folder
        self.lock = lock  # whose hashes they are, for the message

    def path(self, file: File) -> Path:
        return self.folder / file.name

    def has(self, file: File) -> bool:
        """Whether the whole, right file is here. A wrong one is deleted on sight."""
        path = self.path(file)
        if not path.exists():
            return False
        if sha256_of(path) == file.sha256:
            return True
        path.unlink()
        say(f"{file.name} in the cache was damaged: deleted")
        return False

    def store(self, file: File, source) -> None:
        """Copy a readable binary `source` in. It gets its real name only when its hash is right."""
        self.folder.mkdir(parents=True, exist_ok=True)
        digest, done = hashlib.sha256(), 0
        handle, part = tempfile.mkstemp(prefix=f"{file.name}.", suffix=".part", dir=self.folder)
        try:
            with os.fdopen(handle, "wb") as out, _progress(file) as progress:
                while chunk := source.read(CHUNK):
                    out.write(chunk)
                    digest.update(chunk)
                    done += len(chunk)
                    if progress:
                        progress.update(done)
            if digest.hexdigest() != file.sha256:
                raise WrongHash(file, digest.hexdigest(), done, self.lock)
            os.replace(part, self.path(file))
        finally:
            Path(part).unlink(missing_ok=True)


def _progress(file: File):
    """A small file is there before a line about it could be read."""
    return Progress(file.name, file.bytes) if file.bytes > WORTH_A_LINE else contextlib.nullcontext()


def sha256_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class WrongHash(BuildError):
    def __init__(self, file: File, got: str, size: int, lock: str):
        super().__init__(
            f"{file.name} is not the file that {lock} names: {size} of {file.bytes} bytes, "
            f"sha256 {got[:12]}… instead of {file.sha256[:12]}… (deleted)",
            "run the command again; if it stays so, the source or a proxy in between alters files",
        )
