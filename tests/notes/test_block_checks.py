"""What the tests of blocks look with: they find what they should, and nothing else."""

import numpy as np
import pytest
from support import block_arrays
from support.cpython_blocks import run_notes
from support.html_line import mistakes
from support.note_blocks import blocks_of_notes, python_blocks


@pytest.mark.parametrize(
    "line",
    [
        "<div>a<br><b>x</b><img src='data:,'></div>",
        '<svg><circle r="1"/></svg>',
        "<pre>a&#10;b &lt;s&gt;</pre>",
        " <p>x</p> ",
    ],
)
def test_a_whole_element_has_no_mistakes(line):
    assert mistakes(line) == []


@pytest.mark.parametrize(
    "line", ["<div><b>x</div>", "<div>x", "x</div>", "<b>1</b><b>2</b>", "<b>1</b> and", "", "<i><b>x</i></b>"]
)
def test_anything_else_has(line):
    assert mistakes(line)


def test_only_fences_tagged_python_are_blocks(tmp_path):
    text = "```python\na\n```\n\n~~~python\nb\n~~~\n\n```py\nc\n```\n\n```text\n```python\n```\n\n> ```python\n> d\n> ```\n\n    ```python\n    e\n"
    assert python_blocks(text) == ["a\n", "b\n", "d\n"]
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.md").write_text(text, "utf-8")
    (tmp_path / "a.md").write_text("nothing\n", "utf-8")
    assert list(blocks_of_notes(tmp_path)) == ["deep/b.md"]


def test_cpython_runs_a_note_in_order_and_the_next_one_afresh():
    header = "import micropip\nawait micropip.install('numpy')\nimport numpy as np\n"
    note = [header + "kept = np.arange(3.)\nprint('a')", "print(kept.sum(), end='')", "1 / 0"]
    done = run_notes({"one": note, "two": ["print(kept)"]}, block_arrays.EXPRESSION)
    assert [block["stdout"] for block in done["one"]] == ["a\n", "3.0", ""]
    assert [block["error"] and block["error"].splitlines()[-1].split(":")[0] for block in done["one"]] == [
        None,
        None,
        "ZeroDivisionError",
    ]
    assert "NameError" in done["two"][0]["error"]
    assert block_arrays.read(done["one"][0]["asked"])["kept"].tolist() == [0, 1, 2]


def test_cpython_tells_what_went_to_stderr():
    (block,) = run_notes({"one": ["import warnings\nwarnings.warn('careful')"]}, block_arrays.EXPRESSION)["one"]
    assert "careful" in block["stderr"] and block["stdout"] == ""


def test_the_older_numpy_is_the_one_that_runs():
    from sitebuild.older_numpy import ensure_older_numpy

    folder = ensure_older_numpy()
    if folder is None:
        pytest.skip("NumPy 1.26 has no wheel for this Python")
    code = "import numpy\nprint(numpy.__version__)"
    told = [run_notes({"one": [code]}, "''", packages=packages)["one"][0]["stdout"] for packages in (None, folder)]
    assert told[0].startswith("2.") and told[1] == "1.26.4\n"


def test_arrays_that_differ_are_told_by_name_and_place():
    one = {"a": np.array([1.0, np.inf, np.nan]), "n": np.arange(3)}
    assert block_arrays.differences({"here": one, "there": {**one, "a": one["a"] * (1 + 1e-11)}}) == []
    assert block_arrays.differences({"here": one, "there": {**one, "a": one["a"] * (1 + 1e-8)}}) == [
        "a: there differs from here"
    ]
    assert len(block_arrays.differences({"here": one, "there": {"n": np.arange(4)}})) == 2
    assert block_arrays.differences({"here": one, "there": {**one, "n": np.arange(3.0)}})


def test_single_precision_is_compared_as_such():
    """Two libraries add in two orders."""
    one, near = np.ones(3, np.float32), np.ones(3, np.float32) + np.float32(1e-6)
    assert block_arrays.differences({"here": {"a": one}, "there": {"a": near}}) == []
    assert block_arrays.differences({"here": {"a": one}, "there": {"a": near + np.float32(1e-3)}})


def test_all_kinds_of_numbers_come_back():
    arrays = {"f": np.eye(2)[:, ::-1], "c": np.array([1j]), "b": np.array(True), "e": np.empty((0, 3), np.float32)}
    told = block_arrays.read(eval(block_arrays.EXPRESSION, {**arrays, "s": np.array(["x"]), "_hidden": np.eye(1)}))
    assert told.keys() == arrays.keys()
    assert all(np.array_equal(told[name], value) and told[name].dtype == value.dtype for name, value in arrays.items())
