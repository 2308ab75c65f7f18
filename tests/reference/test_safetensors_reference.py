"""Files that Hugging Face's libraries wrote are read here, and the other way round."""

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from seeformer.io.checkpoint import read_checkpoint, write_checkpoint
from seeformer.io.names import TIED, canonical, canonical_names
from seeformer.io.safetensors import read_safetensors, write_safetensors

HERE = Path(__file__).parent
NAMES = json.loads((HERE / "checkpoint_names.json").read_text("utf-8"))
FILE = (HERE / "mixed.safetensors").read_bytes()


def test_every_tensor_of_the_librarys_file():
    found = read_safetensors(FILE)
    with np.load(HERE / "safetensors.npz") as theirs:
        assert set(found) == set(theirs.files) and len(theirs.files) == 16
        for name in theirs.files:
            assert found[name].dtype == theirs[name].dtype and found[name].shape == theirs[name].shape
            np.testing.assert_array_equal(found[name], theirs[name])
            if found[name].dtype.kind == "f":
                np.testing.assert_array_equal(np.signbit(found[name]), np.signbit(theirs[name]))
    assert found.metadata == {"format": "pt"}


def test_written_again_it_is_the_same_file():
    """Byte for byte, but for bfloat16, which is float32 here."""
    tensors = {name: x for name, x in read_safetensors(FILE).items() if name != "bfloat16"}
    again = write_safetensors(tensors, metadata={"format": "pt"})
    assert list(read_safetensors(again)) == [name for name in read_safetensors(FILE) if name != "bfloat16"]
    only = {"bfloat16": read_safetensors(FILE)["bfloat16"]}
    entry = read_safetensors(FILE).entries["bfloat16"]
    numbers = write_safetensors(only, dtype="BF16")[-20:]
    nan = np.isnan(only["bfloat16"]).reshape(-1)
    stored, theirs = (np.frombuffer(data, "<u2")[~nan] for data in (numbers, FILE[entry.begin : entry.end]))
    np.testing.assert_array_equal(stored, theirs)


@pytest.mark.parametrize("family", NAMES)
def test_a_model_without_head_has_the_names_of_the_one_with_it(family):
    base, head = (canonical_names(family, found["stored"]) for found in NAMES[family].values())
    assert set(head.values()) == set(head)  # what has a head is in this form already
    assert {name for name in base if "pooler" not in name} <= set(head)


@pytest.mark.parametrize("family", [family for family in NAMES if family != "vit"])
def test_what_a_model_uses_and_its_file_lacks_is_tied(family):
    """Not ViT's: nothing is tied, and transformers 5 calls its weights otherwise than its files do."""
    others = {name for _, *names in TIED[family] for name in names}
    for found in NAMES[family].values():
        used = {canonical(family, name) for name in found["used"]}
        assert used - others == set(canonical_names(family, found["stored"]))
        assert {canonical(family, name) for name in set(found["used"]) - set(found["stored"])} == used & others


def test_the_libraries_still_say_the_same(request, tmp_path):
    if not request.config.getoption("--reference", default=False):
        pytest.skip("needs PyTorch and transformers: python build.py test --reference")
    subprocess.run([sys.executable, HERE / "make_safetensors.py", tmp_path], check=True)
    for name in ("mixed.safetensors", "checkpoint_names.json"):
        assert (tmp_path / name).read_bytes() == (HERE / name).read_bytes(), name
    sys.path.insert(0, str(HERE))
    our_files_are_theirs()
    our_rounding_is_theirs()
    what_one_refuses_the_other_refuses()
    for family in NAMES:
        for name in NAMES[family]:
            a_model_goes_there_and_back(family, name, tmp_path / name)


def our_files_are_theirs():
    """Byte for byte, for every type that NumPy has."""
    from safetensors import numpy as theirs

    rng = np.random.default_rng(6)
    for dtype in "? u1 i1 u2 i2 f2 u4 i4 f4 u8 i8 f8".split():
        for shape in ((), (3,), (2, 5), (2, 0), (3, 1, 2)):
            tensors = {name: np.array(rng.standard_normal(shape) * 9 + 9).astype(dtype) for name in ("b", "a", "层.0")}
            tensors |= {"w": rng.standard_normal(3).astype(np.float32)}
            assert write_safetensors(tensors) == theirs.save(tensors)
            back = theirs.load(write_safetensors(tensors, metadata={"format": "pt"}))
            assert all((back[name] == x).all() and back[name].dtype == x.dtype for name, x in tensors.items())


def our_rounding_is_theirs():
    import torch
    from safetensors.torch import load

    rng = np.random.default_rng(7)
    x = np.concatenate([rng.standard_normal(20_000), 10.0 ** rng.uniform(-8, 4.8, 20_000)]).astype(np.float32)
    for dtype, wanted in (("BF16", torch.bfloat16), ("F16", torch.float16), ("F64", torch.float64)):
        data = write_safetensors({"x": x}, dtype=dtype)
        back = load(data)["x"]
        assert back.dtype == wanted and torch.equal(back, torch.from_numpy(x).to(wanted))
        assert (read_safetensors(data)["x"] == back.to(torch.float64).numpy()).all()


def what_one_refuses_the_other_refuses():
    """Files with a byte changed. Here some more are refused: see the reasons."""
    from safetensors import numpy as theirs

    stricter = ("is not UTF-8", "surrogate", "twice", "described by no table", "up to 32", "this machine can hold")
    whole = write_safetensors({"a": np.arange(6.0), "b": np.arange(4, dtype=np.int8)}, metadata={"k": "v"})
    header = 8 + int.from_bytes(whole[:8], "little")
    accepted = refused = 0
    for where in range(header):
        for byte in b'0129-.,:[]{}" \\eFIBU\0\xff':
            changed = whole[:where] + bytes([byte]) + whole[where + 1 :]
            try:
                expected = theirs.load(changed)
            except Exception:  # the library has several
                expected = None
            try:
                found = dict(read_safetensors(io.BytesIO(changed)))
            except ValueError as error:
                assert expected is None or any(reason in str(error) for reason in stricter), (changed, str(error))
                refused += 1
                continue
            if expected is None:
                # NumPy's half of the library lacks a type that the format has: the only reason to be more lenient.
                assert b"BF16" in changed or b"F8" in changed, changed
                continue
            assert set(found) == set(expected)
            assert all(found[name].tobytes() == expected[name].tobytes() for name in found)
            accepted += 1
    assert accepted > 100 and refused > 1000


def a_model_goes_there_and_back(family, name, folder):
    """transformers -> read_checkpoint -> write_checkpoint -> transformers: every parameter is what it was."""
    import make_safetensors
    import torch
    import transformers

    before = make_safetensors.model(family, name)
    before.save_pretrained(folder)
    config, weights = read_checkpoint(folder / "model.safetensors", folder / "config.json")
    assert config["model_type"] == family and not weights.ignored
    (folder / "again").mkdir()
    _, text = write_checkpoint(weights, config, target=folder / "again" / "model.safetensors")
    (folder / "again" / "config.json").write_text(text, encoding="utf-8")
    after, report = getattr(transformers, name).from_pretrained(folder / "again", output_loading_info=True)
    assert not any(report.values()), report
    ours, theirs = after.state_dict(), before.state_dict()
    assert ours.keys() == theirs.keys() and all(torch.equal(ours[key], theirs[key]) for key in theirs)
