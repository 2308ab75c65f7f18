"""The pure half of a heatmap: values to positions, colours, pixels and words, without a canvas."""

import math

import pytest
from support.heatmaps import heatmap_page

TRANSPARENT = [0, 0, 0, 0]


@pytest.fixture(scope="module")
def page(browser, server):
    """One for all: these functions leave nothing behind."""
    with browser.new_context() as context:
        yield heatmap_page(context.new_page(), server)


def call(page, module, body, *arguments):
    """Evaluates `body`, a JS expression over the module's exports and `a`, the arguments."""
    script = f"async (a) => {{ const m = await load('core/{module}.js'); return ({body}); }}"
    return page.evaluate(script, list(arguments))


def pixels(page, rows, kind, mode):
    """The RGBA of every cell, by row and column."""
    script = """async ([rows, kind, mode]) => {
      const [{ raster }, { scaleFor }, { extent }, { MAPS }] = await Promise.all(["raster", "scale", "extent", "colormaps"].map((name) => load(`core/heatmap/${name}.js`)));
      const values = grid(rows);
      const words = raster(values, scaleFor(kind, mode, extent(values)), MAPS[kind], { nan: 0xff010101, infinite: 0xff020202 });
      const bytes = [...new Uint8Array(words.buffer)];
      return rows.map((row, r) => row.map((_, c) => bytes.slice(4 * (r * row.length + c), 4 * (r * row.length + c) + 4)));
    }"""
    return page.evaluate(script, [rows, kind, mode])


def css(page, name, position):
    """What d3-scale-chromatic itself says of a position, as RGBA."""
    script = """async ([name, at]) => {
      const colors = await load("vendor/colors.js");
      const pen = new OffscreenCanvas(1, 1).getContext("2d");
      pen.fillStyle = colors[name](at);
      pen.fillRect(0, 0, 1, 1);
      return [...pen.getImageData(0, 0, 1, 1).data];
    }"""
    return page.evaluate(script, [name, position])


def test_rows_go_down_and_columns_to_the_right(page):
    [[a, b, c], [d, e, f]] = pixels(page, [[0, 0, 1], [0, 0.5, 0]], "weights", "unit")
    assert c == css(page, "interpolateViridis", 1), "row 0, column 2 holds the 1"
    assert e == css(page, "interpolateViridis", 0.5)
    assert a == b == d == f == css(page, "interpolateViridis", 0)


def test_signed_values_are_blue_below_and_red_above_a_neutral_zero(page):
    [[low, zero, high]] = pixels(page, [[-2, 0, 1]], "signed", "auto")
    assert low == css(page, "interpolateRdBu", 1)
    assert zero == css(page, "interpolateRdBu", 0.5)
    assert high == pytest.approx(css(page, "interpolateRdBu", 0.25), abs=1), "half of the greatest magnitude"


def test_row_mode_measures_each_row_by_its_own_maximum(page):
    [[a, half], [b, c]] = pixels(page, [[0.2, 0.1], [0.8, 0.0]], "weights", "row")
    assert a == b == css(page, "interpolateViridis", 1)
    assert half == css(page, "interpolateViridis", 0.5)
    assert c == css(page, "interpolateViridis", 0)


@pytest.mark.parametrize("n", [128, 1000, 1024])
def test_uniform_rows_are_not_black_in_log_mode(page, n):
    colour = pixels(page, [[1 / n] * 4] * 2, "weights", "log")[0][0]
    darkest = css(page, "interpolateViridis", 0)
    assert math.dist(colour, darkest) > 40, colour


@pytest.mark.parametrize(("most", "end"), [(4e-16, 1e-6), (1e-6, 1e-6), (0, 1e-6), (2, 2)])
def test_a_scale_that_is_told_how_fine_it_may_be_leaves_rounding_errors_pale(page, most, end):
    asked = "m.scaleFor('signed', 'auto', { min: -a[0] / 2, max: a[0] }, 1e-6).ends(0)"
    assert call(page, "heatmap/scale", asked, most) == [-end, end]


def test_log_positions_agree_with_the_logarithm(page):
    values = [1e-5, 3e-4, 0.004, 0.02, 0.3, 0.999, 1.0]
    ends = call(
        page, "heatmap/scale", "m.scaleFor('weights', 'log', { min: 1e-5, max: 1, smallest: a[0] }).ends(0)", values[0]
    )
    low, high = (math.log10(end) for end in ends)
    [shown] = pixels(page, [values], "weights", "log")
    for value, colour in zip(values, shown, strict=True):
        assert math.dist(colour, css(page, "interpolateViridis", (math.log10(value) - low) / (high - low))) < 4, value


@pytest.mark.parametrize(
    ("kind", "mode"), [("weights", "unit"), ("weights", "log"), ("weights", "row"), ("signed", "auto")]
)
def test_no_scale_places_what_is_not_finite(page, kind, mode):
    [[finite, hidden, nan, infinite, other]] = pixels(page, [[0.5, "-Infinity", "NaN", "Infinity", 0.25]], kind, mode)
    assert hidden == TRANSPARENT
    assert nan == [1, 1, 1, 255] and infinite == [2, 2, 2, 255]
    assert finite[3] == other[3] == 255


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("weights", "unit"), ("weights", "auto"), ("weights", "log"), ("weights", "row"), ("signed", "auto")],
)
def test_a_large_grid_has_the_colours_of_a_small_one(page, kind, mode):
    """Large grids are coloured by a table; small ones cell by cell."""
    row = [0, "-Infinity", "NaN", "Infinity", 1e-7, 0.0123, 0.1, 1 / 3, 0.5, 0.7773, 0.98765, 1, -0.25, -1, 3]
    script = """async ([row, kind, mode]) => {
      const [{ raster }, { scaleFor }, { extent }, { MAPS }] = await Promise.all(["raster", "scale", "extent", "colormaps"].map((name) => load(`core/heatmap/${name}.js`)));
      const marks = { nan: 0xff010101, infinite: 0xff020202 };
      const colours = (count) => {
        const values = grid(Array(count).fill(row));
        return new Uint8Array(raster(values, scaleFor(kind, mode, extent(values)), MAPS[kind], marks).buffer);
      };
      const [small, large] = [colours(1), colours(5000)];
      const worst = large.reduce((most, byte, at) => Math.max(most, Math.abs(byte - small[at % small.length])), 0);
      return [row.length * 5000, worst, [...large.slice(-4 * row.length)].slice(4, 16)];
    }"""
    count, worst, specials = page.evaluate(script, [row, kind, mode])
    assert count > 2**16
    assert worst <= 4, "of 256"
    assert specials == [*TRANSPARENT, 1, 1, 1, 255, 2, 2, 2, 255]


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("weights", "unit"), ("weights", "log"), ("weights", "row"), ("weights", "auto"), ("signed", "auto")],
)
@pytest.mark.parametrize("value", [0, "-Infinity", "NaN", 1e-30, -1e-30, 3e38])
def test_constant_grids_have_a_scale(page, kind, mode, value):
    [[a, b]] = pixels(page, [[value, value]], kind, mode)
    assert a == b and len(a) == 4


def ticks(page, kind, mode, rows):
    script = """async ([kind, mode, rows]) => {
      const [{ scaleFor }, { extent }, { tickText }] = await Promise.all(["scale", "extent", "colorbar"].map((name) => load(`core/heatmap/${name}.js`)));
      return scaleFor(kind, mode, extent(grid(rows))).ticks.map((tick) => tick.word ?? tickText(tick));
    }"""
    return page.evaluate(script, [kind, mode, rows])


@pytest.mark.parametrize(
    ("kind", "mode", "rows", "shown"),
    [
        ("weights", "unit", [[0.1, 0.9]], ["0", "0.5", "1"]),
        ("weights", "unit", [[-0.1, 1.7]], ["≤ 0", "0.5", "≥ 1"]),
        ("weights", "row", [[0.1, 0.9]], ["0", "heatmap.row_max"]),
        ("weights", "auto", [[0.25, 12.3456]], ["0", "12.3"]),
        ("weights", "auto", [[0, 0]], ["0"]),
        ("weights", "log", [[0.02, 0.5]], ["0.001", "0.1", "1"]),
        ("weights", "log", [[0, 0.02]], ["≤ 0.001", "0.1", "1"]),
        ("signed", "auto", [[-2.345, 1]], ["−2.35", "0", "2.35"]),
        ("signed", "auto", [["-Infinity", 4e-7]], ["−4×10⁻⁷", "0", "4×10⁻⁷"]),
        ("signed", "auto", [[0, 0]], ["0"]),
    ],
)
def test_the_colour_bar_tells_the_numbers_of_the_data(page, kind, mode, rows, shown):
    assert ticks(page, kind, mode, rows) == shown


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.43725128, 6, "0.437251"), (-2.5, 6, "−2.5"), (0, 6, "0"), (-0.0, 6, "0"), (123456.7, 6, "123457"), (1e7, 6, "10⁷"),
        (3.2e-7, 6, "3.2×10⁻⁷"), (0.001, 3, "0.001"), (0.0001, 3, "10⁻⁴"), (-1e-6, 3, "−10⁻⁶"), (99.96, 3, "100"), (1234, 3, "1230"),
        ("-Infinity", 6, "−∞"), ("Infinity", 6, "∞"), ("NaN", 6, "NaN"),
    ],
)  # fmt: skip
def test_numbers(page, value, digits, text):
    assert call(page, "format", "m.number(Number(a[0]), a[1])", value, digits) == text


def test_the_strongest_of_a_block_stands_for_it(page):
    rows = [[1, -3, "NaN", 0, "-Infinity"], [2, 0, 9, "Infinity", "-Infinity"], ["-Infinity", 0.5, "Infinity", 7, -1]]
    body = "((g) => [g.shape, Array.from(g.data, String)])(m.strongest(grid(a[0]), [2, 2]).next().value)"
    assert call(page, "heatmap/strongest", body, rows) == [[2, 3], ["-3", "NaN", "-Infinity", "0.5", "Infinity", "-1"]]


def test_a_huge_grid_is_reduced_in_steps(page):
    body = """((steps) => {
      const seen = [];
      for (let step; !seen.at(-1)?.done; seen.push(step)) step = steps.next();
      const { data, shape } = seen.at(-1).value;
      return [seen.length, shape, data.reduce((sum, value) => sum + value, 0), data[0], data.at(-1)];
    })(m.strongest({ data: Float32Array.from({ length: 3e6 }, (_, i) => i % 3), shape: [3000, 1000] }, [7, 3]))"""
    assert call(page, "heatmap/strongest", body) == [3, [429, 334], 2 * 429 * 334, 2, 2]


@pytest.mark.parametrize("dpr", [1, 1.5, 2, 3])
@pytest.mark.parametrize(
    ("rows", "cols", "width"),
    [(3, 3, 300), (10, 64, 328), (128, 128, 250), (1024, 1024, 600), (2048, 2048, 600), (6, 3000, 90)],
)
def test_cells_are_whole_device_pixels_and_fit(page, dpr, rows, cols, width):
    size = {"rows": rows, "cols": cols, "width": width, "dpr": dpr}
    fitted = call(page, "heatmap/fit", "m.fit(a[0])", size)
    for axis, count in (("down", rows), ("across", cols)):
        side = fitted[axis]
        assert side["pitch"] >= 1 and side["pitch"] % 1 == 0
        assert side["slots"] == math.ceil(count / side["block"])
    assert fitted["across"]["slots"] * fitted["across"]["pitch"] <= width * dpr
    assert fitted["across"]["block"] == 1 or cols > width * dpr, "no value is merged while there is a pixel for each"


def test_each_point_of_an_axis_belongs_to_the_cell_drawn_there(page):
    body = "[0, 0.19, 0.21, 0.99, 1].map((at) => m.cellAt({ block: 1, slots: 5 }, at, 5)).concat(m.cellAt({ block: 4, slots: 3 }, 0.99, 9))"
    assert call(page, "heatmap/fit", body) == [0, 0, 1, 4, 4, 8]


@pytest.mark.parametrize(
    ("texts", "pitch", "dpr", "step", "upright"),
    [
        (["我", "爱", "猫"], 24, 1, 1, True),  # they fit
        (["我"] * 128, 3, 1, 5, True),  # signs of 12 px thin out
        (["internationalization", "of"], 24, 1, 1, False),  # words stand on their columns
        (["我", "爱", "猫"], 24, 2, 2, True),  # 12 CSS px are too few
    ],
)
def test_column_labels(page, texts, pitch, dpr, step, upright):
    body = """((plan) => [plan.step, plan.upright, plan.items.map((item) => item.index)])(m.planColumns(
      a[0], { across: { block: 1, slots: a[0].length, pitch: a[1] }, dpr: a[2] }, (text) => [...text].length * 12))"""
    shown = call(page, "heatmap/axes", body, texts, pitch, dpr)
    assert shown == [step, upright, list(range(0, len(texts), step))]


def test_long_words_are_cut_with_an_ellipsis(page):
    assert (
        call(page, "heatmap/shorten", "m.shorten('representation', 80, (text) => [...text].length * 10)") == "represe…"
    )
    assert call(page, "heatmap/shorten", "m.shorten('cat', 80, (text) => [...text].length * 10)") == "cat"
