"""ONNX files, as many bytes of protobuf as a graph of few nodes takes (field numbers: onnx/onnx.proto)."""

import numpy as np

OPSET, IR_VERSION = 17, 8
NUMBERS = {np.dtype(np.float32): 1, np.dtype(np.int64): 7}


def _varint(number: int) -> bytes:
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def _field(number: int, value) -> bytes:
    """A number, or a text, message or array of bytes with its length before it."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value % 2**64)
    value = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _message(*fields) -> bytes:
    return b"".join(_field(number, value) for number, value in fields)


def node(operator: str, inputs: list[str], output: str, **attributes) -> bytes:
    """`attributes` are whole numbers or lists of them."""
    written = []
    for name, value in attributes.items():
        listed = isinstance(value, list)
        numbers = [(8, number) for number in value] if listed else [(3, value)]
        written.append((5, _message((1, name), *numbers, (20, 7 if listed else 2))))
    return _message(*((1, name) for name in inputs), (2, output), (4, operator), *written)


def _tensor(name: str, array: np.ndarray) -> bytes:
    dims = [(1, size) for size in array.shape]
    return _message(*dims, (2, NUMBERS[array.dtype]), (8, name), (9, np.ascontiguousarray(array).tobytes()))


def _float32(name: str, shape=None) -> bytes:
    """An input or output; None for a size that each run may choose, no shape where even the rank is open."""
    dims = [(1, _message((2, "n") if size is None else (1, size))) for size in shape or ()]
    tensor = _message((1, 1), *([(2, _message(*dims))] if shape else []))
    return _message((1, name), (2, _message((1, tensor))))


def model(nodes: list[bytes], inputs: dict, output: str, constants: dict[str, np.ndarray] | None = None) -> bytes:
    graph = _message(
        *((1, one) for one in nodes),
        (2, "graph"),
        *((5, _tensor(name, array)) for name, array in (constants or {}).items()),
        *((11, _float32(name, shape)) for name, shape in inputs.items()),
        (12, _float32(output)),
    )
    return _message((1, IR_VERSION), (7, graph), (8, _message((1, ""), (2, OPSET))))
