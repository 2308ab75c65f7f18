"""What a cell shows while it runs."""

import io
import logging
import sys

import pytest

from seeformer.cells import output
from seeformer.cells.output import Output


def test_each_line_is_sent_when_it_ends(reader):
    shown = reader.run("print('a', 1)\nprint('b')\nimport sys\nprint('c', file=sys.stderr)")["shown"]
    assert [(item["stream"], item["text"]) for item in shown] == [
        ("stdout", "a 1\n"),
        ("stdout", "b\n"),
        ("stderr", "c\n"),
    ]


def test_a_flush_sends_and_so_does_the_end(reader):
    shown = reader.run("print('50%', end='', flush=True)\nprint(' done', end='')")["shown"]
    assert [item["text"] for item in shown] == ["50%", " done"]


def test_text_comes_before_the_error_that_followed_it(reader):
    answer = reader.run("print('before', end='')\n1 / 0")
    assert answer["shown"][0]["text"] == "before" and answer["error"]["type"] == "ZeroDivisionError"


def test_what_is_not_ascii_or_not_even_unicode(reader):
    assert reader.printed("print('猫😀')") == "猫😀\n"
    assert reader.printed(r"print('\ud800')") == "\\ud800\n"
    assert reader.printed("import sys\nsys.stdout.buffer.write('猫'.encode())") == "猫"


def test_a_logger_made_in_an_older_cell_writes_to_the_newest(reader):
    reader.run("import logging\nlog = logging.getLogger('cells')\nlog.addHandler(logging.StreamHandler())")
    try:
        assert reader.printed("log.warning('seen')", "stderr") == "seen\n"
    finally:
        logging.getLogger("cells").handlers.clear()


def test_too_many_lines(reader):
    answer = reader.run(f"for i in range({output.MAX_LINES} + 5): print(i)\nprint('x' * 9)\n'the end'")
    texts = [item["text"] for item in answer["shown"] if item["kind"] == "text"]
    assert "".join(texts).splitlines() == [str(i) for i in range(output.MAX_LINES)]
    assert [item["kind"] for item in answer["shown"] if item["kind"] != "text"] == ["truncated", "repr"]
    assert answer["result"] == "'the end'"


def test_one_line_without_end(reader):
    answer = reader.run("for i in range(300): print('x' * 10_000, end='')")
    assert sum(len(item.get("text", "")) for item in answer["shown"]) == output.MAX_CHARS
    assert answer["shown"][-1]["kind"] == "truncated"


def test_one_print_of_many_lines_is_cut_within():
    shown = []
    Output(shown.append).text("stdout", "a\n" * (output.MAX_LINES + 1))
    assert [item["kind"] for item in shown] == ["text", "truncated"] and shown[0]["text"].count(
        "\n"
    ) == output.MAX_LINES


def test_too_many_pictures():
    shown = []
    show = Output(shown.append)
    for _ in range(output.MAX_PICTURES + 2):
        show.picture(b"png")
    assert [item["kind"] for item in shown] == ["image"] * output.MAX_PICTURES + ["truncated"]
    assert shown[0]["png"] == "data:image/png;base64,cG5n"


def test_input_says_why_not(reader):
    answer = reader.run("input('name? ')")
    assert answer["shown"][0]["text"] == "name? "
    assert answer["error"]["type"] == "RuntimeError" and answer["error"]["message"].startswith(
        "input() cannot ask here"
    )


def test_without_a_cell_text_goes_where_it_went(monkeypatch):
    console = io.StringIO()
    monkeypatch.setattr(sys, "stdout", console)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    output.take_streams()
    print("to the console")
    assert console.getvalue() == "to the console\n"


@pytest.mark.parametrize("code", ["print('x')", "1 / 0"])
def test_after_a_cell_nothing_is_current(reader, code):
    reader.run(code)
    assert output.current() is None
