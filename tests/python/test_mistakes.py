"""An exception, as the reader sees it."""

import pytest

from seeformer.laboratory import Laboratory
from seeformer.mistakes import describe
from seeformer.sources import source_of

SMALL = {"tokens": ["a", "b"], "d_model": 8, "num_heads": 2}


def fail(edits, params=SMALL):
    with pytest.raises(Exception) as caught:
        Laboratory().run("attention", params, edits)
    return describe(caught.value)


def test_a_syntax_error_has_module_and_line():
    error = fail({"seeformer.mask": "x = 1\n\ndef f(:\n"})
    assert (error["type"], error["module"], error["line"]) == ("SyntaxError", "seeformer.mask", 3)
    assert error["message"] == "invalid syntax"


def test_the_deepest_edited_line_is_at_fault():
    source = source_of("seeformer.attention") + "\ndef softmax(x, axis=-1):\n    return 1 / 0\n"
    error = fail({"seeformer.attention": source, "seeformer.mask": source_of("seeformer.mask")})
    assert error["module"] == "seeformer.attention" and error["line"] == len(source.splitlines())
    assert "return 1 / 0" in error["traceback"]


def test_the_line_is_the_edited_one_even_if_the_exception_comes_from_below_it():
    source = source_of("seeformer.attention") + "\ndef softmax(x, axis=-1):\n    return int('seven')\n"
    error = fail({"seeformer.attention": source})
    assert error["line"] == len(source.splitlines()) and error["message"].startswith("invalid literal")
    numpy_below = source_of("seeformer.attention") + "\ndef softmax(x, axis=-1):\n    return np.linalg.inv(x[0, 0])\n"
    error = fail({"seeformer.attention": numpy_below})
    assert error["line"] == len(numpy_below.splitlines()) and "linalg.py" not in error["traceback"]


def test_an_unedited_kernel_has_a_traceback_of_kernels_only():
    error = fail({}, {"d_model": 10, "num_heads": 4})
    assert error["type"] == "ValueError" and "module" not in error and "line" not in error
    files = [line for line in error["traceback"].splitlines() if line.strip().startswith("File ")]
    assert files and all("seeformer" in line for line in files)
    assert not any(name in error["traceback"] for name in ("laboratory.py", "worlds.py", "importlib"))


def test_causes_are_told_and_their_frames_filtered():
    source = (
        source_of("seeformer.mask")
        + "\ndef causal(n, m=None):\n    try:\n        import json; json.loads('{')\n    except ValueError as error:\n        raise RuntimeError('mine') from error\n"
    )
    error = fail({"seeformer.mask": source}, SMALL | {"causal": True})
    assert "JSONDecodeError" in error["traceback"] and "direct cause" in error["traceback"]
    assert "decoder.py" not in error["traceback"]


def test_a_stop_is_no_traceback():
    assert describe(KeyboardInterrupt()) == {
        "type": "Stopped",
        "message": "stopped before it had ended",
        "traceback": "",
    }


def test_a_message_that_cannot_be_shown_and_one_without_end():
    class Odd(Exception):
        def __str__(self):
            raise TypeError

    assert "TypeError" in describe(Odd())["message"]
    assert len(describe(ValueError("x" * 10**6))["message"]) == 10_000
