"""Code in, values out: shared variables, top-level await, the last expression."""

import asyncio

import numpy as np
import pytest

from seeformer.cells.cells import Cells


def test_variables_are_shared_until_a_reset(reader):
    reader.run("x = 20\ndef double(): return 2 * x")
    assert reader.run("double() + 2")["result"] == "42"
    reader.cells.reset()
    assert reader.run("x")["error"]["type"] == "NameError"


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("1 + 1", "2"),
        ("x = 1", None),
        ("None", None),
        ("'猫'", "'猫'"),
        ("1;", None),
        ("1;  # said quietly", None),
        ("'not one;'", "'not one;'"),
        ("x = 3\nx", "3"),
        ("if True:\n    5", None),
        ("", None),
        ("# nothing", None),
        ("import asyncio\nawait asyncio.sleep(0, 'slept')", "'slept'"),
    ],
)
def test_the_last_expression_is_shown(reader, code, result):
    answer = reader.run(code)
    assert answer["error"] is None and answer["result"] == result


def test_await_works_in_statements_and_across_cells(reader):
    answer = reader.run(
        "import asyncio\nasync def numbers():\n    for i in range(3):\n        await asyncio.sleep(0)\n        yield i\n"
        "total = 0\nasync for i in numbers():\n    total += i\ntotal"
    )
    assert answer["result"] == "3"


def test_cells_are_main_as_pickle_and_dataclasses_need_it(reader):
    assert reader.run("__name__")["result"] == "'__main__'"
    code = "import pickle\nclass Pair:\n    pass\ntype(pickle.loads(pickle.dumps(Pair()))) is Pair"
    assert reader.run(code)["result"] == "True"


def test_imports_in_cells_are_the_originals(reader):
    import seeformer.attention

    assert reader.run("import seeformer.attention as a\nid(a)")["result"] == str(id(seeformer.attention))


@pytest.mark.parametrize(
    "code", ["np.arange(6.).reshape(2, 3)", "np.array([1, 2], dtype='int8')", "np.array([[True]])"]
)
def test_a_numeric_array_of_one_or_two_axes_is_shown_as_one(reader, code):
    answer = reader.run(f"import numpy as np\n{code}")
    (shown,) = answer["shown"]
    expected = eval(code, {"np": np})
    assert shown["kind"] == "array" and shown["shape"] == list(expected.shape) and "name" not in shown
    assert shown["data"].dtype == np.float32 and shown["data"].tolist() == expected.ravel().tolist()
    assert answer["result"] == repr(expected)


def test_an_array_shown_by_its_name_has_it(reader):
    assert reader.run("import numpy as np\nQ = np.eye(2)\nQ")["shown"][0]["name"] == "Q"


@pytest.mark.parametrize(
    "code",
    [
        "np.zeros((2, 2, 2))",
        "np.zeros(0)",
        "np.array(1.0)",
        "np.array([1j])",
        "np.array(['a'])",
        "np.zeros((1, 2049))",
        "np.ma.array([1, 2], mask=[0, 1])",
    ],
)
def test_other_arrays_are_text(reader, code):
    assert [item["kind"] for item in reader.run(f"import numpy as np\n{code}")["shown"]] == ["repr"]


def test_a_very_long_value_is_cut(reader):
    answer = reader.run("'x' * 10**6")
    assert len(answer["result"]) < 100_100 and answer["result"].endswith("(1,000,002 characters)")


def test_a_value_that_cannot_be_shown_is_an_error_of_the_cell(reader):
    answer = reader.run("class Bad:\n    def __repr__(self):\n        return 1 / 0\nBad()")
    assert answer["error"]["type"] == "ZeroDivisionError" and answer["error"]["line"] == 3


@pytest.mark.parametrize(
    ("code", "kind", "line"),
    [
        ("x = 1\n1 / 0", "ZeroDivisionError", 2),
        ("def f():\n    return {}['a']\n\nf()", "KeyError", 2),
        ("x = 1\ny = = 2", "SyntaxError", 2),
        ("import json\njson.loads('{')", "JSONDecodeError", 2),
        ("def f():\n  x\n y", "IndentationError", 3),
        ("import sys\nsys.exit(3)", "SystemExit", 2),
    ],
)
def test_errors_have_the_readers_line(reader, code, kind, line):
    error = reader.run(code)["error"]
    assert (error["type"], error["line"]) == (kind, line)
    assert "evaluate.py" not in error["traceback"] and "decoder.py" not in error["traceback"]
    assert code.splitlines()[line - 1].strip() in error["traceback"]


def test_a_function_of_an_earlier_cell_is_in_the_traceback(reader):
    reader.run("def f():\n    return 1 / 0")
    error = reader.run("\n\nf()")["error"]
    assert '"<cell 1>", line 2' in error["traceback"] and '"<cell 2>", line 3' in error["traceback"]
    assert error["line"] == 3


def stopped(code: str) -> dict:
    async def scenario():
        cells = Cells()
        running = asyncio.ensure_future(cells.run(code, "1", lambda shown: None))
        await asyncio.sleep(0.05)
        assert cells.stop()
        return await running, cells

    answer, cells = asyncio.run(scenario())
    assert not cells.stop()  # nothing runs any more
    return answer["error"]


def test_stop_ends_a_cell_that_awaits(reader):
    assert stopped("import asyncio\nawait asyncio.sleep(60)")["type"] == "Stopped"


def test_the_readers_own_cancelled_task_is_no_stop(reader):
    code = "import asyncio\ntask = asyncio.ensure_future(asyncio.sleep(9))\ntask.cancel()\nawait task"
    assert reader.run(code)["error"]["type"] == "CancelledError"
