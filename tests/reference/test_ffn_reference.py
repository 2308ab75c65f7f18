"""Feed-forward equals PyTorch's. The values are committed; with --reference they are made anew and compared first."""

import pytest
from committed import assert_equal, assert_made_anew, case_names, cases

from seeformer.erf import erf
from seeformer.feedforward import feed_forward, gelu, gelu_tanh, relu
from seeformer.trace import trace

CURVES = {"relu": relu, "gelu": gelu, "gelutanh": gelu_tanh, "erf": erf}
CASES = cases("ffn")


def test_the_file_holds_what_it_should():
    names = case_names(CASES)
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
        assert_equal(ours[value], theirs, dtype)


def test_pytorch_still_says_the_same(request, tmp_path):
    assert_made_anew("ffn", request, tmp_path)
