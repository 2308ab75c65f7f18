"""The normalization lab as a reader meets it: both axes, the order of a block, the depth curves, paper mode."""

import numpy as np
import pytest
from support.axe import serious
from support.labs import call, drawn, face, numbers, pixels, restore_defaults, root, set_field, set_language, settled

from sitebuild.labs import text

LAB = "norm"

CHANGES = [
    ("kind", "batch"), ("kind", "rms"), ("d_model", 5), ("row_scale", 1), ("column_shift", 0), ("scale", 3), ("gamma", -1),
    ("beta", 1), ("eps_exponent", 1), ("seed", 3), ("tokens", "别的句子"), ("input", "paper"),
]  # fmt: skip


@pytest.fixture
def lab(booted):
    restore_defaults(booted, LAB)
    return booted


def see(page):
    return root(page, LAB)


def change(page, name, value):
    return set_field(page, name, value, LAB)


def two_frames(page):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def point(page, name, row, column, shape):
    """Moves the pointer to the middle of a cell; gives what the reading line says."""
    canvas = see(page).locator(f"canvas[data-heatmap={name}]")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    canvas.hover(position={"x": (column + 0.5) * box["width"] / shape[1], "y": (row + 0.5) * box["height"] / shape[0]})
    two_frames(page)
    return see(page).locator(".reading").inner_text()


def emphasis(page, name):
    return see(page).locator(f"canvas[data-heatmap={name}] + .heatmap-emphasis")


def lit(page, name, shape):
    """Which rows and columns of cells have something drawn round all of them: ("rows" | "columns", which)."""
    drawn(page)
    layer = emphasis(page, name).evaluate(
        """(layer) => {
             const { width, height } = layer, { data } = layer.getContext("2d").getImageData(0, 0, width, height);
             return { width, height, alpha: Array.from({ length: width * height }, (_, at) => data[4 * at + 3] > 0) };
           }"""
    )
    marked = np.array(layer["alpha"]).reshape(layer["height"], layer["width"])
    across, down = marked.sum(axis=1) > 0.9 * layer["width"], marked.sum(axis=0) > 0.9 * layer["height"]
    cell = [layer["height"] / shape[0], layer["width"] / shape[1]]
    return {
        "rows": sorted({int(at // cell[0]) for at in np.flatnonzero(across)}),
        "columns": sorted({int(at // cell[1]) for at in np.flatnonzero(down)}),
    }


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_control_changes_the_output(lab, name, value):
    before = pixels(lab, "output", lab=LAB)
    assert change(lab, name, value) == "ready"
    assert pixels(lab, "output", lab=LAB) != before


def test_a_shift_of_everything_changes_x_and_not_the_output_of_layer_norm(lab):
    before = pixels(lab, "X", lab=LAB), pixels(lab, "output", lab=LAB)
    change(lab, "shift", 2)
    assert pixels(lab, "X", lab=LAB) != before[0] and pixels(lab, "output", lab=LAB) == before[1]


def test_bad_input_stands_beside_its_control_and_nothing_is_lost(lab):
    picture = pixels(lab, "output", lab=LAB)
    assert change(lab, "depth", 49) == "error"
    message = lab.locator("#norm-depth-error")
    assert message.is_visible() and "49" in message.text_content() and "48" in message.text_content()
    assert pixels(lab, "output", lab=LAB) == picture
    assert change(lab, "depth", 3) == "ready" and not message.is_visible()
    assert change(lab, "tokens", "") == "error"
    assert lab.locator("#norm-tokens-error").is_visible()


def test_the_cells_that_share_a_mean_are_outlined_a_row_for_layer_norm_a_column_for_batch_norm(lab):
    result = call(lab, LAB)
    shape = result["X"].shape
    point(lab, "layer_output", 4, 1, shape)
    assert lit(lab, "X", shape) == {"rows": [4], "columns": []}
    point(lab, "batch_output", 4, 1, shape)
    assert lit(lab, "X", shape) == {"rows": [], "columns": [1]}


def test_a_number_of_x_moves_its_row_in_layer_norm_and_its_column_in_batch_norm(lab):
    shape = call(lab, LAB)["X"].shape
    point(lab, "X", 5, 6, shape)
    assert lit(lab, "layer_output", shape) == {"rows": [5], "columns": []}
    assert lit(lab, "batch_output", shape) == {"rows": [], "columns": [6]}


@pytest.mark.parametrize(("kind", "order"), [("layer", "pre"), ("batch", "post"), ("rms", "none")])
def test_the_reading_line_is_true(lab, kind, order):
    """The last number of a reading is the value, and those before it are those of the arrays."""
    change(lab, "kind", kind)
    change(lab, "order", order)
    change(lab, "eps_exponent", -2)
    result = call(lab, LAB, kind=kind, order=order, eps_exponent=-2)
    shape = result["X"].shape
    row, column = 3, 2
    names = ["normalized", "output", "layer_output", "batch_output", "W", *result[f"steps_{order}"]]
    names += ["mean_square"] if kind == "rms" else ["mean", "variance"]
    for name in names:
        array = result[name]
        at = min(row, array.shape[0] - 1), min(column, array.shape[1] - 1)
        told = numbers(point(lab, name, *at, array.shape).split("计算它的那一行")[0])
        assert told[-1] == pytest.approx(array[at], rel=1e-4, abs=1e-6), name
    point(lab, "sum", row, column, shape)
    told = numbers(see(lab).locator(".reading code").inner_text())
    assert sorted(told[:2]) == pytest.approx(
        sorted([result["X"][row, column], result["change"][row, column]]), rel=1e-4
    )
    point(lab, "change", row, column, shape)
    told = numbers(see(lab).locator(".reading code").inner_text())
    given = result["normed" if order == "pre" else "X"]
    assert told[:2] == pytest.approx([given[row, 0], result["W"][0, column]], rel=1e-4)
    point(lab, "layer_output", row, column, shape)
    told = numbers(see(lab).locator(".reading code").inner_text())
    expected = [result["X"][row, column], result["layer_mean"][row, 0], result["layer_variance"][row, 0], 0.01, 1]
    assert told[:5] == pytest.approx(expected, rel=1e-4)


DRAWN = {
    "post": (["X", "sublayer", "+", "layer_norm"], {(0, 1), (0, 2), (1, 2), (2, 3)}),
    "pre": (["X", "layer_norm", "sublayer", "+"], {(0, 1), (1, 2), (0, 3), (2, 3)}),
    "none": (["X", "sublayer", "+"], {(0, 1), (0, 2), (1, 2)}),
}


@pytest.mark.parametrize("order", DRAWN)
def test_each_order_is_drawn_exactly_as_computed(lab, order):
    """Post: residual, then norm. Pre: norm, then sublayer, and X goes round both. And the pictures stand in that order."""
    see(lab).locator(f"[data-order={order}]").click()
    assert settled(lab, LAB) == "ready"
    drawing = see(lab).locator(f"[data-order={order}]")
    assert drawing.get_attribute("aria-pressed") == "true"
    assert see(lab).locator("[data-order][aria-pressed=true]").count() == 1
    boxes, wires = DRAWN[order]
    assert drawing.locator("text").all_text_contents() == boxes
    result = call(lab, LAB, order=order)
    names = ["X", *result[f"steps_{order}"]]
    assert {tuple(names.index(end) for end in wire.split(">")) for wire in result[f"wires_{order}"]} == wires
    assert drawn_wires(drawing) == wires
    shown = see(lab).locator("[data-section=block] .flow:last-child figure figcaption b").all_text_contents()
    assert shown == names


def drawn_wires(drawing):
    """Which box each line of the drawing begins and ends at, by its coordinates."""
    shapes = drawing.evaluate(
        """(button) => {
             const box = (element) => { const { x, width } = element.getBBox(); return [x, x + width]; };
             const shapes = [...button.querySelectorAll(".wiring-box")].map(box).sort((a, b) => a[0] - b[0]);
             const lines = [...button.querySelectorAll(".wiring-line")].map((line) => {
               const [start, end] = [line.getPointAtLength(0).x, line.getPointAtLength(line.getTotalLength()).x];
               return [start, end];
             });
             return { boxes: [box(button.querySelector("text")), ...shapes], lines };
           }"""
    )
    boxes, found = shapes["boxes"], set()
    for start, end in shapes["lines"]:
        source = max(at for at, (left, right) in enumerate(boxes) if right <= start + 3)
        target = next((at for at, (left, right) in enumerate(boxes) if left - 4 <= end <= right), None)
        if target is not None:  # the last line leads out
            found.add((source, target))
    return found


def test_the_formula_follows_norm_and_order(lab):
    formula = see(lab).locator(".formula")
    assert "LayerNorm" in formula.text_content()
    change(lab, "kind", "rms")
    change(lab, "order", "none")
    assert "RMSNorm" in formula.text_content() and "LayerNorm" not in formula.text_content()
    change(lab, "kind", "layer")
    result = call(lab, LAB, order="none")
    assert f"{result['mean'][2, 0]:.4g}".replace("-", "−") in formula.text_content()


def test_the_neighbours_of_a_loud_token(lab):
    told = see(lab).locator("[data-section=neighbours] .help").text_content()
    result = call(lab, LAB)
    assert numbers(told)[-2:] == pytest.approx([0, result["batch_others"]], rel=1e-2)
    change(lab, "row_scale", 1)
    assert see(lab).locator("[data-section=neighbours]").count() == 0


def curves(page, name):
    chart = see(page).locator(f"[data-chart={name}]")
    chart.locator("[data-mark=line]").first.wait_for()
    two_frames(page)
    return chart.locator("[data-mark=line] path").evaluate_all("paths => paths.map((path) => path.getAttribute('d'))")


def test_the_depth_slider_lengthens_the_curves_and_the_table_has_their_ends(lab):
    change(lab, "depth", 3)
    lab.wait_for_function("() => document.querySelector('[data-chart=gradients] [data-mark=line] path')")
    lab.wait_for_timeout(200)
    assert [len(curve.split("L")) for curve in curves(lab, "gradients")] == [4] * 5
    result = call(lab, LAB, depth=3)
    rows = see(lab).locator(".figures tbody tr")
    for at in range(5):
        told = [numbers(cell)[0] for cell in rows.nth(at).locator(".amount").all_text_contents()]
        assert told == pytest.approx([result["activations"][at, -1], result["gradients"][at, 0]], rel=1e-2)


def test_the_histogram_has_a_bar_for_each_bin_that_is_not_empty(lab):
    see(lab).locator("[data-chart=histogram] [data-mark=rect]").first.wait_for()
    bars = see(lab).locator("[data-chart=histogram] [data-mark=rect] rect").count()
    assert bars == np.count_nonzero(call(lab, LAB)["histogram"])


def test_equal_numbers_come_out_as_beta_and_the_page_says_so(lab):
    assert see(lab).locator(".claim").is_hidden()
    change(lab, "input", "paper")
    claim = see(lab).locator(".claim").text_content()
    assert "x3" in claim and "NaN" in claim
    assert (call(lab, LAB, input="paper")["output"][2] == 0).all()


def test_a_batch_of_one_comes_out_as_beta_and_the_page_says_so(lab):
    change(lab, "kind", "batch")
    change(lab, "tokens", "猫")
    assert "β" in see(lab).locator(".claim").text_content()


def test_paper_mode_every_matrix_is_edited_in_place(lab):
    change(lab, "input", "paper")
    for name, picture in (("X", "output"), ("gamma", "output"), ("beta", "output"), ("W", "change")):
        before = pixels(lab, picture, lab=LAB)
        lab.locator(f"#norm-paper_{name}").fill("3")
        assert settled(lab, LAB) == "ready"
        assert pixels(lab, picture, lab=LAB) != before, name
    assert "paper_gamma=3,1,1,1" in lab.evaluate("new Promise((done) => setTimeout(() => done(location.hash), 400))")


def test_a_block_that_is_edited_is_drawn_as_it_then_computes(lab):
    """The mistake of a peer, typed into the kernel: the sublayer's output normed first, the residual added after it."""
    before = see(lab).locator("[data-order=post] svg").inner_html()
    face(lab, "code", LAB)
    see(lab).locator(".code-tabs [data-module='seeformer.norm']").click()
    see(lab).locator(".code-editor[data-module='seeformer.norm'] .cm-content").click()
    lab.keyboard.press("Control+a")
    sources = lab.evaluate("fetch('data/norm.sources.json').then((reply) => reply.json())")
    source = next(entry["source"] for entry in sources if entry["module"] == "seeformer.norm")
    right = """    total = see("sum", x + change)
    return see("normed", layer_norm(total, gamma, beta, eps)) if norm == "post" else total
"""
    wrong = """    if norm == "none":
        return see("sum", x + change)
    return see("sum", x + see("normed", layer_norm(change, gamma, beta, eps)))
"""
    assert right in source
    lab.keyboard.insert_text(source.replace(right, wrong))
    lab.keyboard.press("Control+Enter")
    try:
        assert settled(lab, LAB) == "ready"
        drawing = see(lab).locator("[data-order=post]")
        assert drawing.locator("text").all_text_contents() == ["X", "sublayer", "layer_norm", "+"]
        assert drawn_wires(drawing) == {(0, 1), (1, 2), (0, 3), (2, 3)}
    finally:
        see(lab).get_by_role("button", name="恢复原样").click()
        settled(lab, LAB)
        face(lab, "see", LAB)
    assert see(lab).locator("[data-order=post] svg").inner_html() == before


@pytest.mark.parametrize(("width", "theme", "language"), [(360, "dark", "en"), (1280, "light", "zh")])
def test_accessible_and_no_wider_than_the_window(lab, width, theme, language):
    set_language(lab, language)
    lab.emulate_media(color_scheme=theme)
    lab.set_viewport_size({"width": width, "height": 800})
    change(lab, "tokens", " ".join(text(language)["labs"][LAB]["defaults"]["tokens"]))
    change(lab, "input", "paper")
    for kind in ("layer", "batch", "rms"):
        change(lab, "kind", kind)
        assert lab.evaluate("document.documentElement.scrollWidth") <= width
    change(lab, "input", "sentence")
    assert lab.evaluate("document.documentElement.scrollWidth") <= width
    assert serious(lab, "[data-lab=norm]") == []
    lab.emulate_media(color_scheme="light")
    lab.set_viewport_size({"width": 1280, "height": 900})
    set_language(lab, "zh")
