"""Normalization equals PyTorch's. The values are committed; with --reference they are made anew and compared first."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from seeformer.norm import batch_norm, layer_norm, rms_norm

HERE = Path(__file__).parent
COMMITTED = HERE / "norm.npz"
FUNCTIONS = {"layer_norm": layer_norm, "batch_norm": batch_norm, "rms_norm": rms_norm}
TOLERANCE = {"float32": 1e-5, "float64": 1e-6}


def cases():
    """(dtype, name) -> {"in": {argument: array}, "out": {"output": array}}"""
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
    for function in FUNCTIONS:
        assert len([name for name in names if name.startswith(f"{function}-")]) == 7


@pytest.mark.parametrize(("dtype", "name"), CASES, ids=["-".join(case) for case in CASES])
def test_equals_pytorch(dtype, name):
    case = CASES[dtype, name]
    output, theirs = FUNCTIONS[name.partition("-")[0]](**case["in"]), case["out"]["output"]
    assert output.dtype == theirs.dtype == dtype and output.shape == theirs.shape
    np.testing.assert_allclose(output, theirs, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


def test_pytorch_still_says_the_same(request, tmp_path):
    if not request.config.getoption("--reference", default=False):
        pytest.skip("needs PyTorch: python build.py test --reference")
    fresh = tmp_path / "norm.npz"
    subprocess.run([sys.executable, HERE / "make_norm.py", fresh], check=True)
    with np.load(COMMITTED) as old, np.load(fresh) as new:
        assert old.files == new.files
        for key in old.files:
            tolerance = TOLERANCE[key.partition("/")[0]]
            assert old[key].dtype == new[key].dtype
            np.testing.assert_allclose(new[key], old[key], rtol=tolerance, atol=tolerance, err_msg=key)
