"""RNN and LSTM equal PyTorch's. The values are committed; with --reference they are made anew and compared first."""

import numpy as np
import pytest
from committed import assert_equal, assert_made_anew, case_names, cases

from seeformer.recurrence import lstm, lstm_cell, rnn, rnn_cell

CASES = cases("recurrence")
EACH_CASE = pytest.mark.parametrize(("dtype", "name"), CASES, ids=["-".join(case) for case in CASES])


def test_the_file_holds_what_it_should():
    names = case_names(CASES)
    for kind in ("rnn", "lstm"):
        assert len([name for name in names if name.startswith(f"{kind}-")]) == 7


@EACH_CASE
def test_equals_pytorch(dtype, name):
    case = CASES[dtype, name]
    if name.startswith("rnn-"):
        return assert_equal(rnn(**case["in"]), case["out"]["states"], dtype)
    states, cells = lstm(**case["in"])
    assert_equal(states, case["out"]["states"], dtype)
    assert_equal(cells[..., -1, :], case["out"]["last_cell"], dtype)


@EACH_CASE
def test_step_by_step_equals_pytorch(dtype, name):
    given = dict(CASES[dtype, name]["in"])
    X = given.pop("X")
    start = np.zeros((*X.shape[:-2], len(given["W_h"])), dtype)
    h, c = given.pop("h", start), given.pop("c", start)
    for t in range(X.shape[-2]):
        if name.startswith("rnn-"):
            h = rnn_cell(X[..., t, :], h, **given)
        else:
            h, c = lstm_cell(X[..., t, :], h, c, **given)
        assert_equal(h, CASES[dtype, name]["out"]["states"][..., t, :], dtype)


def test_pytorch_still_says_the_same(request, tmp_path):
    assert_made_anew("recurrence", request, tmp_path)
