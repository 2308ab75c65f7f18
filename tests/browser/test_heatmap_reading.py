"""Reading a heatmap: mouse, touch, keys, highlights from elsewhere, and without seeing it."""

import pytest
from support.axe import SOURCE as AXE
from support.heatmaps import heatmap_page

ROWS = [[0.1, 0.2, 0.7], [0.3, 0.6, 0.1]]
LABELS = {"rows": ["我", "爱"], "cols": ["x", "y", "z"]}
OPTIONS = {
    "name": "weights",
    "index": 1,
    "kind": "weights",
    "rowAxis": "heatmap.query",
    "colAxis": "heatmap.key",
    "cell": 30,
}


@pytest.fixture
def heatmaps(open_page, server):
    def open_one(rows=ROWS, labels=LABELS, options=None, **page_options):
        page = heatmap_page(open_page(lent=True, **page_options), server)
        page.evaluate("(a) => show(...a)", [{**OPTIONS, **(options or {})}, rows, labels])
        return page

    return open_one


def readings(page):
    return page.evaluate(
        "hovered.map((cell) => cell && [cell.name, cell.index, cell.row, cell.col, Math.round(cell.value * 1e6) / 1e6, cell.source])"
    )


def test_the_mouse_reports_each_cell_once(heatmaps):
    page = heatmaps()
    box = page.locator("[data-heatmap]").bounding_box()
    for x, y in ((75, 10), (80, 12), (85, 15), (40, 45), (-30, 45)):
        page.mouse.move(box["x"] + x, box["y"] + y)
    assert readings(page) == [
        ["weights", 1, 0, 2, 0.7, "pointer"],
        ["weights", 1, 1, 1, 0.6, "pointer"],
        None,
    ]


def test_the_current_cell_is_read_out_and_its_labels_lit(heatmaps):
    page = heatmaps()
    page.locator("[data-heatmap]").hover(position={"x": 75, "y": 10})
    page.evaluate("frame()")
    assert page.locator(".heatmap-readout p").inner_text() == "我 → z 0.7"
    assert page.locator(".on:visible").all_inner_texts() == ["z", "我"]


def test_keys_walk_the_cells(heatmaps):
    page = heatmaps()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.heatmap") == "weights"
    keys = "ArrowDown ArrowDown ArrowDown ArrowRight End ArrowUp Home PageDown Control+End Control+Home Escape"
    walk = [(0, 0), (1, 0), (1, 1), (1, 2), (0, 2), (0, 0), (1, 0), (1, 2), (0, 0)]  # the third key meets the last row
    for key in keys.split():
        page.keyboard.press(key)
    seen = page.evaluate("hovered.map((cell) => cell && [cell.row, cell.col])")
    assert seen == [*map(list, walk), None]
    assert set(page.evaluate("hovered.filter(Boolean).map((cell) => cell.source)")) == {"keyboard"}


def test_keys_are_announced_where_they_stop_and_the_mouse_is_not(heatmaps):
    page = heatmaps(rows=[["-Infinity", 0.25, 0.75], [0, 0, 0]], locale="en-GB")
    live = page.locator(".heatmap-readout [role=status]")
    page.locator("[data-heatmap]").hover(position={"x": 75, "y": 10})
    page.wait_for_timeout(300)
    assert live.inner_text() == ""
    page.mouse.move(0, 0)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.heatmap-readout [role=status]').textContent !== ''")
    assert live.inner_text() == "row 我, column y: 0.25"
    page.keyboard.press("Home")
    page.wait_for_function(
        "() => document.querySelector('.heatmap-readout [role=status]').textContent.endsWith('hidden')"
    )


def test_leaving_with_the_keyboard_clears(heatmaps):
    page = heatmaps()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    assert readings(page)[-1] is None and len(readings(page)) == 2


def test_a_tap_stays_until_a_tap_elsewhere(heatmaps):
    page = heatmaps(has_touch=True)
    box = page.locator("[data-heatmap]").bounding_box()
    page.touchscreen.tap(box["x"] + 45, box["y"] + 45)
    assert readings(page) == [["weights", 1, 1, 1, 0.6, "pointer"]]
    page.touchscreen.tap(5, 5)
    assert readings(page)[-1] is None


def test_a_finger_dragged_sideways_reads_on(heatmaps):
    page = heatmaps(has_touch=True)
    box = page.locator("[data-heatmap]").bounding_box()
    session = page.context.new_cdp_session(page)

    def touch(kind, *across):
        points = [{"x": box["x"] + x, "y": box["y"] + 10} for x in across]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 10)
    for x in (25, 40, 55, 75):
        touch("touchMove", x)
    touch("touchEnd")
    assert [cell[3] for cell in readings(page)] == [0, 1, 2]


def test_a_highlight_from_outside_is_drawn_and_fires_nothing(heatmaps):
    page = heatmaps()
    before = page.evaluate("pixel(0, 15, 15)")
    page.evaluate("(maps[0].highlight({ row: 1, col: 0, cells: [[0, 2]] }), frame())")
    layer = (
        "(at) => maps[0].element.querySelector('.heatmap-emphasis').getContext('2d').getImageData(...at, 1, 1).data[3]"
    )
    assert page.evaluate(layer, [45, 30]) == 255, "the row's outline"
    assert page.evaluate(layer, [0, 15]) == 255, "the column's outline"
    assert page.evaluate(layer, [75, 0]) == 255, "the cell's outline"
    assert page.evaluate(layer, [45, 15]) == 0, "and nothing over other cells"
    assert page.evaluate("pixel(0, 15, 15)") == before, "the data keep their colours"
    assert page.locator(".on:visible").all_inner_texts() == ["x", "爱"]
    assert page.locator(".heatmap-readout p").inner_text() == "爱 → x 0.3"
    page.evaluate("(maps[0].highlight(null), frame())")
    assert page.evaluate(layer, [45, 30]) == 0
    assert readings(page) == []


def test_a_label_that_was_thinned_out_shows_while_its_cell_is_current(heatmaps):
    n = 60
    labels = {"rows": [f"r{i}" for i in range(n)], "cols": [f"c{i}" for i in range(n)]}
    page = heatmaps(rows=[[0] * n] * n, labels=labels, options={"cell": 5})
    assert page.locator(".heatmap-rows span:visible").count() < n
    page.evaluate("(maps[0].highlight({ row: 1, col: 2 }), frame())")
    assert page.locator(".on:visible").all_inner_texts() == ["c2", "r1"]


def test_a_smaller_grid_ends_a_reading_outside_of_it(heatmaps):
    page = heatmaps()
    page.keyboard.press("Tab")
    page.keyboard.press("Control+End")
    page.keyboard.press("Control+End")
    page.evaluate("(maps[0].update(grid([[1]])), frame())")
    assert readings(page)[-1] is None


def test_the_table_twin_holds_every_value_with_its_headers(heatmaps):
    page = heatmaps(rows=[["-Infinity", 0.25, 0.75], ["NaN", 0, "Infinity"]], locale="en-GB")
    page.wait_for_selector("table", state="attached")
    cells = page.evaluate(
        "[...document.querySelectorAll('tr')].map((line) => [...line.cells].map((cell) => cell.textContent))"
    )
    assert cells == [["", "x", "y", "z"], ["我", "hidden", "0.25", "0.75"], ["爱", "not a number", "0", "infinity"]]
    assert page.evaluate("[...document.querySelectorAll('th')].map((cell) => cell.scope)") == ["col"] * 3 + ["row"] * 2
    assert page.evaluate("document.querySelector('caption').textContent") == "weights 2"
    page.evaluate("maps[0].update(grid([[0.5, 0.5, 0], [1, 0, 0]]))")
    page.wait_for_function("() => document.querySelector('td + td, tbody td').textContent === '0.5'")


def test_the_table_twin_waits_until_the_values_rest_and_the_page_is_idle_and_then_holds_the_newest_values(heatmaps):
    page = heatmaps()
    page.wait_for_selector("table", state="attached")
    texts = page.evaluate("""async () => {
      const turns = [];
      window.requestIdleCallback = (turn) => turns.push(turn);
      const first = () => maps[0].element.querySelector("tbody td").textContent;
      const seen = [];
      for (const value of [0.25, 0.5]) {
        maps[0].update(grid([[value, 0, 0], [0, 0, 0]]));
        await frame();
        seen.push(first());
      }
      await new Promise((rest) => setTimeout(rest, 400));
      seen.push(first());
      turns.forEach((turn) => turn({ timeRemaining: () => 50 }));
      return [...seen, first(), turns.length];
    }""")
    assert texts == ["0.1", "0.1", "0.1", "0.5", 1]


def test_a_large_grid_is_summed_up(heatmaps):
    rows = [["-Infinity" if c > r else r - c for c in range(33)] for r in range(33)]
    page = heatmaps(rows=rows, labels={}, options={"kind": "signed"}, locale="en-GB")
    page.wait_for_selector(".sr-only p", state="attached")
    words = page.locator("figure > .sr-only").text_content()
    assert words == "weights 2: 33 rows, 33 columns. Minimum 0, maximum 32. Hidden cells: 528."
    assert page.locator("table").count() == 0


def test_modes_can_be_chosen_and_set(heatmaps):
    page = heatmaps()
    select = page.get_by_role("combobox")
    select.select_option("log")
    page.evaluate("frame()")
    assert page.locator("figure").get_attribute("data-mode") == "log"
    page.evaluate("(maps[0].setMode('row'), frame())")
    assert select.input_value() == "row" and page.locator("figure").get_attribute("data-mode") == "row"


def test_destroy_leaves_nothing_behind(heatmaps):
    page = heatmaps()
    page.evaluate("(maps[0].highlight({ row: 0 }), maps[0].destroy(), frame())")
    assert page.locator("figure").count() == 0


@pytest.mark.parametrize("locale", ["zh-CN", "en-GB"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(heatmaps, locale, theme):
    page = heatmaps(rows=[["-Infinity", 0.25, 0.75], ["NaN", 0, "Infinity"]], locale=locale, theme=theme)
    page.evaluate("(maps[0].highlight({ row: 1, col: 0 }), frame())")
    page.wait_for_selector("table", state="attached")
    page.evaluate(AXE)
    found = page.evaluate(
        "axe.run('figure').then((result) => result.violations.map((one) => [one.id, one.nodes.map((node) => node.html)]))"
    )
    assert found == []
