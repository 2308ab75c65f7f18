"""Charts: drawn by Observable Plot in the page's colours, told in words and numbers, saved as files."""

import csv
import io
import xml.etree.ElementTree as ElementTree

import pytest
from support.axe import serious
from support.modules import blank_page

SVG = "{http://www.w3.org/2000/svg}"

# Two curves of three values; show() draws them and waits for the SVG.
SCRIPT = """async () => {
  const [{ chart }, { points }] = [await load("core/chart/chart.js"), await load("core/chart/points.js")];
  const values = (y) => ({ x: { data: Float32Array.from([0, 1, 2]), shape: [3] }, y: { data: Float32Array.from(y), shape: [2, 3] } });
  window.picture = chart(root, {
    name: "curves", array: "y", caption: ["heatmap.key"], height: 200,
    label: ({ y }) => `two curves up to ${Math.max(...y.data)}`,
    plot: ({ x, y }, Plot, ink, lit) => ({
      x: { label: "position" },
      marks: [
        Plot.lineY(points(y, { x, names: ["甲", "乙"] }), { x: "x", y: "y", z: "name", stroke: (d) => (d.name === "甲" ? ink.series[0] : ink.series[1]) }),
        lit && Plot.ruleX([lit.col]),
      ],
    }),
  });
  window.show = async (y) => {
    picture.update(values(y));
    await new Promise((done) => new MutationObserver((_, watcher) => (watcher.disconnect(), done())).observe(picture.element.querySelector(".chart-drawing"), { childList: true }));
  };
}"""


@pytest.fixture
def page(open_page, server):
    page = blank_page(open_page(lent=True, locale="en-GB", theme="dark"), server)
    page.evaluate(SCRIPT)
    page.evaluate("show([1, 2, 3, 4, 5, 6])")
    return page


def curves(page):
    return page.locator(".chart [data-mark=line] path").evaluate_all(
        "paths => paths.map((path) => path.getAttribute('d'))"
    )


def test_new_values_are_drawn(page):
    before = curves(page)
    assert len(before) == 2 and len(set(before)) == 2
    page.evaluate("show([1, 2, 3, 6, 5, 4])")
    assert curves(page)[0] == before[0] and curves(page)[1] != before[1]


def test_a_value_that_is_no_number_leaves_a_gap(page):
    page.evaluate("show([1, NaN, 3, 4, 5, 6])")
    assert curves(page)[0].count("M") == 2


def test_it_says_what_it_shows_and_has_its_numbers_as_a_table(page):
    assert page.get_by_role("img").get_attribute("aria-label") == "two curves up to 6"
    page.locator(".chart table").wait_for(state="attached")
    cells = page.locator(".chart tbody td").all_text_contents()
    assert cells == ["1", "2", "3", "4", "5", "6"]
    assert serious(page) == []


def test_what_the_board_lights_is_drawn_too(page):
    assert page.locator(".chart [data-mark=rule]").count() == 0
    page.evaluate("picture.highlight({ col: 1 })")
    page.locator(".chart [data-mark=rule] line").wait_for(state="attached")
    page.evaluate("picture.highlight(null)")
    page.locator(".chart [data-mark=rule] line").wait_for(state="detached")


def test_colours_follow_the_theme(page):
    stroke = "path => getComputedStyle(path).stroke"
    first = page.locator(".chart [data-mark=line] path").first
    dark = first.evaluate(stroke)
    page.emulate_media(color_scheme="light")
    assert first.evaluate(stroke) != dark


def test_it_stays_inside_a_small_screen(page):
    page.set_viewport_size({"width": 360, "height": 640})
    page.wait_for_function("() => document.querySelector('.chart svg').getBoundingClientRect().width <= 344")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_it_is_as_wide_as_it_asks_so_that_two_stand_beside_each_other(page):
    assert page.locator(".chart").bounding_box()["width"] == 560


def test_a_page_without_room_is_no_error(page):
    page.set_viewport_size({"width": 1, "height": 640})
    page.wait_for_function("() => document.querySelector('.chart svg').getAttribute('width') === '200'")


def test_saved_files(page):
    source, table = page.evaluate(
        """async () => {
          const [image, data] = [await load("core/heatmap/export-image.js"), await load("core/heatmap/export-data.js")];
          return [(await image.svg(picture.picture())).source, data.csv(picture.picture().grid)];
        }"""
    )
    assert [row[1:] for row in csv.reader(io.StringIO(table))][1:] == [["1", "2", "3"], ["4", "5", "6"]]
    root = ElementTree.fromstring(source)
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert "position →" in texts
    lines = [path for path in root.iter(f"{SVG}path") if "stroke: rgb(108, 178, 255)" in path.get("style", "")]
    assert lines, "colours are written out: an SVG file has no style sheet of ours"
    size = page.evaluate("async () => (await (await load('core/heatmap/export-image.js')).png(picture.picture())).size")
    assert size > 2000


def test_nothing_is_left_when_it_is_taken_away(page):
    page.evaluate("picture.destroy()")
    assert page.locator(".chart").count() == 0
