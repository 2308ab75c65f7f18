"""PyTorch's values as they are committed: <name>.npz, made by make_<name>.py, keys <dtype>/<case>/<in|out>/<argument>."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
TOLERANCE = {"float32": 1e-5, "float64": 1e-6}


def cases(name):
    """(dtype, case) -> {"in": {argument: array}, "out": {value: array}}"""
    found = {}
    with np.load(HERE / f"{name}.npz") as arrays:
        for key, values in arrays.items():
            dtype, case, direction, argument = key.split("/")
            found.setdefault((dtype, case), {"in": {}, "out": {}})[direction][argument] = values
    return found


def case_names(found):
    """The cases, each of which must be there in both dtypes."""
    names = {case for _, case in found}
    assert {(dtype, case) for dtype in TOLERANCE for case in names} == found.keys()
    return names


def assert_equal(ours, theirs, dtype):
    assert ours.dtype == theirs.dtype == dtype and ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


def assert_made_anew(name, request, tmp_path):
    """With --reference: PyTorch still says the same."""
    if not request.config.getoption("--reference", default=False):
        pytest.skip("needs PyTorch: python build.py test --reference")
    fresh = tmp_path / f"{name}.npz"
    subprocess.run([sys.executable, HERE / f"make_{name}.py", fresh], check=True)
    with np.load(HERE / f"{name}.npz") as old, np.load(fresh) as new:
        assert old.files == new.files
        for key in old.files:
            assert old[key].dtype == new[key].dtype
            if old[key].dtype.kind == "U":
                assert old[key] == new[key], key
                continue
            tolerance = TOLERANCE[key.partition("/")[0]]
            np.testing.assert_allclose(new[key], old[key], rtol=tolerance, atol=tolerance, err_msg=key)
