"""The header of a safetensors file: 8 bytes that say how long it is, then JSON: name -> type, shape, place.

Whoever wrote the file may have been careless or hostile: all is checked, against the size that the file really has,
before anything is reserved for it.
"""

import json

from .entry import entry_of, fill
from .text import encodable, shallow, short

PREFIX = 8
DEEPEST = 3  # the list of lengths, in a tensor's table, in the table of tensors
LONGEST = 4 << 20  # bytes; a thousand tensors take a tenth of a megabyte


def header_length(prefix, size):
    """The length of the JSON; ``prefix`` is the file's first 8 bytes, ``size`` its length."""
    if size < PREFIX:
        raise ValueError(f"it has {size} bytes, too few for a header")
    length = int.from_bytes(prefix, "little")
    if length > size - PREFIX:
        raise ValueError(f"it has {size} bytes, but says that its header alone takes {length}")
    if length > LONGEST:
        raise ValueError(f"its header takes {length} bytes; more than {LONGEST} are not read")
    return length


def parse(text, size):
    """({name: Entry}, {metadata}) of the JSON ``text`` (bytes) of a file of ``size`` bytes."""
    if not text.startswith(b"{"):
        raise ValueError("its header does not begin with {")
    try:
        header = text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"its header is not UTF-8 at byte {error.start}") from None
    shallow(header, DEEPEST)
    try:
        found = json.loads(header, object_pairs_hook=_once, parse_constant=_no_number, parse_int=_short_int)
    except json.JSONDecodeError as error:
        raise ValueError(f"its header is not JSON: {error.msg} at character {error.pos}") from None
    metadata = _metadata(found.pop("__metadata__", {}))
    start = PREFIX + len(text)
    entries = {name: entry_of(name, facts, start, size) for name, facts in found.items()}
    fill(entries, start, size)
    return entries, metadata


def _once(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        seen = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))
        raise ValueError(f"its header has the key {short(twice)} twice")
    return found


def _no_number(text):
    raise ValueError(f"its header has {text}, which is no number")


def _short_int(text):
    if len(text) > 20:
        raise ValueError(f"its header has a number of {len(text)} digits")
    return int(text)


def _metadata(found):
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise ValueError("its __metadata__ is not a table of texts")
    for text in (*found, *found.values()):
        encodable(text)
    return found


def compose(entries, metadata):
    """The header as bytes, its length before it; ``entries``: [(name, type, shape, number of bytes)] as they follow.

    Padded with spaces to a multiple of 8, so that the numbers behind it are aligned.
    """
    found = {"__metadata__": metadata} if metadata else {}
    at = 0
    for name, dtype, shape, count in entries:
        found[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + count]}
        at += count
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(PREFIX, "little") + text
