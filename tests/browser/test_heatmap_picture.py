"""What a heatmap looks like in a real browser: pixels, themes, device pixels, labels, width."""

import numpy as np
import pytest
from support.heatmaps import decode, heatmap_page

SIGNED = {"name": "masked", "kind": "signed", "rowAxis": "heatmap.query", "colAxis": "heatmap.key", "cell": 20}
WORDS = "the representation of internationalization unquestionably matters for Transformers".split()


@pytest.fixture
def heatmaps(open_page, server):
    return lambda **options: heatmap_page(open_page(lent=True, **options), server)


def show(page, options, rows, labels=None):
    page.evaluate("(a) => show(...a)", [options, rows, labels or {}])
    return page.evaluate("maps.length - 1")


def at(page, cell, *, index=0, size=20):
    """The canvas pixel a quarter into a cell: away from marks in the middle."""
    row, col = cell
    return tuple(page.evaluate("(a) => pixel(...a)", [index, col * size + size // 5, row * size + size // 5]))


def test_row_0_column_2_is_at_the_top_right(heatmaps):
    page = heatmaps()
    show(page, SIGNED, [[0, 0, 1], [-1, 0, 0]])
    red, blue = at(page, (0, 2)), at(page, (1, 0))
    assert red[0] > 90 > red[2] and blue[2] > 90 > blue[0]
    assert at(page, (0, 0)) == at(page, (1, 2)) == at(page, (0, 1))


def test_axis_titles_stand_where_queries_and_keys_are(heatmaps):
    page = heatmaps(locale="en-GB")
    show(page, SIGNED, [[0, 1, 2], [3, 4, 5]], {"rows": ["a", "b"], "cols": ["x", "y", "z"]})
    canvas = page.locator("[data-heatmap]").bounding_box()
    key, query = page.get_by_text("key").bounding_box(), page.get_by_text("query").bounding_box()
    assert key["y"] + key["height"] <= canvas["y"], "keys are columns: above"
    assert query["x"] + query["width"] <= canvas["x"], "queries are rows: on the left"
    second, last = (
        page.locator(".heatmap-rows span", has_text="b").bounding_box(),
        page.locator(".heatmap-columns span", has_text="z").bounding_box(),
    )
    assert second["x"] + second["width"] <= canvas["x"] and second["y"] > canvas["y"] + 15
    assert last["y"] + last["height"] <= canvas["y"] and last["x"] > canvas["x"] + 40


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_hidden_nan_infinite_and_values_cannot_be_confused(heatmaps, theme):
    page = heatmaps(theme=theme)
    show(page, SIGNED, [[-1, 0, 1], ["-Infinity", "NaN", "Infinity"]])
    box = page.evaluate(
        "[...maps[0].element.querySelector('[data-heatmap]').getContext('2d').getImageData(0, 20, 20, 20).data]"
    )
    hatch = {tuple(box[i : i + 3]) for i in range(0, len(box), 4)}
    assert len(hatch) > 1, "hatched, not plain"
    assert all(max(colour) - min(colour) < 20 for colour in hatch), "grey"
    kinds = [at(page, (0, 0)), at(page, (0, 1)), at(page, (0, 2)), at(page, (1, 1)), at(page, (1, 2)), *hatch]
    loud = kinds[3]
    assert loud[0] > 200 and loud[2] > 150 and loud[1] < 40, "NaN is magenta"
    assert at(page, (1, 1), size=20) != at(page, (1, 2))
    for colour in kinds[:3]:
        assert min(sum(abs(a - b) for a, b in zip(colour, other, strict=False)) for other in kinds[3:]) > 20


def test_the_hatch_follows_a_forced_theme(heatmaps):
    page = heatmaps(theme="light")
    show(page, SIGNED, [["-Infinity", 1]])
    light = at(page, (0, 0))
    page.evaluate("(document.documentElement.dataset.theme = 'dark', frame())")
    dark = at(page, (0, 0))
    assert sum(dark[:3]) < sum(light[:3]) - 150
    page.evaluate("(delete document.documentElement.dataset.theme, frame())")
    page.emulate_media(color_scheme="dark")
    page.evaluate("frame()")
    assert at(page, (0, 0)) == dark


@pytest.mark.parametrize("dpr", [1, 1.5, 2, 3])
def test_cell_edges_are_sharp_at_any_pixel_ratio(heatmaps, dpr):
    page = heatmaps(device_scale_factor=dpr, width=700)
    show(page, {"name": "w", "kind": "weights", "modes": []}, [[(r + c) % 2 for c in range(24)] for r in range(24)])
    page.evaluate("root.style.paddingLeft = '0.37px'")
    picture = decode(page, page.locator("[data-heatmap]").screenshot())
    inside = picture[4:-4, 4:-4].reshape(-1, 3)  # a screenshot is cut at CSS pixels: its edge may show the page
    assert np.unique(inside, axis=0).tolist() == [[68, 1, 84], [253, 231, 37]], "two values, two colours"


def test_the_pixel_ratio_may_change_under_way(heatmaps):
    page = heatmaps()
    show(page, SIGNED, [[0, 1], [1, 0]])
    session = page.context.new_cdp_session(page)
    zoomed = {"width": 512, "height": 320, "deviceScaleFactor": 2.5, "mobile": False}  # a zoom leaves fewer CSS pixels
    session.send("Emulation.setDeviceMetricsOverride", zoomed)
    page.wait_for_function("() => maps[0].element.querySelector('canvas').width === 2 * 20 * 2.5")
    assert page.locator("[data-heatmap]").bounding_box()["width"] == pytest.approx(40)


@pytest.mark.parametrize("size", [(3, 3), (10, 64), (128, 128), (1024, 1024), (40, 2)])
@pytest.mark.parametrize(
    "nest",
    ["", "display: flex; flex-wrap: wrap", "display: grid; grid-auto-flow: column; grid-auto-columns: max-content"],
)
def test_nothing_is_wider_than_a_phone(heatmaps, size, nest):
    page = heatmaps(width=360)
    page.evaluate("(style) => root.setAttribute('style', style)", nest)
    rows, cols = size
    labels = {"rows": [WORDS[i % 8] for i in range(rows)], "cols": [WORDS[i % 8] for i in range(cols)]}
    drawing = """([options, rows, cols, labels]) => show(options,
      Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (_, col) => (row * col) % 7 - 3)), labels)"""
    page.evaluate(drawing, [{**SIGNED, "cell": None}, rows, cols, labels])
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    figure = page.locator("figure").bounding_box()
    assert figure["x"] + figure["width"] <= 360


def test_a_picture_may_be_filled_before_it_is_on_the_page(heatmaps):
    page = heatmaps()
    page.evaluate("(window.page = root, root = document.createElement('div'))")
    show(page, {"name": "w", "kind": "weights"}, [[0.5] * 40 for _ in range(40)])
    page.evaluate("page.append(root)")
    page.wait_for_function("() => document.querySelector('[data-heatmap]').clientWidth >= 40")


@pytest.mark.parametrize("shrinks", [False, True], ids=["block", "shrinks to its content"])
def test_a_picture_grows_and_shrinks_with_its_room(heatmaps, shrinks):
    page = heatmaps(width=360)
    if shrinks:
        page.evaluate("(root.style.display = 'flex', root = root.appendChild(document.createElement('div')))")
    show(page, {"name": "w", "kind": "weights"}, [[0.5] * 100 for _ in range(100)])
    narrow = page.locator("[data-heatmap]").bounding_box()["width"]
    page.set_viewport_size({"width": 900, "height": 800})
    page.wait_for_function("(before) => document.querySelector('[data-heatmap]').clientWidth > before", arg=narrow)
    page.set_viewport_size({"width": 360, "height": 800})
    page.wait_for_function("(before) => document.querySelector('[data-heatmap]').clientWidth === before", arg=narrow)


def test_numbers_stand_in_cells_that_have_room(heatmaps):
    page = heatmaps()
    digits = [[-4, 0, 4]]
    show(page, {**SIGNED, "cell": 44}, digits)
    show(page, {**SIGNED, "cell": 20}, digits)
    count = "(i) => new Set(new Uint32Array(maps[i].element.querySelector('[data-heatmap]').getContext('2d').getImageData(0, 0, 40, 20).data.buffer)).size"
    assert page.evaluate(count, 0) > 5, "glyphs"
    assert page.evaluate(count, 1) == 2, "two cells, two plain colours"


def test_an_update_of_the_same_shape_keeps_the_elements(heatmaps):
    page = heatmaps()
    labels = {"rows": ["a", "b"], "cols": ["x", "y"]}
    show(page, {"name": "w", "kind": "weights"}, [[0, 1], [1, 0]], labels)
    page.wait_for_selector("table", state="attached")
    changed = page.evaluate(
        """async (labels) => {
      let added = 0;
      const seen = new MutationObserver((records) => records.forEach((record) => (added += [...record.addedNodes].filter((node) => node.nodeType === 1).length)));
      seen.observe(maps[0].element, { childList: true, subtree: true });
      maps[0].update(grid([[0.3, 0.7], [0.6, 0.4]], labels));
      await frame();
      await new Promise((done) => setTimeout(done, 700));
      return [added, maps[0].element.querySelector("td + td").textContent];
    }""",
        labels,
    )
    assert changed[0] == 0


def test_many_updates_are_one_drawing(heatmaps):
    page = heatmaps()
    show(page, {"name": "w", "kind": "weights"}, [[0, 1]])
    drawn = page.evaluate("""async () => {
      let count = 0;
      const draw = CanvasRenderingContext2D.prototype.drawImage;
      CanvasRenderingContext2D.prototype.drawImage = function (...all) { count++; return draw.apply(this, all); };
      for (let step = 0; step < 20; step++) maps[0].update(grid([[step / 20, 1]]));
      await frame();
      return count;
    }""")
    assert drawn == 1


def test_more_cells_than_pixels_are_shown_by_their_strongest_and_said_so(heatmaps):
    page = heatmaps(width=400, locale="en-GB")
    page.evaluate("""() => {
      const rows = Array.from({ length: 800 }, () => Array(800).fill(0));
      rows[0][701] = 1;
      return show({ name: "w", kind: "weights", modes: [] }, rows);
    }""")
    assert page.evaluate("pixel(0, Math.floor(701 / 3), 0)") == [253, 231, 37, 255]
    assert "3×3" in page.locator(".heatmap-note").inner_text()


def test_a_stream_of_huge_grids_is_painted_all_the_while_and_ends_with_the_last(heatmaps):
    page = heatmaps(width=400)
    painted, last = page.evaluate("""async () => {
      const huge = (value) => ({ data: new Float32Array(1100 * 1100).fill(value), shape: [1100, 1100] });
      const map = heatmap(root, { name: "w", kind: "weights" });
      maps.push(map);
      map.update(huge(0));
      const context = map.element.querySelector("[data-heatmap]").getContext("2d");
      let painted = 0;
      context.drawImage = (...all) => (painted++, CanvasRenderingContext2D.prototype.drawImage.apply(context, all));
      for (let step = 1; step <= 8; step++) {
        map.update(huge(step / 8));
        await new Promise(requestAnimationFrame);
      }
      const meanwhile = painted;
      while (painted < meanwhile + 1) await frame();
      for (let more = 0; more < 4; more++) await frame();
      return [meanwhile, pixel(0, 5, 5)];
    }""")
    assert painted >= 3
    assert last == [253, 231, 37, 255]


def test_wrong_data_is_refused_with_name_and_numbers(heatmaps):
    page = heatmaps()
    message = page.evaluate("""() => {
      try { heatmap(root, { name: "scores", kind: "signed" }).update({ data: new Float32Array(5), shape: [2, 3] }); }
      catch (error) { return error.message; }
    }""")
    assert "scores" in message and "2,3" in message and "5" in message
