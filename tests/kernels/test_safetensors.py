"""safetensors: what is written is read, from memory and from files, and no more is read than was asked for."""

import io
import json
import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from seeformer.io.safetensors import read_safetensors, write_safetensors

TYPES = ["?", "u1", "i1", "<u2", "<i2", "<f2", "<u4", "<i4", "<f4", "<u8", "<i8", "<f8"]
SHAPES = arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
TENSORS = st.dictionaries(
    st.text(max_size=12).filter(lambda name: name != "__metadata__"),
    st.sampled_from(TYPES).flatmap(lambda dtype: arrays.arrays(dtype, SHAPES)),
    max_size=5,
)
TEXTS = st.dictionaries(st.text(max_size=9), st.text(max_size=9), max_size=3)
X = {
    "a": np.arange(6, dtype=np.float32).reshape(2, 3),
    "b": np.arange(3, dtype=np.int64),
    "c": np.float16([[1.5], [-2]]),
}


def header(data):
    return json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])


@given(TENSORS, TEXTS)
def test_what_is_written_is_read(tensors, metadata):
    back = read_safetensors(write_safetensors(tensors, metadata=metadata))
    assert set(back) == set(tensors) and len(back) == len(tensors) and back.metadata == metadata
    for name, x in tensors.items():
        assert back[name].dtype == x.dtype and back[name].shape == x.shape
        assert back[name].tobytes() == x.tobytes()  # NaN included


@pytest.mark.parametrize("hold", [bytes, bytearray, memoryview, io.BytesIO, lambda b: np.frombuffer(b, np.uint8)])
def test_from_memory_or_an_open_file(hold):
    back = read_safetensors(hold(write_safetensors(X)))
    for name, x in X.items():
        np.testing.assert_array_equal(back[name], x)


def test_to_and_from_a_path(tmp_path):
    path = tmp_path / "x.safetensors"
    assert write_safetensors(X, path) is None and path.read_bytes() == write_safetensors(X)
    with path.open("wb") as file:
        write_safetensors({"d": X["a"]}, file)
    np.testing.assert_array_equal(read_safetensors(str(path))["d"], X["a"])


def test_a_path_keeps_its_file_when_writing_fails(tmp_path):
    path = tmp_path / "x.safetensors"
    write_safetensors(X, path)
    with pytest.raises(ValueError, match="too large for F16"):
        write_safetensors({"a": np.float32([1e6])}, path, dtype="F16")
    assert path.read_bytes() == write_safetensors(X) and [file.name for file in tmp_path.iterdir()] == [path.name]


def test_memory_is_shared_and_cannot_be_written():
    data = bytearray(write_safetensors(X))
    back = read_safetensors(data)
    assert np.shares_memory(back["a"], np.frombuffer(data, np.uint8))
    for name in X:
        with pytest.raises(ValueError, match="read-only"):
            back[name][...] = 0


def test_one_tensor_of_a_large_file_takes_only_its_own_memory(tmp_path):
    path = tmp_path / "large.safetensors"
    write_safetensors({"large": np.zeros(4_000_000, np.float32), "small": np.ones(10, np.float32)}, path)
    tracemalloc.start()
    small = read_safetensors(path)["small"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert small.sum() == 10 and peak < 200_000


class Counted(io.BytesIO):
    taken = 0

    def read(self, size=-1):
        data = super().read(size)
        self.taken += len(data)
        return data


def test_a_file_is_read_by_the_tensor():
    file = Counted(write_safetensors(X))
    back = read_safetensors(file)
    length = 8 + int.from_bytes(file.getvalue()[:8], "little")
    assert file.taken == length and "a" in back and file.taken == length
    assert back["c"].nbytes == 4 and file.taken == length + 4


def test_numbers_that_are_not_aligned():
    """Other writers need not pad the header."""
    data = write_safetensors({"a": X["a"]})
    length = int.from_bytes(data[:8], "little")
    text = data[8 : 8 + length].rstrip() + b" "
    text += b" " * (1 - len(text) % 2)  # an odd length
    x = read_safetensors(len(text).to_bytes(8, "little") + text + data[8 + length :])["a"]
    assert x.flags.aligned
    np.testing.assert_array_equal(x, X["a"])


def test_any_layout_of_an_array_is_written_by_rows():
    x = np.arange(24.0).reshape(2, 3, 4)
    for view in (x.T, x[:, ::-1, ::2], x.astype(">f8"), np.asfortranarray(x)):
        np.testing.assert_array_equal(read_safetensors(write_safetensors({"x": view}))["x"], view)


def test_the_header_is_padded_and_the_widest_types_come_first():
    data = write_safetensors({"x": X["c"], "y": X["b"], "a": X["a"]})
    assert int.from_bytes(data[:8], "little") % 8 == 0
    assert list(header(data)) == ["y", "a", "x"]


@pytest.mark.parametrize(("dtype", "step"), [("F16", 2.0**-10), ("BF16", 2.0**-7), ("F32", 2.0**-23)])
def test_floats_are_stored_as_asked_and_whole_numbers_as_they_are(dtype, step):
    x = np.array([1 + step / 2, 1 + step * 1.5, 1 + step * 0.501])
    data = write_safetensors({"x": x, "n": X["b"]}, dtype=dtype)
    assert header(data)["x"]["dtype"] == dtype and header(data)["n"]["dtype"] == "I64"
    assert read_safetensors(data)["x"].tolist() == [1, 1 + 2 * step, 1 + step]


@pytest.mark.parametrize(("dtype", "number"), [("F16", 65520.0), ("BF16", 3.4e38), ("F32", 1e39)])
def test_a_number_that_does_not_fit_is_told(dtype, number):
    x = np.array([1.0, -number])
    with pytest.raises(ValueError, match=re.escape(f"w=array with {number:.4g} is too large for {dtype}: use dtype=")):
        write_safetensors({"w": x}, dtype=dtype)


def test_infinity_and_nan_are_stored_as_they_are():
    x = np.float32([np.inf, -np.inf, np.nan])
    for dtype in ("F16", "BF16", "F32", "F64"):
        np.testing.assert_array_equal(read_safetensors(write_safetensors({"x": x}, dtype=dtype))["x"], x)


def test_what_cannot_be_written():
    for x in (np.array([1j]), np.array(["a"]), np.array([None])):
        with pytest.raises(ValueError, match="x=array of dtype .* has no type in safetensors"):
            write_safetensors({"x": x})
    with pytest.raises(ValueError, match="dtype='I8' is not a type of floats"):
        write_safetensors(X, dtype="I8")
    with pytest.raises(ValueError, match="__metadata__"):
        write_safetensors({"__metadata__": X["a"]})
    with pytest.raises(ValueError, match="is not a text"):
        write_safetensors({1: X["a"]})
    with pytest.raises(ValueError, match="is not a text"):
        write_safetensors(X, metadata={"epoch": 3})
    with pytest.raises(ValueError, match="surrogate"):
        write_safetensors({"\ud800": X["a"]})


def test_what_is_no_file():
    with pytest.raises(ValueError, match="source=int object is no file"):
        read_safetensors(3)


def test_a_file_that_shrank_meanwhile(tmp_path):
    path = tmp_path / "x.safetensors"
    write_safetensors(X, path)
    back = read_safetensors(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="the file has changed"):
        back["c"]
