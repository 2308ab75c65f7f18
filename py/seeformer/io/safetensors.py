"""safetensors files, read tensor by tensor and written as the library of that name writes them.

The format (Hugging Face, 2022): the length of a header, the header in JSON, then the numbers of one tensor after
the other. Nothing in it can be executed; what else it could do wrong is refused by ``header``.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from .header import PREFIX, compose, header_length, parse
from .source import source_of
from .stored_types import FLOATS, decode, encode, itemsize, type_of


class Safetensors(Mapping):
    """name -> array, each read when it is asked for, and read-only.

    ``metadata``: {str: str}; ``entries``: {name: Entry}.
    """

    def __init__(self, source):
        self._source = source_of(source)
        self._label = f"safetensors={self._source.name!r}"
        size = self._source.size
        try:
            length = header_length(bytes(self._source.piece(0, min(size, PREFIX))), size)
            self.entries, self.metadata = parse(bytes(self._source.piece(PREFIX, PREFIX + length)), size)
        except ValueError as error:
            raise ValueError(f"{self._label} is not a whole safetensors file: {error}. Fetch it again") from None

    def __getitem__(self, name):
        entry = self.entries[name]
        try:
            data = self._source.piece(entry.begin, entry.end)
        except ValueError as error:
            raise ValueError(f"{self._label}, tensor {name!r}: {error}. Open it again") from None
        return decode(entry.dtype, data).reshape(entry.shape)

    def __iter__(self):
        return iter(self.entries)

    def __len__(self):
        return len(self.entries)

    def __contains__(self, name):  # Mapping's own would read the tensor
        return name in self.entries


def read_safetensors(source):
    """Open a safetensors file.

    Parameters
    ----------
    source : bytes-like, a path, or a binary file with ``seek`` and ``read``
        Memory is not copied: aligned F32 tensors are views of it. Of a file only the header is read now.

    Returns
    -------
    Safetensors, a Mapping: name -> ndarray, read-only
        F32, F16 and F64 as they are, BF16 as float32 (exact), whole numbers and BOOL as they are.

    Raises
    ------
    ValueError
        The file is broken, or has a tensor of another type; nothing has been read but its header.
    """
    return Safetensors(source)


def write_safetensors(tensors, target=None, *, dtype=None, metadata=None):
    """Write arrays as a safetensors file, byte for byte as Hugging Face's library does.

    Parameters
    ----------
    tensors : mapping, name -> ndarray
    target : path or binary file, optional
        A path appears only when all is written.
    dtype : "F32", "F16", "BF16" or "F64", optional
        Store floats so, rounded to the nearest (ties to even); None leaves them as they are. Whole numbers stay.
    metadata : mapping, str -> str, optional

    Returns
    -------
    bytes, or None if there is a target

    Raises
    ------
    ValueError
        A dtype that safetensors has not, a number that ``dtype`` cannot hold, a name or metadata that are no text.
    """
    if dtype is not None and dtype not in FLOATS:
        raise ValueError(f"dtype={dtype!r} is not a type of floats: use one of {', '.join(FLOATS)}")
    for text in (*tensors, *(metadata or {}), *(metadata or {}).values()):
        if not isinstance(text, str):
            raise ValueError(f"tensors={text!r} is not a text: names and metadata must be")
    if "__metadata__" in tensors:
        raise ValueError("tensors='__metadata__' is not free as a name: use another")
    arrays = {name: np.asanyarray(x) for name, x in tensors.items()}
    types = {name: _type(name, x, dtype) for name, x in arrays.items()}
    order = sorted(arrays, key=lambda name: (-_RANK[types[name]], name.encode()))  # widest first: all are aligned
    entries = [(name, types[name], arrays[name].shape, arrays[name].size * itemsize(types[name])) for name in order]
    head = compose(entries, dict(metadata or {}))
    pieces = (encode(name, types[name], arrays[name]) for name in order)
    if target is None:
        return b"".join([head, *pieces])
    if hasattr(target, "write"):
        return _write(target, head, pieces)
    part = Path(f"{os.fspath(target)}.part")
    try:
        with part.open("wb") as file:
            _write(file, head, pieces)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


# The library's order of types, by width; of equal width the later comes first.
_RANK = {name: rank for rank, name in enumerate("BOOL U8 I8 I16 U16 F16 BF16 I32 U32 F32 F64 I64 U64".split())}


def _type(name, x, wanted):
    own = type_of(name, x)
    return wanted if wanted and own in FLOATS else own


def _write(file, head, pieces):
    file.write(head)
    for piece in pieces:
        file.write(piece)
