"""Cleaning of pasted code: the pure function in every form, and what a reader sees when they paste."""

import re
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.clipboard import CLIPBOARD, paste
from support.modules import blank_page, mount_cells


@pytest.fixture(scope="module")
def clean(browser, server):
    page = blank_page(browser.new_page(), server)
    page.evaluate("async () => { window.paste = await load('core/editor/paste.js'); }")
    yield lambda text: page.evaluate("text => paste.cleanPaste(text)", text)
    page.close()


def interleaved(code: str, start=1) -> str:
    """As the article's page copies it: each line's number on a line of its own."""
    return "\n".join(f"{start + at}\n{line}" for at, line in enumerate(code.split("\n")))


STATEMENTS = st.sampled_from(
    ["import numpy as np", "x = np.arange(3)  # 三", "def f(a):", "    return a @ a.T", "", "    ", "]", "print('1')"]
    + [
        "",
        "1",
        "2,",
        "# 3",
        '"""',
        "@decorator",
        "\treturn",
        "x[0] = -1",
        "    [1, 2],",
        "for i in range(2):",
        "await g()",
    ]
)
ANYTHING = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
LINES = st.lists(STATEMENTS | ANYTHING, min_size=2, max_size=30)
# what other cleanings than that of line numbers are for
OTHERWISE_CLEANED = re.compile(r"^\s*(>>>|\.\.\.|In \[|```|~~~)|[“”„‘’‚\u00a0\u2002-\u200d\u202f\u3000\ufeff]", re.M)


def mostly_code(lines) -> bool:
    full = [line for line in lines if line.strip()]
    return len(full) > 0 and 2 * sum(bool(re.search(r"[^\s\d.,;:eE+-]", line)) for line in full) >= len(full)


@settings(max_examples=300, deadline=None)
@given(lines=LINES, start=st.sampled_from([1, 1, 1, 0, 17, 998]))
def test_any_code_numbered_the_articles_way_comes_back(clean, lines, start):
    code = "\n".join(lines)
    assume(mostly_code(lines) and not OTHERWISE_CLEANED.search(code))
    assert clean(interleaved(code, start)) == {"text": code, "what": "numbered_lines"}


CODE = 'import numpy as np\n\n\ndef f(x):\n    return x * 2  # 两倍\n\nprint("f", f(3))'


@pytest.mark.parametrize(
    ("pasted", "what"),
    [
        (interleaved(CODE), "numbered_lines"),
        (interleaved(CODE) + "\n", "numbered_lines"),
        (interleaved(CODE).removeprefix("1\n"), "numbered_lines"),  # the selection began at the code
        # the page dropped blank lines
        ("\n".join(line for line in interleaved(CODE).split("\n") if line), "numbered_lines"),
        ("\n".join(f"{at} {line}".rstrip() for at, line in enumerate(CODE.split("\n"), 1)), "numbered_prefix"),
        ("\n".join(f"{at}: {line}" for at, line in enumerate(CODE.split("\n"), 12)), "numbered_prefix"),
        ("\n".join(f"{at:3d}\t{line}" for at, line in enumerate(CODE.split("\n"), 1)), "numbered_prefix"),
        ("\n".join(f"{at:2d} | {line}" for at, line in enumerate(CODE.split("\n"), 5)), "numbered_prefix"),
        (f"```python\n{CODE}\n```", "fence"),
        (f"~~~\n{interleaved(CODE)}\n~~~\n", "fence"),
        (CODE.replace("    return", "\u00a0\u00a0\u00a0\u00a0return"), "spaces"),
        (CODE.replace('"f"', "“f”"), "quotes"),
    ],
)
def test_each_form_is_cleaned_to_the_same_code(clean, pasted, what):
    assert clean(pasted) == {"text": CODE, "what": what}


def test_a_console_session_leaves_its_code(clean):
    session = ">>> x = 1\n>>> x\n1\n>>> for i in range(2):\n...     print(i)\n...\n0\n1"
    assert clean(session) == {"text": "x = 1\nx\nfor i in range(2):\n    print(i)\n", "what": "prompts"}
    assert clean("In [1]: x = 1\n\nIn [2]: x\nOut[2]: 1")["text"] == "x = 1\nx"


@pytest.mark.parametrize(
    "text",
    [
        CODE,
        "",
        "\n\n",
        "1",
        "1\n2\n3\n4\n5\n6",  # a column of numbers
        "1\n0.5\n2\n0.25\n3\n0.125",  # an index and a value
        "1\n0.5\n2\nnan\n3\n0.125",
        "1 2\n2 3\n3 4",  # a matrix
        "[\n1,\n2,\n3,\n]",
        "x = [\n2\n]",
        "f(\n2\n,\n3\n)",
        "1: 'a',\n2: 'b',\n3: 'c'",  # the inside of a dict
        "names = {\n1: 'a',\n2: 'b'}",
        "1 + a\n2 + b\n3 + c",
        'def f():\n    """\n    >>> f()\n    1\n    """',  # a doctest in its docstring
        "text = '“quoted”'  # and a non-breaking\u00a0space",
        "first\n1\nsecond\n3",
        "Just a sentence, it’s prose.",
        '"""\n2\nfoo\n3\n"""',
        "```\na\n```\ntext\n```\nb\n```",
    ],
)
def test_what_may_be_meant_stays(clean, text):
    assert clean(text) == {"text": text, "what": None}


def test_a_long_paste_takes_no_time(clean):
    for text in ("x = 1\n" * 20_000, (" " * 3000 + "1\n") * 100, "1" * 100_000, "<div " + " " * 5000):
        began = time.perf_counter()
        clean(text)
        assert time.perf_counter() - began < 2


def test_pasting_cleans_tells_and_one_undo_brings_the_raw_text_back(open_page, server):
    page = blank_page(open_page(lent=True, locale="en-GB", permissions=CLIPBOARD), server)
    mount_cells(page)
    page.click("[data-action=add]")
    cell = page.locator("[data-cell=cell-1]")
    raw = interleaved(CODE)
    paste(page, raw)

    def code():
        return "\n".join(cell.locator(".cm-line").all_text_contents())

    notice = cell.locator(".cell-notice")
    assert code() == CODE
    assert notice.inner_text().startswith("Took off the line numbers that stood on lines of their own.")
    page.keyboard.press("Control+z")
    assert code() == raw
    assert notice.is_hidden()
    page.keyboard.press("Control+z")
    assert code() == ""

    paste(page, raw)
    page.keyboard.type("x")  # at once, and yet no part of the cleaning
    page.keyboard.press("Control+z")
    assert code() == CODE
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")

    paste(page, raw)
    notice.get_by_role("button", name="Undo").click()
    assert code() == raw
    page.keyboard.press("Control+y")
    assert code() == CODE


def test_numbers_pasted_into_a_string_stay(open_page, server):
    page = blank_page(open_page(lent=True, permissions=CLIPBOARD), server)
    mount_cells(page)
    page.click("[data-action=add]")
    page.keyboard.type('x = """""" ')
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    paste(page, "1\nAlice\n2\nBob")
    assert page.locator("[data-cell=cell-1] .cm-line").all_text_contents() == ['x = """1', "Alice", "2", 'Bob""" ']
    assert page.locator("[data-cell=cell-1] .cell-notice").is_hidden()
