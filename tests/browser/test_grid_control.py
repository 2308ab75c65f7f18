"""The control that is painted on: pointer, finger, keys, labels, a shape that follows other parameters."""

import pytest
from support.axe import serious
from support.modules import blank_page

from sitebuild.labs import text

SCRIPT = """async () => {
  const { createControls } = await load("core/lab/controls.js");
  const definitions = [{ name: "drawn", kind: "grid", rows: ({ tokens }) => tokens }];
  const holder = document.createElement("div");
  holder.className = "controls";
  root.append(holder);
  window.changes = [];
  window.params = { tokens: ["我", "爱", "猫"], drawn: [] };
  window.controls = createControls(holder, definitions, { lab: "lab", onChange(patch) {
    changes.push(patch.drawn);
    set(patch);
  } });
  window.set = (patch) => controls.set(Object.assign(params, patch));
  set({});
}"""


def grid_page(page, server):
    page.route("**/web/text/*.json", with_a_label)
    blank_page(page, server).evaluate(SCRIPT)
    return page


def with_a_label(route):
    """The site's words and a made-up lab's."""
    words = text(route.request.url.rsplit("/", 1)[1].removesuffix(".json"))
    words["labs"]["lab"] = {"controls": {"drawn": {"label": "drawn"}}}
    route.fulfill(json=words)


@pytest.fixture
def page(open_page, server):
    return grid_page(open_page(lent=True, locale="zh-CN"), server)


def cell(page, row, col):
    return page.locator(f"#lab-drawn [data-row='{row}'][data-col='{col}']")


def drawing(page):
    return page.evaluate("params.drawn")


def middle(page, row, col):
    box = cell(page, row, col).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_press_turns_a_cell_over_and_back(page):
    cell(page, 0, 2).click()
    assert drawing(page) == ["110", "111", "111"]
    assert cell(page, 0, 2).get_attribute("data-state") == "hidden"
    cell(page, 0, 2).click()
    assert drawing(page) == []
    assert cell(page, 0, 2).get_attribute("data-state") == "visible"


def test_a_drag_gives_its_first_state_to_all_on_the_way(page):
    cell(page, 1, 1).click()
    page.mouse.move(*middle(page, 0, 0))
    page.mouse.down()
    page.mouse.move(*middle(page, 2, 2))  # one event, three cells: the middle one stays hidden
    page.mouse.move(*middle(page, 2, 0))
    page.mouse.up()
    page.mouse.move(*middle(page, 0, 2))
    assert drawing(page) == ["011", "101", "000"]
    page.mouse.move(*middle(page, 2, 0))
    page.mouse.down()
    page.mouse.move(*middle(page, 0, 0), steps=5)
    page.mouse.up()
    assert drawing(page) == ["111", "101", "100"]


def test_rows_are_queries_and_columns_keys(page):
    cell(page, 0, 2).click()
    upper, lower = cell(page, 0, 2).bounding_box(), cell(page, 2, 0).bounding_box()
    assert upper["y"] < lower["y"] and upper["x"] > lower["x"]
    assert drawing(page)[0] == "110"
    assert page.locator(".control.grid .axis").all_text_contents() == ["键 key →", "查询 query →"]
    assert page.locator("[role=columnheader]").all_text_contents() == ["我", "爱", "猫"]
    assert page.locator("[role=rowheader]").all_text_contents() == ["我", "爱", "猫"]
    assert cell(page, 0, 2).get_attribute("aria-label") == "行 1 我，列 3 猫：遮住"


def test_keys_walk_turn_over_and_paint(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.row + document.activeElement.dataset.col") == "00"
    for key in ("ArrowRight", "Space", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown"):
        page.keyboard.press(key)
    assert drawing(page) == ["101", "101", "101"]
    assert page.locator("[role=status]").text_content() == "行 3 猫，列 2 爱：遮住"
    for key in ("ArrowUp", "Enter", "Shift+ArrowUp", "End", "Enter"):
        page.keyboard.press(key)
    assert drawing(page) == ["110", "111", "101"]


def test_one_tab_stop(page):
    cell(page, 1, 1).click()
    assert page.locator("#lab-drawn [tabindex='0']").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.grid") == "clear"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.dataset.row") == "1"


def test_show_all_and_invert(page):
    cell(page, 0, 1).click()
    page.get_by_role("button", name="反转").click()
    assert drawing(page) == ["010", "000", "000"]
    page.get_by_role("button", name="全部可见").click()
    assert drawing(page) == []


def test_the_drawing_is_kept_where_a_new_shape_overlaps_it(page):
    cell(page, 0, 1).click()
    cell(page, 2, 2).click()
    page.evaluate("set({ tokens: ['a', 'b', 'c', 'd'] })")
    assert page.locator("[role=gridcell]").count() == 16
    hidden = page.locator("[data-state=hidden]").evaluate_all(
        "cells => cells.map(({dataset}) => dataset.row + dataset.col)"
    )
    assert hidden == ["01", "22"]
    cell(page, 3, 0).click()
    assert drawing(page) == ["1011", "1111", "1101", "0111"]
    page.evaluate("set({ tokens: ['a', 'b'] })")
    cell(page, 1, 1).click()
    assert drawing(page) == ["10", "10"]


def test_a_grid_that_shrinks_keeps_its_tab_stop(page):
    cell(page, 2, 2).click()
    page.evaluate("set({ tokens: ['a'] })")
    assert page.locator("#lab-drawn [tabindex='0']").get_attribute("data-row") == "0"


def test_a_finger_paints_and_the_page_stays(open_page, server):
    page = grid_page(open_page(lent=True, locale="en-GB", width=360, has_touch=True, is_mobile=True), server)
    page.evaluate("document.body.style.height = '3000px'")
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        touches = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    touch("touchStart", middle(page, 0, 1))
    touch("touchMove", middle(page, 1, 1))
    touch("touchMove", middle(page, 2, 1))
    touch("touchEnd")
    assert drawing(page) == ["101", "101", "101"]
    assert page.evaluate("scrollY") == 0


def test_what_run_refused_stands_at_the_grid(page):
    assert page.evaluate("controls.setError('drawn=… is too large: use less')")
    assert page.locator("#lab-drawn-error").is_visible()
    assert page.locator("#lab-drawn").get_attribute("aria-invalid") == "true"


@pytest.mark.parametrize("tokens", [["我", "爱", "猫"], [f"word{i}" for i in range(32)]])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_small_screen_and_axe_has_nothing_serious(open_page, server, tokens, theme):
    page = grid_page(open_page(lent=True, locale="en-GB", width=360, theme=theme), server)
    page.evaluate("(tokens) => set({ tokens })", tokens)
    cell(page, 0, 2).click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert drawing(page)[0][:3] == "110"
    assert serious(page, "#root") == []


def test_the_words_follow_the_language(page):
    page.evaluate("async () => (await load('core/text.js')).setLanguage('en')")
    assert cell(page, 0, 1).get_attribute("aria-label") == "row 1 我, column 2 爱: visible"
    assert page.get_by_role("button", name="Invert").is_visible()
