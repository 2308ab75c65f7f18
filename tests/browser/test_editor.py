"""The code editor by itself: keys, marks, names, colours."""

import re

import pytest
from support.modules import blank_page

CREATE = """async (options) => {
  const { createEditor } = await load("core/editor/editor.js");
  window.heard = [];
  const hear = (what) => (text) => heard.push([what, text]);
  const handlers = { onChange: hear("change"), onRun: hear("run"), onRunNext: hear("next") };
  window.editor = createEditor(root, { ...handlers, ...options });
}"""


@pytest.fixture
def open_editor(open_page, server):
    def open_editor(doc="", *, locale="en-GB", theme="light", width=800, **options):
        page = blank_page(open_page(lent=True, locale=locale, theme=theme, width=width), server)
        page.evaluate(CREATE, {"doc": doc, **options})
        return page

    return open_editor


def text(page) -> str:
    return page.evaluate("editor.get()")


def test_keys_run_indent_and_leave(open_editor):
    page = open_editor("for i in x:")
    page.evaluate("editor.goTo(1)")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("a")
    assert text(page) == "for i in x:\n    a"
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Shift+Enter")
    assert page.evaluate("heard.slice(-2)") == [["run", "for i in x:\n    a"], ["next", "for i in x:\n    a"]]
    page.keyboard.press("Tab")
    assert text(page) == "for i in x:\n        a"
    assert page.evaluate("document.activeElement.classList.contains('cm-content')")
    page.evaluate("root.insertAdjacentHTML('beforeend', '<button>after</button>')")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "after"
    assert text(page) == "for i in x:\n        a"


def test_it_says_its_name_and_how_to_leave_in_the_pages_language(open_editor):
    page = open_editor(label=["cells.cell", {"n": 3}])
    box = page.get_by_role("textbox", name="Cell 3")
    assert "press Escape, then Tab" in page.locator(f"#{box.get_attribute('aria-describedby')}").text_content()
    page.evaluate("async () => (await load('core/text.js')).setLanguage('zh')")
    assert page.get_by_role("textbox", name="单元 3").count() == 1
    page.get_by_role("textbox").focus()
    page.keyboard.press("Control+f")
    assert page.get_by_placeholder("查找").is_visible()


def test_set_is_not_a_change_of_the_readers_but_can_be_undone(open_editor):
    page = open_editor("a")
    page.evaluate("editor.set('b')")
    assert page.evaluate("heard") == []
    page.evaluate("editor.focus()")
    page.keyboard.press("Control+z")
    assert text(page) == "a"
    assert page.evaluate("heard") == [["change", "a"]]


def test_an_error_marks_its_line_says_why_and_goes_when_that_line_is_edited(open_editor):
    page = open_editor("\n".join(f"x{n} = {n}" for n in range(1, 201)))
    page.evaluate("editor.setErrors([{line: 150, message: 'ValueError: bad'}])")
    message = page.get_by_text("ValueError: bad")
    page.wait_for_function("() => document.querySelector('.editor-error')")
    assert page.locator(".editor-error").text_content() == "x150 = 150"
    box, scroller = message.bounding_box(), page.locator(".cm-scroller").bounding_box()
    line = page.locator(".editor-error").bounding_box()
    assert scroller["y"] <= line["y"] < box["y"] < scroller["y"] + scroller["height"]  # seen, and below its line
    sign = page.locator(".editor-error-sign").bounding_box()
    assert abs(sign["y"] - line["y"]) < 8
    page.evaluate("editor.goTo(149)")
    page.keyboard.type("y")
    assert message.is_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.type("y")
    assert page.locator(".editor-error, .editor-error-message, .editor-error-sign").count() == 0


def test_an_error_beyond_the_end_marks_the_last_line_and_an_empty_list_clears(open_editor):
    page = open_editor("a\nb")
    page.evaluate("editor.setErrors([{line: 9, message: 'no'}])")
    assert page.locator(".editor-error").text_content() == "b"
    page.evaluate("editor.setErrors([])")
    assert page.locator(".editor-error").count() == 0


def test_a_long_message_wraps(open_editor):
    page = open_editor("    a = 1", width=360)
    page.evaluate("editor.setErrors([{line: 1, message: 'no '.repeat(200)}])")
    assert page.locator(".editor-error").text_content() == "a = 1"
    assert page.evaluate("(box => box.scrollWidth <= box.clientWidth)(document.querySelector('.cm-scroller'))")


def test_one_line_can_be_lit(open_editor):
    page = open_editor("a\nb\nc")
    page.evaluate("editor.lightLine(2)")
    assert page.locator(".editor-lit").all_text_contents() == ["b"]
    page.evaluate("editor.lightLine(3)")
    assert page.locator(".editor-lit").all_text_contents() == ["c"]
    page.evaluate("editor.lightLine(null)")
    assert page.locator(".editor-lit").count() == 0


def test_read_only_cannot_be_changed_but_reached(open_editor):
    page = open_editor("a", readOnly=True)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.classList.contains('cm-content')")
    page.keyboard.type("b")
    assert text(page) == "a"


def test_height_follows_the_text_up_to_a_limit_and_long_lines_scroll_inside(open_editor):
    page = open_editor("x = 1", width=360)

    def height():
        return page.locator(".cm-editor").bounding_box()["height"]

    one = height()
    page.evaluate("editor.set('x = 1\\n'.repeat(9))")
    assert 5 * one < 10 * (height() - one) < 100 * one
    page.evaluate("editor.set('x = 1 # long '.repeat(80) + '\\n'.repeat(2000))")
    assert height() <= 0.71 * 800
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("(box => box.scrollWidth > box.clientWidth)(document.querySelector('.cm-scroller'))")


SAMPLE = '''import numpy as np  # a comment, 注释
@decorator
class A(B):
    def f(self, x=1.5, *args, **rest):
        """docstring {x}"""
        if not x or x is None: return f"text {x!r}" + 'a' @ True
        raise ValueError(-1e-9)
'''


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_token_can_be_read(open_editor, theme):
    page = open_editor(SAMPLE, theme=theme)
    # The parser works in the thread's idle turns.
    page.wait_for_function(
        "() => new Set([...document.querySelectorAll('.cm-line span')].map((part) => getComputedStyle(part).color)).size > 4"
    )
    page.evaluate("editor.setErrors([{line: 1, message: 'message'}])")
    page.evaluate("editor.lightLine(4)")
    page.evaluate("editor.goTo(6)")
    pairs = page.evaluate("""() => {
      const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
          const colour = getComputedStyle(at).backgroundColor;
          if (!/, 0\\)$|\\/ 0\\)$|transparent/.test(colour) && !/ 0\\.\\d+\\)$/.test(colour)) return colour;
        }
      };
      const paint = (colour) => {
        const pen = new OffscreenCanvas(1, 1).getContext("2d");
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      return [...document.querySelectorAll(".cm-line span, .cm-line, .cm-gutterElement, .editor-error-message")]
        .filter((element) => element.textContent.trim())
        .map((element) => [element.textContent, paint(getComputedStyle(element).color), paint(behind(element))]);
    }""")
    assert len({tuple(colour) for _, colour, _ in pairs}) >= 6  # coloured at all

    def luminance(colour):
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for token, colour, background in pairs:
        low, high = sorted((luminance(colour), luminance(background)))
        assert (high + 0.05) / (low + 0.05) >= 4.5, f"{token!r}: {colour} on {background}"


def test_all_of_codemirrors_words_are_translated(site):
    """What the library passes to state.phrase() and the page can meet is in editor-phrases.js."""
    ours = set(re.findall(r': "([^"]+)"', (site / "web/core/editor/editor-phrases.js").read_text("utf-8")))
    library = set(re.findall(r'phrase\("([^"]+)"', (site / "web/vendor/codemirror.js").read_text("utf-8")))
    assert len(library) > 5 and library - ours == set()
