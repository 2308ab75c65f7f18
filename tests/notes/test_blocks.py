"""What a block of a note holds: the tested source, cut down to what it needs, and the reader's parameters."""

import ast
import contextlib
import doctest
import inspect
import io
import json
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from notes.blocks import CASES, KERNELS, LANGUAGES, SETTINGS, WORDS, of_kernel, of_lab, parameters

import seeformer
from seeformer import attention_shapes, checks
from seeformer.laboratory import lab_ids
from seeformer.notes.block import FORMS
from seeformer.notes.strip import PASSED_THROUGH
from sitebuild.paths import venv_program

EACH_CASE = pytest.mark.parametrize("lab, changed", CASES, ids=[f"{lab}-{json.dumps(each)}" for lab, each in CASES])
EACH_KERNEL = pytest.mark.parametrize("kernel", KERNELS, ids=[name for _, name in KERNELS])


def executed(code: str) -> tuple[dict, str]:
    """The globals that a plain block leaves, and what it prints."""
    names, out = {}, io.StringIO()
    with contextlib.redirect_stdout(out), np.errstate(all="raise", under="ignore"):
        exec(compile(code, "<block>", "exec"), names)
    return names, out.getvalue()


@EACH_CASE
def test_a_lab_s_block_computes_what_the_page_shows(lab, changed):
    run = import_module(f"seeformer.labs.{lab}").run
    shown = run(**parameters(lab, changed))
    names, printed = executed(of_lab(lab, changed, form="plain"))
    common = [name for name in names if name in shown and isinstance(names[name], np.ndarray)]
    for name in common:  # the page has an axis for heads, and a row for each query, even where all are equal
        ours = np.broadcast_to(names[name], np.shape(shown[name]))
        np.testing.assert_allclose(ours, shown[name], rtol=1e-9, atol=1e-12, err_msg=name)
    assert len(common) >= 2
    assert printed


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]


@EACH_KERNEL
def test_a_kernel_s_block_prints_its_examples(kernel):
    module, name = kernel
    doc = inspect.getdoc(getattr(import_module(module), name))
    assert "Examples" in doc
    names, printed = executed(of_kernel(kernel, form="plain"))
    assert callable(names[name])
    digits = re.findall(r"\d\.\d+", doc.rpartition("--------")[2])
    told = re.findall(r"\d\.\d+", printed)
    assert [float(number) for number in digits] == pytest.approx(
        [float(number) for number in told], abs=1e-4
    ) or printed


def test_each_lab_and_each_public_kernel_has_a_block():
    assert {lab for lab, _ in CASES} == set(lab_ids())
    modules = "attention positional rates rotary alibi mask feedforward activation erf norm token_vectors".split()
    modules += ["recurrence", "recurrence_weights"]
    public = {
        (f"seeformer.{module}", name)
        for module in modules
        for name, each in vars(import_module(f"seeformer.{module}")).items()
        if inspect.isfunction(each) and each.__module__ == f"seeformer.{module}" and not name.startswith("_")
    }
    assert public <= set(KERNELS)


@EACH_CASE
@pytest.mark.parametrize("form", FORMS)
def test_nothing_of_the_workshop_is_left_in_a_block(lab, changed, form):
    code = of_lab(lab, changed, form=form)
    tree = ast.parse(code)
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    workshop = {"see", "trace", "words", "remark", "head_width", *PASSED_THROUGH}
    assert not called & workshop
    assert not {name for name in called if name.lstrip("_").startswith("check_")}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    assert ("seeformer" in code) == (form == "short")
    assert code.startswith("import micropip\n\nawait micropip.install") == (form != "plain")


def blocks_of_all_forms():
    for language in LANGUAGES:
        for form in FORMS:
            for number, (lab, changed) in enumerate(CASES):
                yield f"{lab}-{number}-{form}-{language}", of_lab(lab, changed, language, form=form)
            for kernel in KERNELS:
                yield f"{kernel[1]}-{form}-{language}", of_kernel(kernel, language, form=form)


def test_blocks_are_formatted_and_linted_as_a_person_s_code_would_be(tmp_path):
    for name, code in blocks_of_all_forms():
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    ruff = [venv_program("ruff")]
    # E402 and F704: packages are installed before they are imported, with a top-level await.
    lint = ["check", "--isolated", "--line-length=120", "--select=E,F,W,I,B,UP", "--ignore=E402,F704,UP032"]
    lint += ["--config", 'lint.isort.known-first-party=["seeformer"]', "--target-version=py312"]
    for command in (["format", "--isolated", "--line-length=120", "--diff"], lint):
        answer = subprocess.run([*ruff, *command, tmp_path], capture_output=True, text=True)
        assert answer.returncode == 0, answer.stdout[:3000] + answer.stderr[:1000]


@pytest.mark.parametrize("language", LANGUAGES)
def test_blocks_are_short(language):
    def lines(code):
        return len(code.splitlines())

    def written(code):
        return len([line for line in code.splitlines() if line.strip()])

    assert written(of_lab("attention", {}, language)) <= 80
    assert lines(of_kernel(("seeformer.attention", "multi_head_attention"), language)) <= 80
    assert lines(of_lab("attention", {"weight_set": "paper"}, language)) <= 80
    assert max(lines(of_kernel(kernel, language)) for kernel in KERNELS) <= 80
    assert {
        lab: count for lab, told in SETTINGS.items() if (count := lines(of_lab(lab, {}, language))) > told["most_lines"]
    } == {}


def test_every_lab_has_settings():
    assert set(SETTINGS) == set(lab_ids())


def test_what_a_block_says_is_in_the_reader_s_language():
    for number, (lab, changed) in enumerate(CASES):
        for language, other in (("en", "zh"), ("zh", "en")):
            code = of_lab(lab, changed | {"tokens": ["x", "y", "z"]} if lab != "positional" else changed, language)
            foreign = {*strings(WORDS[other]["labs"][lab]["note"])} - {*strings(WORDS[language]["labs"][lab]["note"])}
            foreign |= {*strings(WORDS[other]["notes"])} - {*strings(WORDS[language]["notes"])}
            assert not [text for text in foreign if len(text) > 6 and text in code], (lab, number, language)


def strings(node):
    if isinstance(node, dict):
        for value in node.values():
            yield from strings(value)
    else:
        yield node


@pytest.mark.parametrize("kernel", KERNELS, ids=[name for _, name in KERNELS])
def test_every_function_and_comment_has_its_words(kernel):
    code = of_kernel(kernel)
    for function in ast.parse(code).body:
        if isinstance(function, ast.FunctionDef) and not function.name.startswith("_"):
            assert WORDS["en"]["notes"]["functions"].get(function.name), function.name
    source = inspect.getsource(getattr(import_module(kernel[0]), kernel[1]))
    body = source.rpartition('"""')[2]
    for comment in re.findall(r"# (.*)", body):
        if not re.fullmatch(r"\[[^\]]*\]", comment):
            assert comment in WORDS["en"]["notes"]["comments"], comment


def test_it_is_known_what_every_check_lets_through():
    only_said = {"shaped"}  # part of a message
    for module in (checks, attention_shapes):
        for name, each in vars(module).items():
            if (
                inspect.isfunction(each)
                and each.__module__ == module.__name__
                and not name.lstrip("_").startswith("check_")
            ):
                assert name in {*PASSED_THROUGH, "head_width"} | only_said, name


def test_a_change_in_a_kernel_is_a_change_in_the_block(tmp_path):
    package = Path(seeformer.__file__).parent
    shutil.copytree(package, tmp_path / "seeformer", ignore=shutil.ignore_patterns("__pycache__"))
    kernel = tmp_path / "seeformer" / "attention.py"
    before = kernel.read_text(encoding="utf-8")
    kernel.write_text(before.replace("np.exp(x - peak)", "np.exp2(x - peak)"), encoding="utf-8")
    script = "import sys; from notes.blocks import of_lab; sys.stdout.write(of_lab('attention', {}))"
    tests = Path(__file__).resolve().parents[1]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(tests)]), "PYTHONUTF8": "1"}
    answer = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    assert answer.stdout == of_lab("attention", {}).replace("np.exp(x - peak)", "np.exp2(x - peak)")


NASTY = [
    '"',
    "'",
    "\\",
    "\n",
    "\r",
    "\u2028",
    '"""',
    "😀",
    "\x7f",
    "{x}",
    "# no",
    "\ud800",
    " ",
    "",
    "see(",
    "a b",
    "\t",
]


@pytest.mark.parametrize("tokens", [NASTY, NASTY[:3], ["a", "b c"], ["a", "b"], ["ab", "c"], ["x"]], ids=len)
@pytest.mark.parametrize("lab", ["attention", "mask", "ffn", "norm"])
def test_any_words_arrive_unchanged(lab, tokens):
    code = of_lab(lab, {"tokens": tokens}, form="plain")
    code.encode()
    assert executed(code)[0]["tokens"] == tokens


def test_an_unknown_form_is_named():
    with pytest.raises(ValueError, match="form='latex' is unknown: use one of note, matplotlib, short, plain"):
        of_lab("mask", {}, form="latex")


def test_the_examples_in_the_docstrings_are_true():
    for module in dict.fromkeys(module for module, _ in KERNELS):
        found = doctest.testmod(import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
        assert found.attempted and not found.failed, module
