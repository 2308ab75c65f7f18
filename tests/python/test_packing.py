"""What Python packs is what the page unpacks: one flat float32 buffer, and all the rest exact beside it."""

import json
import math

import numpy as np
import pytest

from seeformer.packing import pack


def unpack(meta, buffer):
    """The mirror of web/core/engine/values.js."""
    values = {}
    for entry in meta:
        if entry["kind"] == "array":
            size = math.prod(entry["shape"])
            values[entry["name"]] = buffer[entry["offset"] : entry["offset"] + size].reshape(entry["shape"])
        elif entry["kind"] == "number":
            values[entry["name"]] = float(entry["value"])
        else:
            values[entry["name"]] = entry["value"]
    return values


def test_arrays_lie_one_after_another():
    first, second = np.arange(6.0).reshape(2, 3), np.array([[[7, 8]]])
    meta, buffer = pack({"first": first, "n": 3, "second": second})
    assert [entry.get("offset") for entry in meta] == [0, None, 6]
    assert buffer.tolist() == [0, 1, 2, 3, 4, 5, 7, 8]
    assert buffer.dtype == np.float32 and buffer.flags.c_contiguous and buffer.ndim == 1


def test_layout_in_memory_does_not_matter():
    array = np.arange(24.0).reshape(2, 3, 4)
    for view in (
        array.transpose(2, 0, 1),
        array[:, ::-1, ::2],
        np.asfortranarray(array),
        np.broadcast_to(array[0, 0], (3, 4)),
    ):
        assert np.array_equal(unpack(*pack({"view": view}))["view"], view)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.float16, np.float64])
def test_every_kind_of_number_becomes_float32(dtype):
    assert pack({"x": np.array([0, 1], dtype)})[1].tolist() == [0, 1]


def test_infinities_and_nan_survive():
    values = unpack(
        *pack({"mask": np.array([0, -np.inf, np.nan]), "low": -math.inf, "high": math.inf, "none": math.nan})
    )
    assert np.array_equal(values["mask"], [0, -np.inf, np.nan], equal_nan=True)
    assert values["low"] == -math.inf and values["high"] == math.inf and math.isnan(values["none"])


def test_the_description_is_json_and_numbers_in_it_are_exact():
    meta, _ = pack({"a": 0.1, "b": np.float64(1 / 3), "c": True, "d": np.int64(2**53), "e": math.inf, "f": np.array(7)})
    assert [entry["value"] for entry in json.loads(json.dumps(meta, allow_nan=False))] == [
        0.1,
        1 / 3,
        1,
        2**53,
        "Infinity",
        7,
    ]


def test_strings_and_lists_of_strings():
    meta, buffer = pack({"word": "猫", "tokens": ("我", "爱"), "none": [], "array": np.array(["a", "bc"])})
    assert [(entry["kind"], entry["value"]) for entry in meta] == [
        ("string", "猫"),
        ("strings", ["我", "爱"]),
        ("strings", []),
        ("strings", ["a", "bc"]),
    ]
    assert buffer.size == 0


def test_an_empty_array_keeps_its_shape():
    meta, buffer = pack({"none": np.zeros((0, 4)), "x": np.ones(2)})
    assert meta[0]["shape"] == [0, 4] and meta[1]["offset"] == 0 and buffer.tolist() == [1, 1]


@pytest.mark.parametrize(
    "value", [None, {"a": 1}, [1, 2], 1j, np.array([1j]), np.array([None]), ["a", 1], b"x", object()]
)
def test_anything_else_is_refused_by_name(value):
    with pytest.raises(TypeError, match="^odd_one is an? "):
        pack({"fine": 1.0, "odd_one": value})
