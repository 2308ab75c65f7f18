"""What leaves the page: CSV and NPY read back by Python, SVG and PNG looked at pixel by pixel."""

import base64
import csv
import io
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from support.heatmaps import decode, heatmap_page

ROWS = [[0.1, "-Infinity", 3.4028234663852886e38], ["NaN", 1e-45, -1 / 3]]
EXPECTED = np.array([[0.1, -np.inf, 3.4028234663852886e38], [np.nan, 1e-45, -1 / 3]], np.float32)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def page(open_page, server):
    return heatmap_page(open_page(lent=True, locale="en-GB"), server)


def picture(page, rows, labels, **options):
    page.evaluate(
        "(a) => show(...a)",
        [
            {
                "name": "weights",
                "index": 0,
                "kind": "weights",
                "rowAxis": "heatmap.query",
                "colAxis": "heatmap.key",
                **options,
            },
            rows,
            labels,
        ],
    )


def svg(page):
    return page.evaluate(
        "async () => (await (await load('core/heatmap/export-image.js')).svg(maps.at(-1).picture())).source"
    )


def png(page, scale):
    url = page.evaluate(
        """async (scale) => {
          const blob = await (await load("core/heatmap/export-image.js")).png(maps.at(-1).picture(), { scale });
          const bytes = new Uint8Array(await blob.arrayBuffer());
          return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
        }""",
        scale,
    )
    return decode(page, base64.b64decode(url))


def test_csv_reads_back_exactly(page):
    labels = {"rows": ["我", 'say "hi"'], "cols": ["a,b", "=1+1", "line\nbreak"]}
    text = page.evaluate("async (a) => (await load('core/heatmap/export-data.js')).csv(grid(...a))", [ROWS, labels])
    assert text.endswith("\r\n")
    head, *body = csv.reader(io.StringIO(text, newline=""))
    assert head == ["", *labels["cols"]]
    assert [line[0] for line in body] == labels["rows"]
    assert body[0][1:3] == ["0.1", "-inf"]
    np.testing.assert_array_equal(np.array([line[1:] for line in body], dtype=float).astype(np.float32), EXPECTED)


def test_csv_keeps_every_float32(page):
    values = np.random.default_rng(0).integers(0, 2**32, 4000, dtype=np.uint32).view(np.float32)
    values = values[np.isfinite(values)]
    bits = values.view(np.uint32).tolist()
    text = page.evaluate(
        "async (bits) => (await load('core/heatmap/export-data.js')).csv({ data: new Float32Array(Uint32Array.from(bits).buffer), shape: [bits.length, 1] })",
        bits,
    )
    read = np.array([line.split(",")[1] for line in text.splitlines()[1:]], dtype=float).astype(np.float32)
    np.testing.assert_array_equal(read.view(np.uint32), values.view(np.uint32))


@pytest.mark.parametrize("shape", [(2, 3), (6,), (1,), (2, 1, 3), (0, 3), (1, 2, 3, 1)])
def test_npy_is_the_same_array_for_numpy(page, shape):
    count = int(np.prod(shape))
    values = EXPECTED.ravel()[:count]
    script = "async ([numbers, shape]) => [...(await load('core/heatmap/export-data.js')).npy({ data: Float32Array.from(numbers, Number), shape })]"
    content = bytes(
        page.evaluate(
            script,
            [
                [{"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(str(v), float(v)) for v in values],
                list(shape),
            ],
        )
    )
    assert content[:8] == b"\x93NUMPY\x01\x00"
    assert int.from_bytes(content[8:10], "little") % 64 == 54, "the data begin at a multiple of 64 bytes"
    loaded = np.load(io.BytesIO(content), allow_pickle=False)
    assert loaded.dtype == np.float32 and loaded.flags.c_contiguous
    np.testing.assert_array_equal(loaded, values.reshape(shape))


def test_svg_has_a_rectangle_a_value_and_its_words_as_text(page):
    picture(page, [[0, 0.25, 1], ["-Infinity", "NaN", 0.5]], {"rows": ["<我>", "b&c"], "cols": ["x", "y", "z"]})
    root = ElementTree.fromstring(svg(page))
    cells = root.find(f"{SVG}g").findall(f"{SVG}rect")
    assert len(cells) == 5, "hidden ones show the hatch"
    assert cells[2].get("fill") == "rgb(253, 231, 37)" and float(cells[2].get("x")) > float(cells[1].get("x")) > float(
        cells[0].get("x")
    )
    assert float(cells[3].get("y")) > float(cells[0].get("y")), "the NaN is in row 1"
    words = ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]
    for expected in ("weights12×3", "query →", "key →", "<我>", "b&c", "z", "0.25", "0.5", "−∞ hidden", "NaN"):
        assert expected in words


def test_a_large_svg_embeds_one_pixel_a_value(page):
    picture(page, [[r / 70 for _ in range(70)] for r in range(70)], {})
    root = ElementTree.fromstring(svg(page))
    images = list(root.iter(f"{SVG}image"))
    embedded = decode(page, base64.b64decode(images[0].get("href").split(",")[1]))
    assert embedded.shape == (70, 70, 3)
    assert embedded[0, 5].tolist() == [68, 1, 84] and embedded[0, 5].tolist() != embedded[69, 5].tolist()
    assert len(list(root.iter(f"{SVG}rect"))) < 10


@pytest.mark.parametrize("scale", [2, 3])
def test_png_is_the_svg_at_that_scale(page, scale):
    picture(page, [[0, 1], [1, 0]], {"rows": ["我", "爱"], "cols": ["我", "爱"]}, cell=20)
    root = ElementTree.fromstring(svg(page))
    shown = png(page, scale)
    assert shown.shape[1::-1] == (float(root.get("width")) * scale, float(root.get("height")) * scale)
    for cell in root.find(f"{SVG}g").findall(f"{SVG}rect"):
        x, y, width = (float(cell.get(name)) * scale for name in ("x", "y", "width"))
        colour = [int(part) for part in cell.get("fill")[4:-1].split(", ")]
        assert shown[int(y), int(x)].tolist() == shown[int(y), int(x + width) - 1].tolist() == colour, (
            "sharp to the edge"
        )
