"""An edited kernel lives in a world of its own."""

import linecache
import sys

import pytest

import seeformer.attention as original
from seeformer.sources import source_of
from seeformer.worlds import World

SOFTMAX = "seeformer.attention"


def with_line(module, line):
    return f"{source_of(module)}\n{line}\n"


def edited_softmax():
    return {SOFTMAX: with_line(SOFTMAX, "def softmax(x, axis=-1):\n    return x * 0 + 7")}


def test_an_unedited_module_finds_the_edited_one():
    with World(edited_softmax()):
        from seeformer.labs.attention import run

        weights = run(tokens=["a", "b"], d_model=8, num_heads=2)["weights"]
    assert (weights == 7).all()


def test_outside_nothing_has_changed():
    before = {name: module for name, module in sys.modules.items() if name.startswith("seeformer")}
    finders, softmax = list(sys.meta_path), original.softmax
    with World(edited_softmax()):
        import seeformer.attention as inside

        assert inside is not original and inside.softmax is not softmax
    assert {name: module for name, module in sys.modules.items() if name.startswith("seeformer")} == before
    assert sys.meta_path == finders and original.softmax is softmax
    assert sys.modules["seeformer"].attention is original


def test_fast_is_everybody_s():
    """It has changed NumPy itself: a copy would not know what the first has done."""
    from seeformer import fast

    with World(edited_softmax()):
        from seeformer import fast as inside
        from seeformer.labs.speed_timing import fast as in_a_lab
    assert inside is in_a_lab is fast


def test_two_worlds_do_not_know_each_other():
    worlds = [World({SOFTMAX: with_line(SOFTMAX, f"mark = {i}")}) for i in range(2)]
    for _ in range(2):
        for i, world in enumerate(worlds):
            with world:
                import seeformer.attention as inside
            assert inside.mark == i


def test_a_world_keeps_its_modules():
    world = World(edited_softmax())
    with world:
        import seeformer.attention as first
    with world:
        import seeformer.attention as second
    assert first is second


def test_a_world_is_left_even_when_its_code_fails():
    finders = list(sys.meta_path)
    with pytest.raises(ZeroDivisionError), World({SOFTMAX: "1 / 0"}):
        import seeformer.attention
    assert sys.modules[SOFTMAX] is original and sys.meta_path == finders
    with pytest.raises(SyntaxError) as caught, World({SOFTMAX: "x = 1\ndef f(:"}):
        import seeformer.attention  # noqa: F401
    assert caught.value.lineno == 2


def test_tracebacks_know_the_edited_text():
    with World({SOFTMAX: "def softmax(x):\n    raise KeyError(x)  # mine"}):
        import seeformer.attention as inside

        filename = inside.softmax.__code__.co_filename
        linecache.checkcache()
        assert linecache.getline(filename, 2) == "    raise KeyError(x)  # mine"


def test_edits_must_name_a_module():
    with pytest.raises(ValueError, match="^edits='seeformer.nothing' names no module"):
        World({"seeformer.nothing": ""})
