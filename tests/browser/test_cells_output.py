"""What code cells show: text, HTML, arrays, pictures."""

import json
import time

import pytest
from support.cells import add, cell

# one pixel
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAA"
    "AfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


def show(page, *outputs):
    name = add(page, f"show {json.dumps(outputs)}", run=True)
    page.wait_for_selector(f"[data-cell={name}]:is([data-state=done], [data-state=error])")
    assert cell(page, name).get_attribute("data-state") == "done", cell(page, name).inner_text()
    return cell(page, name).locator("[data-outputs]")


def text(data, stream="stdout"):
    return {"kind": "text", "stream": stream, "text": data}


def kinds(outputs) -> list[str]:
    return outputs.locator("[data-output]").evaluate_all("all => all.map(one => one.dataset.output)")


def test_outputs_come_in_order_and_text_keeps_its_columns(open_cells):
    page = open_cells()
    array = {"kind": "array", "data": [0, 1, 0.5, 0.25], "shape": [2, 2], "name": "weights"}
    outputs = show(
        page,
        *(text("a   b\n1"), text("2  3\n"), text("careful\n", "stderr"), text("end"), array),
        *({"kind": "repr", "text": "{'a':  1}"}, {"kind": "image", "png": PIXEL}, {"kind": "truncated"}),
    )
    assert kinds(outputs) == ["text", "text", "text", "array", "repr", "image", "truncated"]
    assert outputs.locator("[data-output=text]").all_text_contents() == ["a   b\n12  3\n", "careful\n", "end"]
    assert outputs.locator("[data-output=text]").first.evaluate("pre => getComputedStyle(pre).whiteSpace") == "pre-wrap"
    assert outputs.locator("canvas[data-heatmap=weights]").count() == 1
    assert outputs.locator("figure").get_attribute("data-kind") == "weights"


def test_a_1d_array_is_one_row_and_signed_values_get_the_diverging_map(open_cells):
    page = open_cells()
    outputs = show(page, {"kind": "array", "data": [-1, 0, 2], "shape": [3]})
    assert outputs.locator("figure").get_attribute("data-kind") == "signed"
    width, height = outputs.locator("canvas[data-heatmap]").evaluate("canvas => [canvas.width, canvas.height]")
    assert width == pytest.approx(3 * height, abs=4)


def test_one_printed_line_of_html_renders_and_nothing_else_does(open_cells):
    page = open_cells()
    plain = "before <div>no</div>\n<div>open\n</div>\n<br/>\n<class 'int'>\n1 < 2\n"
    outputs = show(
        page,
        text("<div style='color: rgb(1, 2, 3)'>a <b>b</b></div>\n<svg width='20' height='10'><rect width='5'"),
        text(" height='5'/></svg>\n" + plain + "<p>last, without its newline</p>"),
    )
    assert kinds(outputs) == ["html", "html", "text", "html"]
    assert outputs.locator("[data-output=html] div").evaluate("div => getComputedStyle(div).color") == "rgb(1, 2, 3)"
    assert outputs.locator("[data-output=html] rect").bounding_box()["width"] == 5
    assert outputs.locator("[data-output=text]").text_content() == plain
    assert outputs.locator("[data-output=html]").last.inner_text() == "last, without its newline"


NOISY = pytest.mark.allow_errors  # our policy sees the handler when DOMPurify parses it, blocks it and says so


@pytest.mark.parametrize(
    ("printed", "forbidden"),
    [
        ("<div><script>window.hacked = 1</script>x</div>", "script"),
        pytest.param("<div><img src='x' onerror='window.hacked = 1'>x</div>", "[onerror], [src]", marks=NOISY),
        ("<div><img src='https://example.org/a.png'>x</div>", "[src]"),
        ("<div><img srcset='//example.org/a.png 2x'>x</div>", "[srcset]"),
        ("<div style='background: url(https://example.org/a.png)'>x</div>", "[style]"),
        ("<div style='background: u\\72l(//example.org/a.png)'>x</div>", "[style]"),
        ("<div style='background: image-set(\"//example.org/a.png\" 1x)'>x</div>", "[style]"),
        ("<div><style>body { display: none }</style>x</div>", "style"),
        ("<div><iframe src='https://example.org'></iframe>x</div>", "iframe"),
        ("<div><form action='//example.org'><input></form>x</div>", "form, input"),
        ("<div><a href='javascript:window.hacked = 1'>x</a></div>", "[href]"),
        ("<svg><use href='https://example.org/a.svg#b'/><text>x</text></svg>", "use[href]"),
        ("<svg><image xlink:href='//example.org/a.png'/><text>x</text></svg>", "[*|href]"),
        pytest.param("<svg onload='window.hacked = 1'><text>x</text></svg>", "[onload]", marks=NOISY),
        ("<div data-cell='fake' data-heatmap='fake'>x</div>", "[data-cell], [data-heatmap]"),
    ],
)
def test_printed_html_runs_nothing_and_loads_nothing(open_cells, printed, forbidden):
    page = open_cells()  # a request to anyone else fails this test too
    outputs = show(page, text(printed + "\n"))
    html = outputs.locator("[data-output=html]")
    assert html.text_content() == "x"
    assert html.locator(f"css={forbidden}").count() == 0 if "|" not in forbidden else "example" not in html.inner_html()
    assert page.evaluate("window.hacked") is None


def test_pictures_as_data_and_references_inside_the_picture_stay(open_cells):
    page = open_cells()
    outputs = show(
        page,
        text(f"<div><img src='{PIXEL}' style='width: 40px'></div>\n"),
        text("<svg width='9' height='9'><defs><linearGradient id='g1'/></defs>"),
        text("<rect fill='url(#g1)' style='stroke: url(#g1)'/></svg>\n"),
        text("<script>window.hacked = 1</script>\n"),  # nothing of it may show: it stays text
    )
    assert outputs.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 1
    assert outputs.locator("img").bounding_box()["width"] == 40
    assert outputs.locator("rect").get_attribute("fill") == "url(#g1)"
    assert outputs.locator("rect").get_attribute("style") == "stroke: url(#g1)"
    assert outputs.locator("[data-output=text]").text_content() == "<script>window.hacked = 1</script>\n"


def test_a_line_that_never_closes_its_tag_is_told_at_once(open_cells):
    page = open_cells()
    for line in ("<div" + " " * 60, "<div " + " a" * 50_000, "<" * 100_000, "<a>" * 30_000):
        began = time.perf_counter()
        assert page.evaluate("async line => (await load('core/cells/html-line.js')).isHtmlLine(line)", line) is False
        assert time.perf_counter() - began < 1


def test_ansi_colours_and_carriage_returns_do_as_in_a_terminal_without_colours(open_cells):
    page = open_cells()
    outputs = show(page, text("\x1b[31mred\x1b[0m\n 10%\r 5"), text("0%\r100%\n"))
    assert outputs.locator("[data-output=text]").text_content() == "red\n100%\n"


def test_much_text_scrolls_inside_and_the_keyboard_reaches_it(open_cells):
    page = open_cells()
    outputs = show(page, text("line\n" * 3000))
    box = outputs.locator("[data-output=text]")
    assert box.bounding_box()["height"] < 600
    assert box.get_attribute("tabindex") == "0"
