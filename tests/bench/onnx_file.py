"""ONNX files, as many bytes of protobuf as a graph of few nodes takes (field numbers: onnx/onnx.proto)."""

import struct
from dataclasses import dataclass

import numpy as np

OPSET, IR_VERSION = 17, 8
NUMBERS = {np.dtype(np.float32): 1, np.dtype(np.int64): 7}


@dataclass(frozen=True)
class Stored:
    """float32 numbers that lie in another file: weights need not be there twice."""

    shape: tuple
    file: str
    begin: int
    size: int  # in bytes, as ``begin``


def _varint(number: int) -> bytes:
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def _field(number: int, value) -> bytes:
    """A number, or a text, message or array of bytes with its length before it."""
    if isinstance(value, float):
        return _varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value % 2**64)
    value = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _message(*fields) -> bytes:
    return b"".join(_field(number, value) for number, value in fields)


def node(operator: str, inputs: list[str], outputs: str | list[str], **attributes) -> bytes:
    """`attributes` are numbers or lists of whole ones."""
    return _message(
        *((1, name) for name in inputs),
        *((2, name) for name in ([outputs] if isinstance(outputs, str) else outputs)),
        (4, operator),
        *((5, _attribute(name, value)) for name, value in attributes.items()),
    )


def _attribute(name: str, value) -> bytes:
    """The value in the field of its type, and which type that is."""
    if isinstance(value, list):
        return _message((1, name), *((8, number) for number in value), (20, 7))
    if isinstance(value, float):
        return _message((1, name), (2, value), (20, 1))
    return _message((1, name), (3, value), (20, 2))


def _tensor(name: str, array: np.ndarray | Stored) -> bytes:
    dims = [(1, size) for size in array.shape]
    if isinstance(array, Stored):
        place = {"location": array.file, "offset": array.begin, "length": array.size}
        told = [(13, _message((1, key), (2, str(value)))) for key, value in place.items()]
        return _message(*dims, (2, 1), (8, name), *told, (14, 1))
    return _message(*dims, (2, NUMBERS[array.dtype]), (8, name), (9, np.ascontiguousarray(array).tobytes()))


def _value(name: str, shape=None, number=1) -> bytes:
    """An input or output. A size that each run may choose has a name, None being "n"; no shape: even the rank is open."""
    dims = [(1, _message((1, size) if isinstance(size, int) else (2, size or "n"))) for size in shape or ()]
    tensor = _message((1, number), *([(2, _message(*dims))] if shape else []))
    return _message((1, name), (2, _message((1, tensor))))


def model(nodes: list[bytes], inputs: dict, outputs: dict, constants: dict | None = None, *, whole=()) -> bytes:
    """`inputs` and `outputs`: name -> shape; all are float32 but those whose names are among the `whole` ones."""
    graph = _message(
        *((1, one) for one in nodes),
        (2, "graph"),
        *((5, _tensor(name, array)) for name, array in (constants or {}).items()),
        *((11, _value(name, shape, 7 if name in whole else 1)) for name, shape in inputs.items()),
        *((12, _value(name, shape)) for name, shape in outputs.items()),
    )
    return _message((1, IR_VERSION), (7, graph), (8, _message((1, ""), (2, OPSET))))
