"""Code cells as a list: order, deleting, keeping, and that everyone can use them."""

import json

import pytest
from support.axe import serious
from support.cells import add, cell, code, ids, only, wait
from support.modules import blank_page, mount_cells


def test_cells_are_added_where_asked_moved_and_brought_back(open_cells):
    page = open_cells()
    assert ids(page) == ["attention", "positional", "mask"]
    cell(page, "attention").get_by_label("Insert a cell above").click()
    cell(page, "attention").get_by_label("Insert a cell below").click()
    assert ids(page) == ["cell-1", "attention", "cell-2", "positional", "mask"]
    cell(page, "mask").get_by_label("Move up").click()
    cell(page, "cell-1").get_by_label("Move down").click()
    assert ids(page) == ["attention", "cell-1", "cell-2", "mask", "positional"]
    assert cell(page, "attention").get_by_label("Move up").is_disabled()
    assert page.get_by_role("article", name="Cell 4").get_attribute("data-cell") == "mask"


def test_a_deleted_cell_comes_back_whole(open_cells):
    page = open_cells()
    name = add(page, "print hello", run=True)
    wait(page, name, "done")
    page.keyboard.insert_text("!")
    cell(page, name).get_by_label("Delete cell").click()
    assert name not in ids(page)
    page.keyboard.press("Enter")  # Undo has the focus
    assert ids(page)[-1] == name
    assert code(page, name) == "print hello!"
    assert cell(page, name).locator("[data-output=text]").text_content() == "hello\n"
    page.keyboard.press("Control+z")  # its editor has the focus, and still knows its history
    assert code(page, name) == ""
    page.keyboard.press("Control+y")
    assert code(page, name) == "print hello!"


def test_undo_puts_a_cell_back_between_its_neighbours_in_the_language_of_now(open_cells):
    page = open_cells()
    cell(page, "positional").get_by_label("Delete cell").click()
    page.evaluate("async () => (await load('core/text.js')).setLanguage('zh')")
    page.get_by_role("button", name="撤销").click()
    assert ids(page) == ["attention", "positional", "mask"]
    assert cell(page, "positional").get_by_label("删除单元").count() == 1
    assert "位置编码" in code(page, "positional")


def test_opening_cells_come_back_beside_what_the_reader_wrote(open_cells):
    page = open_cells()
    cell(page, "mask").get_by_label("Delete cell").click()
    page.get_by_role("button", name="Dismiss").click()
    cell(page, "attention").locator(".cm-content").click()
    page.keyboard.insert_text("mine")
    page.get_by_role("button", name="Bring back the opening cells").click()
    assert ids(page) == ["cell-1", "mask", "attention", "positional"]
    assert "mine" in code(page, "attention") and "mine" not in code(page, "cell-1")
    assert "Multi-head attention" in code(page, "cell-1")


def test_opening_cells_follow_the_language_until_they_are_edited(open_cells):
    page = open_cells()
    cell(page, "mask").locator(".cm-content").click()
    page.keyboard.insert_text("mine")
    page.evaluate("async () => (await load('core/text.js')).setLanguage('zh')")
    assert "多头注意力" in code(page, "attention")
    assert "Causal mask" in code(page, "mask")


# ---- kept across a reload ----


def again(page):
    """Leaves the page, as a reload does, and mounts the cells anew."""
    page.evaluate("() => { dispatchEvent(new Event('pagehide')); root.replaceChildren(); }")
    mount_cells(page)


def test_cells_survive_a_reload(open_cells):
    page = open_cells()
    add(page, "x = '一'")
    cell(page, "positional").get_by_label("Delete cell").click()
    cell(page, "mask").get_by_label("Move up").click()
    again(page)
    assert ids(page) == ["mask", "attention", "cell-1"]
    assert code(page, "cell-1") == "x = '一'"
    assert "Causal mask" in code(page, "mask")


def test_storage_that_refuses_costs_the_reload_and_says_so(open_page, server):
    page = blank_page(open_page(locale="en-GB"), server)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('refused'); }; }")
    mount_cells(page)
    add(page, "print works", run=True)
    wait(page, "cell-1", "done")
    page.get_by_text("cells you changed will be lost on reload").wait_for()


def test_what_others_left_in_storage_is_not_trusted(open_page, server):
    page = blank_page(open_page(locale="en-GB"), server)
    page.evaluate("localStorage.setItem('seeformer:cells', JSON.stringify({cells: [{id: 3}, 'x']}))")
    mount_cells(page)
    assert ids(page) == ["attention", "positional", "mask"]


# ---- for everyone ----


@pytest.mark.parametrize(
    ("locale", "theme", "width"),
    [("zh-CN", "light", 360), ("zh-CN", "dark", 1280), ("en-GB", "dark", 360), ("en-GB", "light", 1280)],
)
def test_axe_finds_nothing_serious_and_nothing_overflows(open_cells, locale, theme, width):
    page = open_cells(locale=locale, theme=theme, width=width)
    lines = {"kind": "text", "stream": "stdout", "text": "a line\n" * 200}
    output = [lines, lines | {"stream": "stderr"}, {"kind": "array", "data": [0.5, 1], "shape": [1, 2]}]
    for source, state in ((f"show {json.dumps(output)}", "done"), ("fail\nhere", "error"), ("loop", "running")):
        wait(page, add(page, source, run=True), state)
    cell(page, "mask").locator("[data-action=delete]").click()
    page.click("[data-action=reset]")
    page.evaluate("engine.emit('restart')")
    assert serious(page, "main") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_action_can_be_reached_by_keyboard(open_cells):
    page = open_cells()
    only(page, "print a")
    page.evaluate("document.activeElement.blur()")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.dataset?.action ?? document.activeElement.className"))
    actions = {"run-all", "clear-all", "reset", "bring-back", "add", "above", "below", "clear", "delete"}
    assert actions <= reached
    assert any("cell-run" in name for name in reached) and any("cm-content" in name for name in reached)
