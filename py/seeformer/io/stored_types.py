"""How each of safetensors' types is stored, and what NumPy array it becomes.

Floats: F64, F32, F16 become arrays of that type, BF16 becomes float32 (exactly). Whole numbers and BOOL become
NumPy's of that type: old checkpoints keep position_ids as I64. The 8-bit and 4-bit floats of quantised models, and
complex numbers, are refused by name.
"""

import numpy as np

from . import bfloat16

STORED = {
    "BOOL": "|b1",
    "U8": "|u1",
    "I8": "|i1",
    "U16": "<u2",
    "I16": "<i2",
    "F16": "<f2",
    "BF16": "<u2",
    "U32": "<u4",
    "I32": "<i4",
    "F32": "<f4",
    "U64": "<u8",
    "I64": "<i8",
    "F64": "<f8",
}
FLOATS = ("F32", "F16", "BF16", "F64")


def itemsize(name):
    """Bytes of one number of that type."""
    return np.dtype(STORED[name]).itemsize


def decode(name, data):
    """The numbers in ``data``, a buffer, as a read-only array [count]; a view of it wherever that is possible."""
    x = np.frombuffer(data, STORED[name])
    if name == "BF16":
        x = bfloat16.from_bits(x)
    elif name == "BOOL":
        x = x.view(np.uint8) != 0  # any byte but 0 and 1 would be an odd kind of True
    elif not x.flags.aligned:
        x = x.copy()
    x.flags.writeable = False
    return x


def type_of(label, x):
    """The type's name under which an array is stored as it is."""
    for name, stored in STORED.items():
        if name != "BF16" and x.dtype.newbyteorder("=") == np.dtype(stored).newbyteorder("="):
            return name
    raise ValueError(f"{label}=array of dtype {x.dtype} has no type in safetensors: use {label}.astype(np.float32)")


def encode(label, name, x):
    """The bytes of ``x``, as type ``name``; ValueError if a finite number becomes infinite on the way.

    Each number goes to the nearest one that the type has, ties to the even one.
    """
    if name != "BF16" and x.dtype == np.dtype(STORED[name]):
        return x.tobytes()
    if name == "BF16":
        stored = bfloat16.to_bits(x)
        kept = bfloat16.from_bits(stored)
    else:
        with np.errstate(over="ignore"):
            stored = kept = x.astype(STORED[name])
    if name in FLOATS and (lost := np.isfinite(x) & ~np.isfinite(kept)).any():
        largest = abs(np.where(lost, x, 0)).max()
        raise ValueError(f"{label}=array with {largest:.4g} is too large for {name}: use dtype='F32'")
    return stored.tobytes()
