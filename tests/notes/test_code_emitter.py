"""The emulation does what the plugin was seen to do. One engine, in the order of a reader who starts from nothing."""

import random

import pytest

SHOW = "import matplotlib.pyplot as plt\nplt.close('all')\nplt.plot([1, 2])\nplt.show()"
PIXEL = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DwHwgAAAX+Af/sPJrnAAAAAElFTkSuQmCC"


@pytest.fixture(scope="module")
def note(open_note):
    return open_note()


def test_numpy_has_to_be_installed_first(note):
    told = note.run("import numpy as np")
    assert "ModuleNotFoundError" in told.error and told.lines == [told.error] and told.stderr == []
    told = note.run("import micropip\nawait micropip.install('numpy')\nimport numpy as np\nprint(np.__version__)")
    assert told.error is None and told.stdout == ["1.26.4"]


def test_the_versions_are_those_of_the_plugin(note):
    told = note.run("import sys, pyodide\nprint(sys.version_info[:2], pyodide.__version__, sys.platform)")
    assert told.stdout == ["(3, 12) 0.26.1 emscripten"]


def test_it_runs_on_the_main_thread_and_is_not_isolated(note):
    told = note.run("import js\nprint(hasattr(js, 'document'), js.crossOriginIsolated)")
    assert told.stdout == ["True False"]


def test_globals_are_shared_unless_a_block_is_to_run_alone(note):
    note.run("kept = 1")
    assert note.run("kept += 1\nprint(kept)").stdout == ["2"]
    assert "NameError: name 'kept'" in note.run("kept", alone=True).error
    assert note.run("kept = 7\nprint(__name__, kept)", alone=True).stdout == ["__main__ 7"]
    assert note.run("print(kept)").stdout == ["2"]


def test_the_last_expression_is_thrown_away(note):
    assert note.run("1 + 1").lines == []


def test_text_without_a_final_newline_comes_with_the_next_block(note):
    assert note.run("print('a'); print('b', end='')").lines == ["a"]
    assert note.run("print('c')").lines == ["bc"]


def test_an_error_is_listed_after_what_was_printed(note):
    told = note.run("print('before')\n1 / 0\nprint('after')")
    assert told.lines == ["before", told.error] and told.error.startswith("PythonError: Traceback")
    assert "ZeroDivisionError" in told.error and "ZeroDivisionError" in note.output(told).inner_text()


def test_stderr_is_listed_too_and_told_apart(note):
    told = note.run("import sys, warnings\nprint('out')\nwarnings.warn('careful')\nprint('err', file=sys.stderr)")
    assert told.stdout == ["out"] and "careful" in told.stderr[0] and told.stderr[-1] == "err"
    assert sorted(told.lines) == sorted(told.stdout + told.stderr)


def test_input_has_nobody_to_answer(note, heard):
    assert "OSError" in note.run("input()").error
    assert any("Error thrown in read" in error for error in heard.errors)  # Pyodide's own word on the console
    heard.clear()


def test_spaces_collapse_in_text_and_stay_in_pre(note):
    told = note.run("print('1    2')\nprint('<pre>1    2&#10;10   3</pre>')")
    assert note.output(told).locator("li").all_inner_texts() == ["1 2", "1    2\n10   3"]
    assert told.html == ["<pre>1    2&#10;10   3</pre>"]


def test_one_element_on_one_line_is_rendered(note):
    lines = ["<div><b>bold</b></div>", '<svg width="9" height="9"><circle r="4"></circle></svg>', "  <p>x</p>  "]
    told = note.run("\n".join(f"print({line!r})" for line in lines))
    assert told.html == lines and note.output(told).locator("li b").inner_text() == "bold"


@pytest.mark.parametrize(
    "line",
    [f'<img src="{PIXEL}">', "<b>1</b> and <i>2</i>", "<div>", "<br>", "<div>\\n</div>", "<div >x</div>", "a <b>b</b>", "<s> a", "<P>x</p>"],
)  # fmt: skip
def test_anything_else_is_text(note, line):
    told = note.run(f"print('{line}')")
    assert told.html == [] and note.output(told).locator("li").first.inner_text() == line.split("\\n")[0]


def test_a_picture_in_a_div_is_seen(note):
    told = note.run(f"""print('<div><img src="{PIXEL}" width="20"></div>')""")
    (picture,) = told.pictures
    assert (picture["tag"], picture["width"], picture["height"], picture["colours"]) == ("img", 2, 1, 2)
    assert picture["shown"][0] == 20


def test_a_picture_that_is_none_or_of_one_colour_is_known(note):
    plain = "var c = new OffscreenCanvas(3, 3); c.getContext('2d').fillRect(0, 0, 3, 3)"
    assert note.run("""print('<div><img src="data:image/png;base64,AAAA"></div>')""").pictures[0]["colours"] == 0
    blank = note.page.evaluate(f"""async () => {{
      {plain};
      const blob = await c.convertToBlob();
      return new Promise((done) => {{ const r = new FileReader(); r.onload = () => done(r.result); r.readAsDataURL(blob); }});
    }}""")
    assert note.run(f"""print('<div><img src="{blank}"></div>')""").pictures[0]["colours"] == 1


def test_a_line_that_would_choke_the_html_rule_is_found_without_asking_it(note):
    bad = "<svg " + "a " * 40
    told = note.run(f"print({bad!r})\nprint('<div class=\"a b c\">x</div>')\nprint(print)")
    assert told.choking == [bad, "<built-in function print>"]
    assert told.slowest < 50 and told.html == ['<div class="a b c">x</div>']


def test_the_rule_really_takes_twice_as_long_for_each_space(note):
    """What a reader's Obsidian would do, on lines that are still short enough."""
    time = """(spaces) => {
      const line = "<svg " + "a ".repeat(spaces), start = performance.now();
      htmlLine.pattern.test(line);
      return performance.now() - start;
    }"""
    note.page.evaluate(time, 12)
    assert note.page.evaluate(time, 22) > 20 * max(note.page.evaluate(time, 14), 0.05)


def test_the_quick_answer_is_the_rules_own(note):
    dice = random.Random(4)
    pieces = ["<", ">", "</", "a", "b", "<a", "</a>", "<a>", " ", "  ", "\n", "-", "=", "A"]
    lines = ["".join(dice.choices(pieces, k=dice.randint(1, 9))) for _ in range(20000)]
    wrong, elements = note.page.evaluate(
        """(lines) => [lines.filter((line) => htmlLine.isElement(line) !== htmlLine.pattern.test(line)),
                       lines.filter((line) => htmlLine.isElement(line)).length]""",
        lines,
    )
    assert wrong == [] and elements > 20


def test_arrays_come_back_bit_by_bit(note):
    note.run("a = np.random.default_rng(1).normal(size=(2, 3)); b = np.arange(4)[::2]; words = np.array(['x'])")
    arrays = note.arrays()
    assert arrays["a"].shape == (2, 3) and arrays["b"].tolist() == [0, 2] and "words" not in arrays
    assert note.run("print(repr(float(a[1, 2])))").stdout == [repr(float(arrays["a"][1, 2]))]


def test_a_wheel_of_another_origin_installs(note, server):
    """The short form of a block: the page serves its package to a note."""
    wheel = server + "wheels/" + note.page.context.request.get(server + "manifest.json").json()["wheel"].split("/")[-1]
    told = note.run(
        f"import micropip\nawait micropip.install('{wheel}')\nfrom seeformer.attention import softmax\nprint(softmax(np.zeros(2)))"
    )
    assert told.error is None and told.stdout == ["[0.5 0.5]"]


def test_matplotlib_is_there_once_it_is_installed(note):
    told = note.run("import micropip\nawait micropip.install('matplotlib')\n" + SHOW)
    (figure,) = told.pictures
    assert told.error is None and figure["tag"] == "canvas" and figure["colours"] > 10


def test_matplotlib_is_blank_if_anything_is_awaited_after_show(note):
    told = note.run(SHOW + "\nimport asyncio\nawait asyncio.sleep(0.1)")
    assert [figure["colours"] for figure in told.pictures] == [1]


def test_matplotlib_shows_nothing_if_plot_and_show_are_in_two_blocks(note):
    note.run(SHOW.removesuffix("plt.show()"))
    told = note.run("plt.show()")
    assert all(figure["colours"] < 2 for figure in told.pictures)
