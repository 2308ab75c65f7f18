"""Attention equals PyTorch's. The values are committed; with --reference they are made anew and compared first."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from seeformer.attention import multi_head_attention, scaled_dot_product_attention
from seeformer.trace import trace

HERE = Path(__file__).parent
COMMITTED = HERE / "attention.npz"
FUNCTIONS = {"sdpa": scaled_dot_product_attention, "mha": multi_head_attention}
TOLERANCE = {"float32": 1e-5, "float64": 1e-6}


def cases():
    """(dtype, name) -> {"in": {argument: array}, "out": {value: array}}"""
    found = {}
    with np.load(COMMITTED) as arrays:
        for key, values in arrays.items():
            dtype, name, direction, argument = key.split("/")
            found.setdefault((dtype, name), {"in": {}, "out": {}})[direction][argument] = values
    return found


CASES = cases()


def test_the_file_holds_what_it_should():
    names = {name for _, name in CASES}
    assert {(dtype, name) for dtype in TOLERANCE for name in names} == CASES.keys()
    assert len([name for name in names if name.startswith("sdpa")]) == 6
    assert len([name for name in names if name.startswith("mha")]) == 7


@pytest.mark.parametrize(("dtype", "name"), CASES, ids="-".join)
def test_equals_pytorch(dtype, name):
    given, expected = CASES[dtype, name]["in"], CASES[dtype, name]["out"]
    with trace() as seen:
        output = FUNCTIONS[name.partition("_")[0]](**given)
    ours = {"output": output, "weights": seen["weights"]}
    assert output.dtype == dtype
    for value, theirs in expected.items():
        assert theirs.dtype == dtype and ours[value].shape == theirs.shape
        np.testing.assert_allclose(ours[value], theirs, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


def test_pytorch_still_says_the_same(request, tmp_path):
    if not request.config.getoption("--reference", default=False):
        pytest.skip("needs PyTorch: python build.py test --reference")
    fresh = tmp_path / "attention.npz"
    subprocess.run([sys.executable, HERE / "make_attention.py", fresh], check=True)
    with np.load(COMMITTED) as old, np.load(fresh) as new:
        assert old.files == new.files
        for key in old.files:
            tolerance = TOLERANCE[key.partition("/")[0]]
            assert old[key].dtype == new[key].dtype
            np.testing.assert_allclose(new[key], old[key], rtol=tolerance, atol=tolerance, err_msg=key)
