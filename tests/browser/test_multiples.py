"""Small multiples: every head of every layer on one canvas, painted where it is in sight."""

import base64
import io
import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from support.axe import serious
from support.heatmaps import decode
from support.modules import blank_page

# show(shape, more) puts multiples on the page; values are a ramp in each picture, so that no two look alike.
SCRIPT = """async () => {
  const { multiples } = await load("core/heatmap/multiples.js");
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  Object.assign(window, { frame, chosen: [], hovered: [] });
  window.stack = ([layers, heads, rows, cols]) => ({
    data: Float32Array.from({ length: layers * heads * rows * cols }, (_, at) => ((at * 7919) % 1000) / 1000), shape: [layers, heads, rows, cols],
  });
  window.show = async (shape, more = {}, options = {}) => {
    window.map = multiples(root, { name: "weights", onChoose: (head) => chosen.push(head), onHover: (cell) => hovered.push(cell), ...options });
    map.update({ ...stack(shape), ...more });
    await frame();
    await frame();
  };
  window.colours = (x, y, width, height) => {
    const data = map.element.querySelector("canvas").getContext("2d").getImageData(x, y, width, height).data;
    return new Set(new Uint32Array(data.buffer)).size;
  };
}"""


@pytest.fixture
def page(open_page, server):
    def opened(**options):
        page = blank_page(open_page(lent=True, **{"locale": "en-GB", **options}), server)
        page.evaluate(SCRIPT)
        return page

    return opened


def show(page, shape, more=None, options=None):
    page.evaluate("(a) => show(...a)", [shape, more or {}, options or {}])
    return page.locator("canvas[data-multiples=weights]")


def centre(page, layer, head):
    """Where a picture's middle is on the page."""
    box = page.locator("canvas[data-multiples]").bounding_box()
    x, y = page.evaluate(
        """async ([layer, head]) => {
             const { place, corner } = await load("core/heatmap/multiples-layout.js");
             const canvas = map.element.querySelector("canvas");
             const shape = map.element.dataset.shape?.split(",").map(Number) ?? window.asked;
             const placed = place({ shape, width: root.clientWidth, dpr: devicePixelRatio });
             const view = map.element.querySelector(".multiples-view");
             return corner(placed, layer, head).map((at, side) => (at + [placed.tile.width, placed.tile.height][side] / 2) / devicePixelRatio
               - [view.scrollLeft, view.scrollTop][side]);
           }""",
        [layer, head],
    )
    return box["x"] + x, box["y"] + y


def test_every_cell_of_every_picture_has_its_colour(page):
    page = page()
    show(page, [2, 3, 4, 4])
    told = page.evaluate(
        """async () => {
             const { place, corner } = await load("core/heatmap/multiples-layout.js");
             const { MAPS } = await load("core/heatmap/colormaps.js");
             const placed = place({ shape: [2, 3, 4, 4], width: root.clientWidth, dpr: devicePixelRatio });
             const context = map.element.querySelector("canvas").getContext("2d");
             const { data } = stack([2, 3, 4, 4]);
             const wrong = [];
             data.forEach((value, at) => {
               const [layer, head, row, col] = [Math.floor(at / 48), Math.floor(at / 16) % 3, Math.floor(at / 4) % 4, at % 4];
               const [x, y] = corner(placed, layer, head);
               const shown = context.getImageData(x + (col + 0.5) * placed.tile.pitch, y + (row + 0.5) * placed.tile.pitch, 1, 1).data;
               const expected = new Uint8ClampedArray(new Uint32Array([MAPS.weights[Math.round(value * 1024)]]).buffer);
               if (Math.max(...[0, 1, 2].map((c) => Math.abs(shown[c] - expected[c]))) > 2) wrong.push([layer, head, row, col]);
             });
             return wrong;
           }"""
    )
    assert told == []


def test_a_thousand_heads_are_painted_only_where_they_show(page):
    page = page(width=900)
    canvas = show(page, [64, 16, 48, 48])
    size = canvas.evaluate("canvas => [canvas.width, canvas.height]")
    whole = page.locator(".multiples-space").bounding_box()
    assert size[1] <= 460 and whole["height"] > 2000
    assert page.evaluate("colours(100, 100, 300, 300)") > 50
    page.evaluate("map.element.querySelector('.multiples-view').scrollTop = 1700")
    page.wait_for_function("() => colours(100, 100, 300, 300) > 50")
    box = canvas.bounding_box()
    assert box["y"] == pytest.approx(page.locator(".multiples-view").bounding_box()["y"], abs=1), (
        "it stays where it shows"
    )


def test_scrolling_through_a_thousand_heads_stays_smooth(page):
    page = page(width=900)
    show(page, [64, 16, 48, 48])
    longest = page.evaluate(
        """async () => {
             const view = map.element.querySelector(".multiples-view");
             let worst = 0;
             const watch = new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => (worst = Math.max(worst, duration))));
             watch.observe({ entryTypes: ["longtask"] });
             for (let step = 0; step < 30; step++) {
               view.scrollTop += 137;
               await new Promise(requestAnimationFrame);
             }
             await new Promise((done) => setTimeout(done, 100));
             watch.disconnect();
             return worst;
           }"""
    )
    assert longest < 200, "a frame paints for some 10 ms; the rest is room for a loaded machine"


def test_a_click_and_enter_choose_and_arrows_walk(page):
    page = page()
    page.evaluate("window.asked = [3, 4, 5, 5]")
    canvas = show(page, [3, 4, 5, 5])
    page.mouse.click(*centre(page, 1, 2))
    assert page.evaluate("chosen") == [{"layer": 1, "head": 2}]
    page.mouse.move(0, 0)
    canvas.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "End", "Enter"):
        canvas.press(key)
    assert page.evaluate("chosen.at(-1)") == {"layer": 0, "head": 3}
    walked = page.evaluate(
        "hovered.filter((cell) => cell?.source === 'keyboard').map(({layer, head}) => [layer, head])"
    )
    assert walked == [[0, 0], [1, 0], [1, 1], [1, 2], [0, 2], [0, 3]]
    assert page.locator(".multiples [role=status]").inner_text() == "layer 1, head 4"


def test_the_pointer_tells_the_cell_and_its_value(page):
    page = page()
    page.evaluate("window.asked = [3, 4, 5, 5]")
    show(page, [3, 4, 5, 5])
    page.mouse.move(*centre(page, 2, 1))
    told = page.evaluate("hovered.at(-1)")
    expected = page.evaluate("stack([3, 4, 5, 5]).data[((2 * 4 + 1) * 5 + 2) * 5 + 2]")
    assert (told["layer"], told["head"], told["row"], told["col"]) == (2, 1, 2, 2)
    assert told["value"] == pytest.approx(expected)
    page.mouse.move(0, 0)
    assert page.evaluate("hovered.at(-1)") is None


def test_the_keys_bring_a_picture_into_sight(page):
    page = page(width=500)
    canvas = show(page, [40, 4, 9, 9])
    canvas.focus()
    for _ in range(3):
        canvas.press("PageDown")
    view = page.locator(".multiples-view")
    assert view.evaluate("view => view.scrollTop") > 1000
    for _ in range(4):
        canvas.press("PageUp")
    assert view.evaluate("view => view.scrollTop") == 0


def test_chosen_and_silenced_heads_look_different_from_others(page):
    page = page()
    page.evaluate("window.asked = [2, 2, 4, 4]")
    show(page, [2, 2, 4, 4])
    plain = page.locator("canvas[data-multiples]").evaluate("canvas => canvas.toDataURL()")
    shots = []
    for more in ({"chosen": {"layer": 0, "head": 1}}, {"silenced": [[1, 0]]}):
        page.evaluate("(more) => map.update({...stack([2, 2, 4, 4]), ...more})", more)
        page.evaluate("frame()")
        shots.append(page.locator("canvas[data-multiples]").evaluate("canvas => canvas.toDataURL()"))
    assert len({plain, *shots}) == 3


def test_a_row_lights_up_in_all_pictures(page):
    page = page()
    show(page, [2, 2, 6, 6])
    before = page.locator("canvas[data-multiples]").evaluate("canvas => canvas.toDataURL()")
    page.evaluate("map.highlight({row: 3})")
    page.evaluate("frame()")
    lit = page.locator("canvas[data-multiples]").evaluate("canvas => canvas.toDataURL()")
    page.evaluate("map.highlight(null)")
    page.evaluate("frame()")
    assert lit != before == page.locator("canvas[data-multiples]").evaluate("canvas => canvas.toDataURL()")


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_accessible_and_no_wider_than_the_window(page, width, theme):
    page = page(width=width, theme=theme)
    show(page, [6, 12, 16, 16], {"chosen": {"layer": 0, "head": 1}})
    assert serious(page, "#root") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    label = page.locator("canvas[data-multiples]").get_attribute("aria-label")
    assert "6 layers" in label and "12 heads" in label
    assert "16 rows" in page.locator(".multiples p.sr-only").text_content()


def test_files_hold_all_of_it(page):
    page = page()
    show(page, [2, 3, 4, 5], {"rows": list("abcd"), "cols": list("vwxyz")})
    told = page.evaluate(
        """async () => {
             const [{ csv, npy }, { svg, png }] = [await load("core/heatmap/export-data.js"), await load("core/heatmap/export-image.js")];
             const picture = map.picture();
             const text = async (blob) => new Promise((done) => { const r = new FileReader(); r.onload = () => done(r.result.split(",")[1]); r.readAsDataURL(blob); });
             return { csv: csv(picture.grid), npy: await text(new Blob([npy(picture.array)])), svg: (await svg(picture)).source, png: await text(await png(picture, {scale: 1})),
               data: Array.from(stack([2, 3, 4, 5]).data) };
           }"""
    )
    array = np.load(io.BytesIO(base64.b64decode(told["npy"])))
    np.testing.assert_array_equal(array, np.float32(told["data"]).reshape(2, 3, 4, 5))
    lines = told["csv"].strip().split("\r\n")
    assert lines[0] == ",v,w,x,y,z" and lines[1].startswith("1 1 a,") and lines[-1].startswith("2 3 d,")
    assert ElementTree.fromstring(told["svg"]).tag.endswith("svg")
    shown = decode(page, base64.b64decode(told["png"]))
    assert len(np.unique(shown.reshape(-1, 3), axis=0)) > 60


def test_an_array_without_four_axes_is_refused(page):
    page = page()
    with pytest.raises(Exception, match=r"shape=2,3 is not \[layers, heads, rows, cols\]"):
        page.evaluate(
            f"() => show([2, 3, 4, 5]).then(() => map.update({json.dumps({'shape': [2, 3], 'data': [0] * 6})}))"
        )
