"""Running a lab by name."""

import builtins
import sys

import numpy as np
import pytest

from seeformer import labs
from seeformer.laboratory import Laboratory, lab_ids
from seeformer.sources import source_of

SMALL = {"tokens": ["a", "b", "c"], "d_model": 8, "num_heads": 2}


def edit(module, extra):
    return {module: f"{source_of(module)}\n{extra}\n"}


@pytest.fixture
def extra_lab(tmp_path, monkeypatch):
    """Writes a lab beside the real ones."""
    monkeypatch.setattr(labs, "__path__", [*labs.__path__, str(tmp_path)])
    yield lambda name, source: (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(f"seeformer.labs.{path.stem}", None)


def test_a_lab_that_was_found_is_not_looked_for_again(monkeypatch):
    Laboratory().run("attention", SMALL)
    monkeypatch.setattr("seeformer.laboratory.lab_ids", lambda: pytest.fail("reads every lab's file"))
    Laboratory().run("attention", SMALL)


def test_values_are_what_run_returns_and_lines_say_where_they_were_made():
    from seeformer.labs.attention import run

    values, lines = Laboratory().run("attention", SMALL)
    expected = run(**SMALL)
    assert list(values) == list(expected)
    assert all(np.array_equal(values[name], expected[name]) for name in values)
    module, line = lines["weights"]
    assert "weights" in source_of(module).splitlines()[line - 1]


def test_edits_are_for_one_lab_and_one_call(extra_lab):
    extra_lab(
        "second",
        "from seeformer.attention import softmax\nimport numpy as np\ndef run(*, x=1):\n    return {'y': softmax(np.zeros(2))}\n",
    )
    laboratory = Laboratory()
    edits = edit("seeformer.attention", "def softmax(x, axis=-1):\n    return x * 0 + 7")
    assert (laboratory.run("attention", SMALL, edits)[0]["weights"] == 7).all()
    assert laboratory.run("second", {})[0]["y"].tolist() == [0.5, 0.5]
    assert np.allclose(laboratory.run("attention", SMALL)[0]["weights"].sum(-1), 1)


def test_the_same_edits_are_not_loaded_twice_and_other_edits_are():
    laboratory = Laboratory()
    counted = edit("seeformer.mask", "import builtins; builtins.loads = getattr(builtins, 'loads', 0) + 1")
    try:
        laboratory.run("attention", SMALL, counted)
        laboratory.run("attention", SMALL, dict(counted))
        assert builtins.loads == 1
        laboratory.run("attention", SMALL, edit("seeformer.mask", "import builtins; builtins.loads += 1  # again"))
        assert builtins.loads == 2
    finally:
        del builtins.loads


def test_lines_of_an_edited_module_are_those_of_the_edited_text():
    moved = {"seeformer.attention": "# one more line\n" + source_of("seeformer.attention")}
    laboratory = Laboratory()
    _, before = laboratory.run("attention", SMALL)
    _, after = laboratory.run("attention", SMALL, moved)
    assert after["weights"] == [before["weights"][0], before["weights"][1] + 1]


def test_a_generator_gives_every_step_and_returns_the_last(extra_lab):
    extra_lab(
        "steps",
        "from seeformer.trace import see\ndef run(*, n=3):\n    for i in range(n):\n        yield {'i': see('i', i)}\n",
    )
    steps = []
    values, lines = Laboratory().run(
        "steps", {"n": 2}, on_values=lambda values, lines: steps.append((values, list(lines)))
    )
    assert steps == [({"i": 0}, ["i"]), ({"i": 1}, ["i"])] and values == {"i": 1}


@pytest.mark.parametrize(
    ("lab", "params", "message"),
    [
        ("atention", {}, r"^lab='atention' is not on this page \(did you mean 'attention'\?\): it has .*attention"),
        (
            "attention",
            {"d_modle": 64},
            r"^d_modle=64 is no parameter of the lab 'attention' \(did you mean 'd_model'\?\)",
        ),
        (
            "attention",
            {"zzz": "x" * 100},
            r"^zzz='x+\.\.\. is no parameter of the lab 'attention': it takes tokens, weight_set",
        ),
        ("attention", {"d_model": 10, "num_heads": 4}, r"^d_model=10 .*num_heads=4"),
    ],
)
def test_mistakes_name_what_is_wrong_and_what_would_be_right(lab, params, message):
    with pytest.raises(ValueError, match=message):
        Laboratory().run(lab, params)


def test_labs_are_the_modules_with_a_run(extra_lab):
    extra_lab("helper", "MATRIX = [[1]]\n")
    extra_lab("real", "def run():\n    return {}\n")
    assert "helper" not in lab_ids() and {"attention", "real"} <= set(lab_ids())


def test_accepting_gives_all_parameters_and_runs_only_what_has_not_just_run(extra_lab):
    extra_lab("counted", "ran = []\ndef run(*, n=1, m=2):\n    ran.append(n)\n    return {'x': 1 // n}\n")
    laboratory = Laboratory()
    laboratory.run("counted", {"n": 5})
    assert laboratory.accept("counted", {"n": 5}) == {"n": 5, "m": 2}
    assert laboratory.accept("counted", {"n": 6}) == laboratory.accept("counted", {"n": 6}) == {"n": 6, "m": 2}
    assert sys.modules["seeformer.labs.counted"].ran == [5, 6]
    for params, wrong in ({"n": 0}, ZeroDivisionError), ({"k": 1}, ValueError):
        with pytest.raises(wrong):
            laboratory.accept("counted", params)


def test_what_an_edit_accepts_is_not_accepted_for_a_note():
    laboratory = Laboratory()
    source = source_of("seeformer.labs.attention") + "\n\ndef run(*, d_model=3):\n    return {}\n"
    laboratory.run("attention", {"d_model": 3}, {"seeformer.labs.attention": source})
    with pytest.raises(ValueError, match="d_model=3"):
        laboratory.accept("attention", {"d_model": 3})
