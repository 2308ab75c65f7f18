"""Feed-forward equals PyTorch's. The values are committed; with --reference they are made anew and compared first."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from seeformer.erf import erf
from seeformer.feedforward import feed_forward, gelu, gelu_tanh, relu
from seeformer.trace import trace

HERE = Path(__file__).parent
COMMITTED = HERE / "ffn.npz"
CURVES = {"relu": relu, "gelu": gelu, "gelutanh": gelu_tanh, "erf": erf}
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
    assert {name.partition("_")[0] for name in names} == {*CURVES, "layer"}
    assert len([name for name in names if name.startswith("layer")]) == 6


@pytest.mark.parametrize(("dtype", "name"), CASES, ids="-".join)
def test_equals_pytorch(dtype, name):
    given, expected = CASES[dtype, name]["in"], CASES[dtype, name]["out"]
    curve = CURVES.get(name.partition("_")[0])
    with trace() as seen:
        if curve:
            output = curve(given["x"])
        else:
            biases = {"b_1": given.get("b_1"), "b_2": given.get("b_2")}
            output = feed_forward(**given | biases | {"activation": str(given["activation"])})
    ours = {"output": output, "hidden": seen.get("hidden")}
    for value, theirs in expected.items():
        assert ours[value].dtype == theirs.dtype == dtype and ours[value].shape == theirs.shape
        np.testing.assert_allclose(ours[value], theirs, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


def test_pytorch_still_says_the_same(request, tmp_path):
    if not request.config.getoption("--reference", default=False):
        pytest.skip("needs PyTorch: python build.py test --reference")
    fresh = tmp_path / "ffn.npz"
    subprocess.run([sys.executable, HERE / "make_ffn.py", fresh], check=True)
    with np.load(COMMITTED) as old, np.load(fresh) as new:
        assert old.files == new.files
        for key in old.files:
            assert old[key].dtype == new[key].dtype
            if old[key].dtype.kind == "U":
                assert old[key] == new[key]
                continue
            tolerance = TOLERANCE[key.partition("/")[0]]
            np.testing.assert_allclose(new[key], old[key], rtol=tolerance, atol=tolerance, err_msg=key)
