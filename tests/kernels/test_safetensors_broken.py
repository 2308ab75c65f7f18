"""A broken safetensors file: one ValueError that says what is wrong, and nothing large is reserved for it."""

import json
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer.io.header import LONGEST
from seeformer.io.safetensors import read_safetensors, write_safetensors

WHOLE = write_safetensors(
    {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.arange(4, dtype=np.int16)}, metadata={"format": "np"}
)
LENGTH = int.from_bytes(WHOLE[:8], "little")


def file(header, data=b"\0" * 8):
    """A file with this header: JSON (bytes or text), or what is to become JSON."""
    text = header if isinstance(header, bytes) else (header if isinstance(header, str) else json.dumps(header)).encode()
    return len(text).to_bytes(8, "little") + text + data


def one(**changes):
    """A file of one tensor, two float32, with changes to its entry."""
    return file({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]} | changes})


def two(first, second, size=8):
    """A file of two tensors of bytes at these places."""
    entry = [{"dtype": "U8", "shape": [end - begin], "data_offsets": [begin, end]} for begin, end in (first, second)]
    return file({"a": entry[0], "b": entry[1]}, b"\0" * size)


BROKEN = {
    "empty": (b"", "0 bytes, too few"),
    "seven bytes": (b"\0" * 7, "7 bytes, too few"),
    "no header": (b"\0" * 8, "does not begin with {"),
    "cut in the header": (WHOLE[:20], "says that its header alone takes"),
    "cut in the numbers": (WHOLE[:-1], "lies at bytes"),
    "more behind": (WHOLE + b"\0", "last 1 bytes belong to no tensor"),
    "length of all ones": (b"\xff" * 8 + b"{}", "header alone takes 18446744073709551615"),
    "huge header": (file(b"{" + b" " * LONGEST + b"}", b""), "are not read"),
    "not JSON": (file("{'a': 1}"), "not JSON"),
    "JSON and more": (file("{} {}", b""), "not JSON"),
    "a list": (file("[]", b""), "does not begin with {"),
    "space before": (file(" {}", b""), "does not begin with {"),
    "byte order mark": (file("\ufeff{}", b""), "does not begin with {"),
    "not UTF-8": (file(b'{"\xff": 1}'), "not UTF-8 at byte 2"),
    "UTF-16": (file("{}".encode("utf-16-le"), b""), "not JSON"),
    "deep": (file('{"a":' * 100_000), "nested too deeply"),
    "deep lists": (file('{"a":' + "[" * 100_000), "nested too deeply"),
    "four deep": (one(shape=[[2]]), "nested too deeply"),
    "half a character": (file('{"\\ud800":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}}'), "surrogate"),
    "no table": (file({"a": [1]}), "described by no table"),
    "null": (file({"a": None}), "described by no table"),
    "nothing in it": (file({"a": {}}), "dtype None"),
    "unknown type": (one(dtype="F31"), "dtype 'F31'; what can be read: BOOL"),
    "8-bit float": (one(dtype="F8_E4M3"), "dtype 'F8_E4M3'"),
    "type in a list": (one(dtype=["F32"]), "dtype ['F32']"),
    "wrong type": (one(dtype="F64"), "has 8 bytes; F64 of shape [2] takes 16"),
    "no shape": (one(shape=None), "shape None"),
    "a number as shape": (one(shape=2), "shape 2,"),
    "negative length": (one(shape=[-2]), "shape [-2]"),
    "two negative lengths": (one(shape=[-1, -2]), "shape [-1, -2]"),
    "half a length": (one(shape=[2.0]), "shape [2.0]"),
    "true as a length": (one(shape=[2, True]), "shape [2, True]"),
    "text as a length": (one(shape=["2"]), "shape ['2']"),
    "wrong shape": (one(shape=[3]), "has 8 bytes; F32 of shape [3] takes 12"),
    "absurd shape": (one(shape=[2**40, 2**40]), "more than this machine can hold"),
    "absurd shape with a zero": (one(shape=[0, 2**40, 2**40], data_offsets=[0, 0]), "more than this machine"),
    "a product that wraps around to 8 bytes": (one(shape=[2**62 + 2]), "more than this machine"),
    "too many axes": (one(shape=[1] * 33 + [2]), "no list of up to 32 lengths"),
    "a number with 5000 digits": (file('{"a":{"shape":[' + "9" * 5000 + "]}}"), "a number of 5000 digits"),
    "Infinity": (file('{"a":{"dtype":"F32","shape":[Infinity],"data_offsets":[0,8]}}'), "Infinity, which is no number"),
    "NaN": (file('{"a":{"dtype":"F32","shape":[NaN],"data_offsets":[0,8]}}'), "NaN, which is no number"),
    "no offsets": (one(data_offsets=None), "data_offsets None"),
    "one offset": (one(data_offsets=[8]), "data_offsets [8]"),
    "three offsets": (one(data_offsets=[0, 8, 8]), "data_offsets [0, 8, 8]"),
    "negative offset": (one(data_offsets=[-8, 0]), "data_offsets [-8, 0]"),
    "true and false as offsets": (one(data_offsets=[False, True]), "data_offsets [False, True]"),
    "float offsets": (one(data_offsets=[0.0, 8.0]), "data_offsets [0.0, 8.0]"),
    "backwards": (one(data_offsets=[8, 0]), "lies at bytes 8 to 0"),
    "out of the file": (one(data_offsets=[1, 9]), "lies at bytes 1 to 9 of 8"),
    "far out of the file": (one(data_offsets=[2**62, 2**62 + 8]), "of 8"),
    "overlap": (two((0, 5), (4, 8)), "'b' lies over the one before it"),
    "the same place": (two((0, 8), (0, 8)), "lies over the one before it"),
    "an empty one inside another": (two((0, 8), (4, 4)), "lies over the one before it"),
    "a hole": (two((0, 3), (4, 8)), "1 bytes before tensor 'b' belong to none"),
    "a hole at the start": (two((1, 3), (3, 8)), "1 bytes before tensor 'a' belong to none"),
    "a hole at the end": (two((0, 3), (3, 7)), "last 1 bytes"),
    "numbers but no tensor": (file("{}"), "last 8 bytes"),
    "the same name twice": (
        file('{"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}}'),
        "has the key 'a' twice",
    ),
    "the same key twice": (
        file('{"a":{"dtype":"U8","dtype":"I8","shape":[8],"data_offsets":[0,8]}}'),
        "has the key 'dtype' twice",
    ),
    "metadata twice": (file('{"__metadata__":{},"__metadata__":{}}', b""), "'__metadata__' twice"),
    "numbers in the metadata": (file({"__metadata__": {"epoch": 3}}, b""), "__metadata__ is not a table of texts"),
    "a list as metadata": (file({"__metadata__": ["a"]}, b""), "__metadata__ is not a table of texts"),
    "half a character in the metadata": (file('{"__metadata__":{"a":"\\udfff"}}', b""), "surrogate"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_says_what_is_wrong(case):
    data, message = BROKEN[case]
    with pytest.raises(ValueError) as caught:
        read_safetensors(data)
    assert type(caught.value) is ValueError and caught.value.__cause__ is None
    text = str(caught.value)
    assert text.startswith("safetensors='bytes' is not a whole safetensors file: it") and text.endswith(
        "Fetch it again"
    )
    assert any(part in text for part in message.split("|")) and len(text) < 400


def test_a_file_is_named(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(WHOLE[:9])
    with pytest.raises(ValueError, match="safetensors='model.safetensors' is not"):
        read_safetensors(tmp_path / "model.safetensors")


def test_the_whole_ones_are_read():
    """So that none of the above is refused for another reason."""
    assert read_safetensors(WHOLE)["b"].tolist() == [0, 1, 2, 3]
    assert read_safetensors(one())["a"].shape == (2,)
    assert set(read_safetensors(two((0, 3), (3, 8)))) == {"a", "b"}
    assert list(read_safetensors(file('{"[[[{{\\"[[":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}}'))) == [
        '[[[{{"[['
    ]
    assert read_safetensors(file("{}", b"")) == {} and read_safetensors(file("{}   ", b"")) == {}
    assert read_safetensors(one(shape=[2, 1, 1], more="is not looked at"))["a"].shape == (2, 1, 1)


def read_all(data):
    """What is read, and the most memory that it took."""
    tracemalloc.start()
    try:
        tensors = read_safetensors(data)
        return {name: tensors[name] for name in tensors}, tracemalloc.get_traced_memory()[1]
    except ValueError as error:
        assert type(error) is ValueError, repr(error)
        return None, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("case", [case for case in BROKEN if case != "huge header"])
def test_reserves_nothing_large(case):
    data = BROKEN[case][0]
    found, peak = read_all(data)
    assert found is None and peak < 20_000 + 20 * len(data)


def test_a_header_that_is_too_long_is_not_even_read():
    assert read_all(BROKEN["huge header"][0])[1] < 20_000


@given(st.binary(max_size=200))
def test_any_bytes(data):
    assert read_all(data)[1] < 200_000


@given(st.data())
def test_a_whole_file_with_some_bytes_changed(data):
    """It is read as some other file, or refused; never anything else."""
    changed = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        where = data.draw(st.integers(0, 8 + LENGTH - 1))
        changed[where] = data.draw(st.sampled_from(b'0123456789-.,:[]{}"eEFIBU\\ tnN\0\xff') | st.integers(0, 255))
    cut = data.draw(st.just(len(changed)) | st.integers(0, len(changed)))
    found, peak = read_all(bytes(changed[:cut]))
    assert peak < 200_000
    for x in (found or {}).values():
        assert x.nbytes <= 2 * len(WHOLE)


NUMBERS = (
    st.integers(-3, 20) | st.integers(-(2**70), 2**70) | st.booleans() | st.floats() | st.none() | st.text(max_size=2)
)
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "dtype": st.sampled_from(["F32", "F16", "BF16", "I64", "U8", "F8", "", None, 3]),
        "shape": st.lists(NUMBERS, max_size=5) | NUMBERS,
        "data_offsets": st.lists(NUMBERS, max_size=3) | st.tuples(st.integers(0, 9), st.integers(0, 9)).map(list),
    },
)


@given(st.dictionaries(st.sampled_from(["a", "b", "__metadata__"]), ENTRIES, max_size=3), st.binary(max_size=16))
def test_any_header(header, data):
    found, peak = read_all(file(header, data))
    assert peak < 200_000
    for x in (found or {}).values():
        assert x.nbytes <= 2 * len(data)  # of BF16 twice as much as stands there
