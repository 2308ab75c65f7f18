import sys
import threading
from contextvars import copy_context

import numpy as np
import pytest

from seeformer.attention import softmax
from seeformer.trace import scope, see, trace


def test_see_hands_the_value_back():
    value = object()
    assert see("a", value) is value
    with trace() as seen:
        assert see("a", value) is value
    assert seen == {"a": value}
    see("b", 1)
    assert list(seen) == ["a"]  # closed


def test_first_sight_gives_the_place_and_the_last_gives_the_value():
    with trace() as seen:
        see("a", 1)
        see("b", 2)
        see("a", 3)
    assert list(seen.items()) == [("a", 3), ("b", 2)]


def test_nested_traces_all_record():
    with trace() as outer:
        see("a", 1)
        with trace() as inner:
            see("b", 2)
        see("c", 3)
    assert (outer, inner) == ({"a": 1, "b": 2, "c": 3}, {"b": 2})


def test_equal_traces_are_not_confused():
    with trace() as outer:
        with trace():
            pass
        see("a", np.zeros(2))
    assert list(outer) == ["a"]


def test_an_error_closes_the_trace():
    with pytest.raises(KeyError), trace() as seen:
        raise KeyError
    see("a", 1)
    assert seen == {}


def test_scopes_say_where_in_the_model():
    with trace() as seen:
        with scope("encoder.0"):
            see("a", 1)
            with scope("self"):
                see("a", 2)
            see("b", 3)
        see("a", 4)
    assert list(seen.items()) == [("encoder.0.a", 1), ("encoder.0.self.a", 2), ("encoder.0.b", 3), ("a", 4)]
    assert seen.lines.keys() == seen.keys()


def test_a_trace_opened_inside_a_scope_knows_where_it_is():
    with scope("decoder"), trace() as seen:
        see("a", 1)
    assert seen == {"decoder.a": 1}


def test_an_error_leaves_the_scope():
    with pytest.raises(KeyError), scope("lost"):
        raise KeyError
    with trace() as seen:
        see("a", 1)
    assert seen == {"a": 1}


def test_lines_say_where():
    with trace() as seen:
        here = sys._getframe().f_lineno + 1
        see("a", 1)
        softmax(np.zeros(3))
    assert seen.lines["a"] == (__name__, here)
    assert seen.lines.keys() == seen.keys()
    source = open(sys.modules["seeformer.attention"].__file__, encoding="utf-8").read().splitlines()
    for name in ("peak", "exp", "total"):
        module, line = seen.lines[name]
        assert module == "seeformer.attention" and f'see("{name}"' in source[line - 1]


def test_a_generator_that_is_closed_early_closes_its_own_trace():
    def steps():
        with trace() as mine:
            yield mine

    running = steps()
    mine = next(running)
    with trace() as later:
        running.close()
        see("a", 1)
    assert (mine, later) == ({}, {"a": 1})


def test_tasks_do_not_see_each_other():
    """Two generators by turns, each in a context of its own, which is how asyncio runs tasks."""

    def task(name):
        with trace() as seen:
            see(name, 1)
            yield seen
            see(name, 2)
            yield seen

    first, second = (copy_context(), task("a")), (copy_context(), task("b"))
    for _ in range(2):
        seen = [context.run(next, steps) for context, steps in (first, second)]
    assert seen == [{"a": 2}, {"b": 2}]


@pytest.mark.skipif(sys.platform == "emscripten", reason="a browser's Python has no threads")
def test_threads_do_not_see_each_other():
    with trace() as seen:
        thread = threading.Thread(target=see, args=("a", 1))
        thread.start()
        thread.join()
    assert seen == {}
