"""Attention equals PyTorch's. The values are committed; with --reference they are made anew and compared first."""

import pytest
from committed import assert_equal, assert_made_anew, case_names, cases

from seeformer.attention import multi_head_attention, scaled_dot_product_attention
from seeformer.trace import trace

FUNCTIONS = {"sdpa": scaled_dot_product_attention, "mha": multi_head_attention}
CASES = cases("attention")


def test_the_file_holds_what_it_should():
    names = case_names(CASES)
    assert len([name for name in names if name.startswith("sdpa")]) == 6
    assert len([name for name in names if name.startswith("mha")]) == 7


@pytest.mark.parametrize(("dtype", "name"), CASES, ids="-".join)
def test_equals_pytorch(dtype, name):
    given, expected = CASES[dtype, name]["in"], CASES[dtype, name]["out"]
    with trace() as seen:
        output = FUNCTIONS[name.partition("_")[0]](**given)
    ours = {"output": output, "weights": seen["weights"]}
    for value, theirs in expected.items():
        assert_equal(ours[value], theirs, dtype)


def test_pytorch_still_says_the_same(request, tmp_path):
    assert_made_anew("attention", request, tmp_path)
