"""Normalization equals PyTorch's. The values are committed; with --reference they are made anew and compared first."""

import pytest
from committed import assert_equal, assert_made_anew, case_names, cases

from seeformer.norm import batch_norm, layer_norm, rms_norm

FUNCTIONS = {"layer_norm": layer_norm, "batch_norm": batch_norm, "rms_norm": rms_norm}
CASES = cases("norm")


def test_the_file_holds_what_it_should():
    names = case_names(CASES)
    for function in FUNCTIONS:
        assert len([name for name in names if name.startswith(f"{function}-")]) == 7


@pytest.mark.parametrize(("dtype", "name"), CASES, ids=["-".join(case) for case in CASES])
def test_equals_pytorch(dtype, name):
    case = CASES[dtype, name]
    output, theirs = FUNCTIONS[name.partition("-")[0]](**case["in"]), case["out"]["output"]
    assert_equal(output, theirs, dtype)


def test_pytorch_still_says_the_same(request, tmp_path):
    assert_made_anew("norm", request, tmp_path)
