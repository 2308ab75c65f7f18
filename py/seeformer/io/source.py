"""What a file is read from: memory, a path, or anything with seek() and read(); a piece at a time, never all of it."""

import os
from pathlib import Path


def source_of(given):
    """An object with ``size``, ``name`` and ``piece(begin, end)`` -> a buffer of those bytes."""
    if isinstance(given, (str, os.PathLike)):
        return OnDisk(Path(given))
    if hasattr(given, "read") and hasattr(given, "seek"):
        return Opened(given)
    try:
        memory = memoryview(given)
    except TypeError:
        raise ValueError(
            f"source={type(given).__name__} object is no file: give bytes, a path or an open file"
        ) from None
    return InMemory(memory.cast("B") if memory.c_contiguous else memoryview(memory.tobytes()))


class InMemory:
    """A piece is a view: an array made of it shares the memory."""

    name = "bytes"

    def __init__(self, memory):
        self.memory, self.size = memory, len(memory)

    def piece(self, begin, end):
        return self.memory[begin:end]


class Opened:
    """A binary file that somebody else opens and closes."""

    def __init__(self, file):
        self.file, self.size = file, file.seek(0, os.SEEK_END)
        self.name = str(getattr(file, "name", "file"))

    def piece(self, begin, end):
        return _read(self.file, begin, end)


class OnDisk:
    """Opened for each piece: nothing is left to close."""

    def __init__(self, path):
        self.path, self.size, self.name = path, path.stat().st_size, path.name

    def piece(self, begin, end):
        with self.path.open("rb") as file:
            return _read(file, begin, end)


def _read(file, begin, end):
    file.seek(begin)
    data = file.read(end - begin)
    if len(data) < end - begin:
        raise ValueError(f"bytes {begin} to {end} are no longer there: the file has changed")
    return data
