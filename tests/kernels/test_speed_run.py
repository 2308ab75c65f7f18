"""The speed lab's run(): what the C source fixes, the pictures of a step, no time without being asked, and what it refuses."""

import re

import numpy as np
import pytest

from seeformer import fast
from seeformer.labs import speed_timing
from seeformer.labs.speed import run
from seeformer.labs.speed_source import size, source

pytestmark = pytest.mark.filterwarnings("error")

CASES = [(N, dtype) for N in (16, 100, 256, 1024) for dtype in ("float32", "float64")]


def test_sizes_are_those_of_the_source():
    written = re.search(r"^#define ROWS (\d)\n#else\n#define ROWS (\d)$", source("tile.h"), re.MULTILINE)
    assert [size("tile.h", "ROWS", 4, relaxed=relaxed) for relaxed in (True, False)] == [
        int(each) for each in written.groups()
    ]
    assert (size("tile.h", "COLUMNS", 4), size("tile.h", "COLUMNS", 8)) == (8, 4)


@pytest.mark.parametrize(("N", "dtype"), CASES)
def test_a_step_reads_a_column_of_a_and_a_row_of_b_and_touches_its_tile(N, dtype):
    result = run(N=N, dtype=dtype, tile=2, step=3)
    rows, columns = result["rows"], result["columns"]
    down, across = result["first_row"], result["first_column"]
    reads = [np.argwhere(result[f"{name}_touched"] == 2) for name in "ABC"]
    assert reads[0].tolist() == [[i, 2] for i in range(down, down + rows)]
    assert reads[1].tolist() == [[2, j] for j in range(across, across + columns)]
    assert reads[2].tolist() == [[i, j] for i in range(down, down + rows) for j in range(across, across + columns)]
    assert result["step_loads"] == len(reads[0]) + len(reads[1]) and result["step_flops"] == 2 * len(reads[2])


@pytest.mark.parametrize(("N", "dtype"), CASES)
def test_c_is_the_product_where_tiles_are_done_and_0_where_none_has_begun(N, dtype):
    result = run(N=N, dtype=dtype, tile=4, step=5)
    whole = result["A"] @ result["B"]
    done, begun = result["C_steps"] == result["steps"], result["C_steps"] > 0
    assert done.any() and (result["C"][done] == whole[done]).all() and (result["C"][~begun] == 0).all()
    growing = result["C_steps"] == 5
    assert (growing == (result["C_touched"] == 2)).all()
    assert (result["C"] == result["A"][:, :5] @ result["B"][:5])[growing].all()


@pytest.mark.parametrize(("N", "dtype"), CASES)
def test_packed_every_line_is_used_in_full_and_follows_the_one_before(N, dtype):
    result = run(N=N, dtype=dtype)
    assert (result["before"] > 0).sum() == (result["after"] > 0).sum() == result["steps"] * result["columns"]
    assert (result["after"] > 0).all()
    assert result["after_lines"] == [str(line) for line in range(len(result["after"]))]
    assert len(result["after"]) < len(result["before"])


def test_as_it_lies_its_rows_are_a_row_of_b_apart():
    lines = [int(line) for line in run(N=1024)["before_lines"]]
    assert set(np.diff(lines)) == {1024 * 4 // 64}


def test_where_there_are_fewer_tiles_or_steps_it_is_the_last():
    result = run(N=16, tile=12, step=24)
    assert (result["tile"], result["tiles"], result["step"], result["steps"]) == (6, 6, 16, 16)


def test_there_are_no_times_unless_asked_for():
    result = run()
    assert np.isnan(result["gflops"]).all() and np.isnan(result["samples"]).all() and result["turn"] == 0


def test_asked_for_it_tells_after_each_turn(monkeypatch, capsys):
    monkeypatch.setattr(speed_timing, "AT_LEAST", 1e-4)
    told = list(run(N=16, measure=True))
    assert [each["turn"] for each in told] == list(range(1, len(told) + 1)) and len(told) >= speed_timing.FEWEST
    last = told[-1]
    assert last["gflops"][0] == np.nanmedian(last["samples"][0]) > 0
    if last["reason"]:  # outside Pyodide
        assert "is for Pyodide" in last["reason"] and np.isnan(last["gflops"][1:]).all()
    else:
        assert (last["gflops"] > 0).all()


def test_numpy_s_loops_get_only_as_many_rows_as_there_is_time_for(monkeypatch):
    monkeypatch.setattr(speed_timing, "STOCK_AT_MOST", 0.0)
    monkeypatch.setattr(speed_timing, "AT_LEAST", 1e-4)
    assert next(run(N=64, measure=True))["stock_rows"] == 1


@pytest.mark.parametrize("before", [True, False])
def test_loops_are_as_they_were_however_it_ends(before, monkeypatch):
    state = {"enabled": before}
    monkeypatch.setattr(fast, "status", lambda: state)
    monkeypatch.setattr(fast, "enable", lambda: state.update(enabled=True))
    monkeypatch.setattr(fast, "disable", lambda: state.update(enabled=False))
    for ours in (True, False):
        with pytest.raises(KeyboardInterrupt), speed_timing.loops(ours=ours):
            assert state["enabled"] == ours
            raise KeyboardInterrupt
        assert state["enabled"] == before


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"N": 8}, "N=8 is too small: use at least 16"),
        ({"N": 2000}, "N=2000 is too large: use at most 1024"),
        ({"dtype": "int8"}, "dtype='int8' is unknown: use one of float32, float64"),
        ({"tile": 0}, "tile=0 is too small: use at least 1"),
        ({"step": 0}, "step=0 is too small: use at least 1"),
        ({"measure": "yes"}, "measure='yes' is neither true nor false: use True or False"),
    ],
)
def test_what_it_refuses(changed, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        run(**changed)
