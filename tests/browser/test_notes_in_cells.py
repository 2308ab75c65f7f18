"""Markdown notes among the cells: opened or dropped, run, exported again; what nobody touched comes back to the letter."""

import json
import random
from pathlib import Path

import pytest
from support.axe import serious
from support.cells import add, cell, code, ids, only, wait
from support.modules import mount_cells

OPENING = ["attention", "positional", "mask"]

# Every sample is (text, what its cells hold).
SAMPLES = {
    "plain": ("# Note\n\n```python\nx = 1\n```\n\nand\n\n```python\nprint(x)\n```\nend", ["x = 1", "print(x)"]),
    "tags": (
        '```py\na\n```\n```Python3 title="b"\nb\n```\n```{.python #c}\nc\n```\n``` PYTHON {1,2}\nd\n```\n',
        ["a", "b", "c", "d"],
    ),
    "other languages": (
        "```js\nno\n```\n```pycon\n>>> no\n```\n```python-repl\nno\n```\n```\nno\n```\n```py\nyes\n```",
        ["yes"],
    ),
    "tildes and longer fences": (
        "~~~python\n```\n~~~\n\n`````python\nprint('````')\n```python\n`````\n",
        ["```", "print('````')\n```python"],
    ),
    "lists": (
        "1. one\n\n   ```python\n   if x:\n       y\n\n   z\n   ```\n\n2. two\n   - ~~~ python\n     deep\n     ~~~\n-\t```py\n\ttab\n\t```\n",
        ["if x:\n    y\n\nz", "deep", "tab"],
    ),
    "quotations": (
        "> [!note] Callout\n> ```python\n> a\n>\n>   b\n> ```\n> - > ```python\n>   > c\n>   > ```\n",
        ["a\n\n  b", "c"],
    ),
    "indented": ("  ```python\n  a\n   b\n c\n  ```\n\n    ```python\n    no\n    ```\n", ["a\n b\nc"]),
    "windows": ("---\r\ntags: [a]\r\n---\r\n\r\n```python\r\nx\r\n\r\ny\r\n```\r\n", ["x\n\ny"]),
    "front matter": ("---\nabout: |\n  ```python\n  no\n---\n```python\nyes\n```\n", ["yes"]),
    "a rule is no front matter": ("---\n```python\nyes\n```\n", ["yes"]),
    "byte order mark": ("\ufeff```python\nx\n```\n", ["x"]),
    "mark and front matter": ("\ufeff---\na: b\n---\n```python\nx\n```", ["x"]),
    "open at the end": ("```python\nx\n```\n\n```python\ny\n\n", ["x", "y\n"]),
    "open in a list": ("- ```python\n  x\n\nprose\n\n```python\ny\n```", ["x\n", "y"]),
    "empty": ("```python\n```\n```python\n\n```\n```python", ["", "", ""]),
    "html": ("<pre>\n```python\nno\n```\n</pre>\n\n<!--\n```python\nno\n```\n-->\n\n```python\nyes\n```", ["yes"]),
    "trailing blanks": ("```python  \nx  \n\t\n   \n```   \n \n", ["x  \n\t\n   "]),
    "Chinese": ("# 笔记\n\n```python 标题=“一”\nprint('注意力 \u2028 🐱')\n```\n完", ["print('注意力 \u2028 🐱')"]),
}
FRAGMENTS = (
    ["```python", "```py", "~~~python", '````Python title="a"', "```", "~~~", "````", "- ", "1. ", "10) ", "> ", "  "]
    + ["    ", "\t", "text", "x = 1", "", "---", "<div>", "</div>", "# h", "```js", "print('```')", "$$", "|a|b|", "* "]
    + ["\u2028", "<!--", "-->", "  ```python", "   ~~~~ python3 {x}", "\ufeff"]
)


def note(text, name="note.md"):
    return {"name": name, "mimeType": "text/markdown", "buffer": text if isinstance(text, bytes) else text.encode()}


def open_notes(page, *files):
    page.on("filechooser", lambda chooser: None)  # the browser is slow to begin to hand choosers over
    with page.expect_file_chooser() as chooser:
        page.click("[data-action=open-note]")
    chooser.value.set_files(list(files))


def arrived(page, *files):
    """Opens them, waits for their cells, returns the cells' ids."""
    before = ids(page)
    open_notes(page, *files)
    page.locator(".note-arrived").nth(len(files) - 1).wait_for()
    return [name for name in ids(page) if name not in before]


def exported(page, choice=None):
    with page.expect_download() as download:
        page.click("[data-action=export]")
        if choice:
            page.get_by_role("button", name=choice).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def write(page, name, text):
    """Puts a text in the place of a cell's."""
    cell(page, name).locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


@pytest.fixture(scope="module")
def notes(browser, server):
    """The two modules alone: split(text), join(note, cells)."""
    page = browser.new_page()
    page.goto(server + "web/style.css")
    page.evaluate(
        """async () => {
          const load = (name) => import(`${location.origin}/web/core/cells/${name}.js`);
          Object.assign(window, await load("markdown-note"), await load("markdown-join"));
          window.sources = async (text) => (await splitNote(text)).blocks.map(({ source }) => source);
          window.whole = ({ blocks }) => blocks.map(({ source }, block) => ({ source, block }));
        }"""
    )
    yield page
    page.close()


# ---- taken apart and put together ----


@pytest.mark.parametrize("name", SAMPLES)
def test_the_blocks_of_a_note(notes, name):
    text, sources = SAMPLES[name]
    assert notes.evaluate("sources", text) == sources


@pytest.mark.parametrize("name", SAMPLES)
def test_untouched_it_comes_back_to_the_letter(notes, name):
    text, _ = SAMPLES[name]
    assert (
        notes.evaluate(
            "async (text) => { const note = await splitNote(text); return joinNote(note, whole(note)); }", text
        )
        == text
    )


def nasty_notes(count):
    dice = random.Random(4)
    for _ in range(count):
        lines = ["".join(dice.choices(FRAGMENTS, k=dice.randint(1, 3))) for _ in range(dice.randint(1, 14))]
        yield "".join(line + dice.choice(["\n", "\n", "\n", "\n\n", ""]) for line in lines)


def changed(dice, count):
    """What a reader may make of a note's cells: edits, deletions, cells put between, another order."""
    texts = ["a", "a\n\nb", "```", "````\n~~~~", "  indented", "", "\n", "- ```python", "x\n```\n", "> q", "\tt"]
    cells = [
        {"block": block} | ({"source": dice.choice(texts)} if dice.random() < 0.4 else {}) for block in range(count)
    ]
    cells = [one for one in cells if dice.random() < 0.8] or cells[:1]
    for _ in range(dice.randint(0, 2)):
        cells.insert(dice.randint(0, len(cells)), {"source": dice.choice(texts)})
    if dice.random() < 0.3:
        dice.shuffle(cells)
    return cells


def test_any_text_comes_back_and_any_edit_is_read_back(notes):
    dice = random.Random(44)
    texts = [text for text, _ in SAMPLES.values()] + list(nasty_notes(1500))
    counts = notes.evaluate(
        "async (texts) => Promise.all(texts.map(async (text) => (await sources(text)).length))", texts
    )
    cases = [[text, changed(dice, count)] for text, count in zip(texts, counts, strict=True) if count]
    assert len(cases) > 200
    told = notes.evaluate(
        """(cases) => Promise.all(cases.map(async ([text, cells]) => {
          const note = await splitNote(text);
          const edited = cells.map((cell) => ({ source: note.blocks[cell.block]?.source, ...cell }));
          const written = joinNote(note, edited);
          return [joinNote(note, whole(note)), edited.map(({ source }) => source), await sources(written), written];
        }))""",
        cases,
    )
    for (text, cells), (same, wanted, got, written) in zip(cases, told, strict=True):
        assert same == text
        assert got == wanted, (text, cells, written)


def test_an_edit_changes_its_block_alone(notes):
    text, _ = SAMPLES["lists"]
    written = notes.evaluate(
        """async (text) => {
          const note = await splitNote(text);
          return joinNote(note, whole(note).map((cell) => (cell.block === 0 ? { ...cell, source: "new\\n\\n```" } : cell)));
        }""",
        text,
    )
    old = "   ```python\n   if x:\n       y\n\n   z\n   ```\n"
    assert written == text.replace(old, "   ````python\n   new\n\n   ```\n   ````\n")


# ---- on the page ----


def test_its_blocks_become_cells_below_the_others_and_run(open_cells):
    page = open_cells()
    mine = add(page, "mine")
    text, sources = "# A\n\n```python\nprint one\n```\nthen\n```py\nprint two\n```\n", ["print one", "print two"]
    new = arrived(page, note(text, "a.md"))
    assert ids(page) == [*OPENING, mine, *new] and [code(page, name) for name in new] == sources
    assert "a.md: 2" in page.locator(".note-arrived").text_content()
    assert page.evaluate("document.activeElement.textContent") == "Undo"
    cell(page, new[1]).get_by_role("button", name="Run").click()
    wait(page, new[1], "done")
    assert cell(page, new[1]).locator("[data-output=text]").text_content() == "two\n"


def test_one_undo_takes_them_away_again_and_nothing_else(open_cells):
    page = open_cells()
    mine = add(page, "mine")
    new = arrived(page, note(SAMPLES["plain"][0]))
    last = add(page, "after")
    page.locator(".note-arrived").get_by_role("button", name="Undo").click()
    assert ids(page) == [*OPENING, mine, last] and new[0] not in ids(page)
    assert code(page, mine) == "mine" and page.locator(".note-arrived").count() == 0


def test_undo_leaves_a_cell_that_was_edited(open_cells):
    page = open_cells()
    new = arrived(page, note(SAMPLES["plain"][0]))
    write(page, new[1], "my work")
    page.locator(".note-arrived").get_by_role("button", name="Undo").click()
    assert ids(page) == [*OPENING, new[1]] and code(page, new[1]) == "my work"
    assert "edited stay: 1" in page.locator(".cells-told").text_content()


def drag(page, files, kind, y=300):
    """What the browser does while files are dragged over its window."""
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(file) for file in files], "dragOperationsMask": 1}
    session.send("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": y, "data": data})


def test_files_are_dropped_anywhere_on_the_page(open_cells, tmp_path):
    page = open_cells()
    files = [tmp_path / "one.md", tmp_path / "two.md"]
    for file in files:
        file.write_text(f"```python\n{file.stem}\n```\n", "utf-8")
    before = [code(page, name) for name in OPENING]
    hint = page.locator(".drop-hint")
    assert hint.is_hidden()
    cell(page, "attention").scroll_into_view_if_needed()  # its editor would take the file's text in
    drag(page, files, "dragEnter")
    drag(page, files, "dragOver")
    assert hint.is_visible() and "Drop the note" in hint.text_content()
    drag(page, files, "drop")
    page.locator(".note-arrived").nth(1).wait_for()
    assert hint.is_hidden()
    assert [code(page, name) for name in ids(page)] == [*before, "one", "two"]


def test_the_hint_goes_when_the_file_leaves(open_cells, tmp_path):
    page = open_cells()
    (tmp_path / "one.md").write_text("x", "utf-8")
    drag(page, [tmp_path / "one.md"], "dragEnter")
    drag(page, [tmp_path / "one.md"], "dragOver")
    assert page.locator(".drop-hint").is_visible()
    drag(page, [tmp_path / "one.md"], "dragOver", y=500)
    assert page.locator(".drop-hint").is_visible()
    drag(page, [tmp_path / "one.md"], "dragOver", y=-5)
    page.locator(".drop-hint").wait_for(state="hidden")


REFUSED = {
    "binary": (note(b"\x89PNG\r\n\x1a\n\x00\xff", "cat.png"), ["cat.png", "UTF-8"]),
    "large": (note(b"x" * 2_100_000, "big.md"), ["big.md", "2.1 MB", "2 MB"]),
    "no_python": (note("# prose\n\n```js\n1\n```\n", "prose.md"), ["prose.md", "```python"]),
    "many": (note("```python\n1\n```\n" * 101, "many.md"), ["many.md", "101", "100"]),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_no_note_is_said_beside_the_control_and_the_others_open(open_cells, why):
    page = open_cells()
    file, words = REFUSED[why]
    open_notes(page, file, note("```python\nfine\n```\n"))
    page.locator(".note-arrived").wait_for()
    said = page.locator(f".cells-told [data-refused={why}]").text_content()
    assert all(word in said for word in words)
    assert [code(page, name) for name in ids(page)[3:]] == ["fine"]


@pytest.mark.allow_errors
def test_a_reader_of_notes_that_does_not_come_is_said(open_cells):
    page = open_cells()
    page.route("**/vendor/markdown-it.js", lambda route: route.abort())
    open_notes(page, note(SAMPLES["plain"][0]))
    page.locator("[data-refused=no_reader]").wait_for()
    assert ids(page) == OPENING


def test_the_reader_of_notes_is_fetched_when_a_note_comes(open_cells):
    page = open_cells()
    fetched = "() => performance.getEntriesByType('resource').some(({ name }) => name.includes('markdown-it'))"
    assert not page.evaluate(fetched)
    arrived(page, note(SAMPLES["plain"][0]))
    assert page.evaluate(fetched)


@pytest.mark.parametrize("name", ["windows", "lists", "byte order mark", "open at the end", "Chinese"])
def test_opened_kept_over_a_reload_and_exported_it_is_the_same_file(open_cells, name):
    page = open_cells()
    data = SAMPLES[name][0].encode()
    arrived(page, note(data, "my note.md"))
    page.evaluate("() => { dispatchEvent(new Event('pagehide')); root.replaceChildren(); }")
    mount_cells(page)
    assert exported(page, "my note.md") == ("my note.md", data)


def test_an_edited_cell_and_one_put_between_are_exported_in_place(open_cells):
    page = open_cells()
    only(page)
    first, _ = arrived(page, note(SAMPLES["plain"][0], "a.md"))
    write(page, first, "x = 2")
    cell(page, first).get_by_label("Insert a cell below").click()
    page.keyboard.insert_text("y = 3")
    name, data = exported(page)  # one file only: nothing is asked
    assert name == "a.md" and data.decode() == (
        "# Note\n\n```python\nx = 2\n```\n\n```python\ny = 3\n```\n\nand\n\n```python\nprint(x)\n```\nend"
    )


def test_cells_of_no_note_are_a_file_of_their_own(open_cells, notes):
    page = open_cells()
    only(page, "a = '````'", "b")
    arrived(page, note(SAMPLES["plain"][0], "a.md"))
    name, data = exported(page, "seeformer-cells.md (2)")
    assert name == "seeformer-cells.md" and data.decode() == "`````python\na = '````'\n`````\n\n```python\nb\n```\n"
    assert notes.evaluate("sources", data.decode()) == ["a = '````'", "b"]


def test_nothing_to_export_is_said(open_cells):
    page = open_cells()
    only(page)
    page.click("[data-action=export]")
    page.get_by_text("no cells to export").wait_for()


def test_a_note_whose_cells_are_gone_is_not_kept(open_cells):
    page = open_cells()
    arrived(page, note(SAMPLES["plain"][0]))
    page.locator(".note-arrived").get_by_role("button", name="Undo").click()
    page.evaluate("() => dispatchEvent(new Event('pagehide'))")
    assert json.loads(page.evaluate("localStorage.getItem('seeformer:cells')"))["notes"] == {}


def test_a_damaged_note_in_storage_costs_its_prose_and_not_the_cells(open_cells):
    page = open_cells()
    kept = {
        "cells": [{"id": "cell-1", "source": "x", "note": "note-1", "block": 0}],
        "notes": {"note-1": {"name": "a.md"}},
    }
    page.evaluate(
        """(kept) => {
             root.replaceChildren();
             localStorage.setItem("seeformer:cells", JSON.stringify(kept));
             Storage.prototype.setItem = () => {}; // the cells that were there may be about to write
           }""",
        kept,
    )
    mount_cells(page)
    assert ids(page) == ["cell-1"]
    assert exported(page) == ("seeformer-cells.md", b"```python\nx\n```\n")


# ---- for everyone ----


def test_by_keyboard_alone(open_cells):
    page = open_cells()
    page.on("filechooser", lambda chooser: None)  # from here on the browser hands choosers over: it is slow to begin
    page.locator("[data-action=add]").focus()
    page.keyboard.press("Tab")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files([note(SAMPLES["plain"][0], "a.md")])
    page.locator(".note-arrived").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # Dismiss: on to the first new cell
    assert page.evaluate("document.activeElement.closest('[data-cell]').dataset.cell") == "cell-1"
    page.locator("[data-action=open-note]").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.action") == "export"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename == "a.md"


@pytest.mark.parametrize(
    ("locale", "theme", "width"),
    [("zh-CN", "light", 360), ("zh-CN", "dark", 1280), ("en-GB", "dark", 360), ("en-GB", "light", 1280)],
)
def test_axe_finds_nothing_serious_and_nothing_overflows(open_cells, tmp_path, locale, theme, width):
    page = open_cells(locale=locale, theme=theme, width=width)
    long = "a-note-with-a-name-that-has-no-place-to-break-and-goes-on-and-on-for-ever.md"
    open_notes(page, note(b"\xff", long), note(SAMPLES["plain"][0], long))
    page.locator(".note-arrived").wait_for()
    assert serious(page) == []
    page.click("[data-action=export]")
    (tmp_path / "one.md").write_text("x", "utf-8")
    drag(page, [tmp_path / "one.md"], "dragEnter")
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
