"""A tensor's line in the header: type, shape and place must agree, and the places must fill the file."""

import math
from dataclasses import dataclass

import numpy as np

from .stored_types import STORED, itemsize
from .text import encodable, short

MOST_AXES = 32  # NumPy 1.26 has no more


@dataclass(frozen=True)
class Entry:
    """Where a tensor lies: bytes ``begin`` to ``end`` of the file."""

    dtype: str
    shape: tuple
    begin: int
    end: int


def entry_of(name, facts, start, size):
    encodable(name)
    label = f"its tensor {short(name)}"
    if not isinstance(facts, dict):
        raise ValueError(f"{label} is described by no table")
    dtype, shape, place = (facts.get(key) for key in ("dtype", "shape", "data_offsets"))
    if not isinstance(dtype, str) or dtype not in STORED:
        raise ValueError(f"{label} has dtype {short(dtype)}; what can be read: {', '.join(STORED)}")
    if not _whole_numbers(shape) or len(shape) > MOST_AXES:
        raise ValueError(f"{label} has shape {short(shape)}, which is no list of up to {MOST_AXES} lengths")
    if not _whole_numbers(place) or len(place) != 2:
        raise ValueError(f"{label} has data_offsets {short(place)}, which are not two whole numbers")
    begin, end = place
    if not begin <= end <= size - start:
        raise ValueError(f"{label} lies at bytes {begin} to {end} of {size - start}")
    # Without its zeros a shape tells what NumPy must be able to count, even of an array without numbers.
    if math.prod(length or 1 for length in shape) * itemsize(dtype) > np.iinfo(np.intp).max:
        raise ValueError(f"{label} has shape {short(shape)}, more than this machine can hold")
    if math.prod(shape) * itemsize(dtype) != end - begin:
        needed = math.prod(shape) * itemsize(dtype)
        raise ValueError(f"{label} has {end - begin} bytes; {dtype} of shape {short(shape)} takes {needed}")
    return Entry(dtype, tuple(shape), start + begin, start + end)


def fill(entries, start, size):
    """ValueError unless the tensors lie one behind the other, from the header to the end."""
    at = start
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].begin, item[1].end)):
        if entry.begin < at:
            raise ValueError(f"its tensor {short(name)} lies over the one before it")
        if entry.begin > at:
            raise ValueError(f"its {entry.begin - at} bytes before tensor {short(name)} belong to none")
        at = entry.end
    if at < size:
        raise ValueError(f"its last {size - at} bytes belong to no tensor")


def _whole_numbers(value):
    return isinstance(value, list) and all(type(number) is int and number >= 0 for number in value)
