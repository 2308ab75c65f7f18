"""Puts a vault where the reader keeps it, without ever writing over what the reader has changed.

What was written is remembered in the vault itself (LEDGER): a file that still has the bytes we gave it is ours and may
be renewed; any other is the reader's.
"""

import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ..errors import BuildError

LEDGER = ".seeformer.json"


@dataclass
class Delivery:
    """What happened to which file."""

    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # changed by the reader, and nothing newer to offer
    beside: dict[str, str] = field(default_factory=dict)  # the reader's file: where ours went


def deliver(files: dict[str, bytes], folder: Path, *, merge: bool = False) -> Delivery:
    """Write ``files`` into ``folder``.

    Raises
    ------
    BuildError
        If there is something new where the reader has changed a file, and ``merge`` is off: then nothing is written.
    """
    if folder.exists() and not folder.is_dir():
        raise BuildError(f"{folder} is a file", "give --out a folder")
    ledger = _read(folder / LEDGER)
    done = Delivery()
    for path, content in files.items():
        there, delivered = _there(folder / path), ledger.get(path)
        if there == content:
            done.unchanged.append(path)
        elif there is None or _mark(there) == delivered:
            done.written.append(path)
        elif delivered == _mark(content):
            done.kept.append(path)
        else:
            done.beside[path] = _free(folder, path)
    if done.beside and not merge:
        some = ", ".join(sorted(done.beside)[:5]) + (", …" if len(done.beside) > 5 else "")
        remedy = "run it with --merge, which writes the new ones beside them, or choose another folder with --out"
        raise BuildError(f"{folder} holds notes of yours that would be written over: {some}", remedy)
    for path in done.written:
        _write(folder / path, files[path])
    for path, beside in done.beside.items():
        _write(folder / beside, _pointing_beside(path, files[path], done.beside))
    marks = ledger | {path: _mark(content) for path, content in files.items()}
    _write(folder / LEDGER, json.dumps(marks, indent=1, sort_keys=True, ensure_ascii=False).encode())
    return done


def _pointing_beside(path: str, content: bytes, beside: dict[str, str]) -> bytes:
    """A note that stands beside the reader's shows the pictures that stand beside the reader's."""
    if not path.endswith(".md"):
        return content
    for old, new in beside.items():
        content = content.replace(f"![[{old}|".encode(), f"![[{new}|".encode())
    return content


def _there(path: Path) -> bytes | None:
    if path.is_dir():
        raise BuildError(f"{path} is a folder, where a file of the vault belongs", "rename it, or choose another --out")
    return path.read_bytes() if path.exists() else None


def _free(folder: Path, path: str) -> str:
    """A free name beside the reader's file."""
    name = PurePosixPath(path)
    for number in range(1, 10_000):
        beside = str(name.with_name(f"{name.stem} (seeformer{'' if number == 1 else f' {number}'}){name.suffix}"))
        if _there(folder / beside) is None:
            return beside
    raise BuildError(f"{folder / path} has no free name beside it", "clear out that folder")


def _read(path: Path) -> dict[str, str]:
    try:
        ledger = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):  # without it every file counts as the reader's
        return {}
    return ledger if isinstance(ledger, dict) else {}


def _mark(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    os.replace(part, path)
