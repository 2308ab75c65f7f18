"""The attention lab as a reader meets it: pictures, controls, claims, reading line, paper mode."""

import numpy as np
import pytest
from support.labs import call, drawn, numbers, pixels, restore_defaults, root, set_field, settled

CHANGES = [
    ("num_heads", 2), ("d_model", 32), ("sharpness", 0), ("seed", 1), ("causal", True), ("padding", 3), ("scaled", False),
    ("positional", False), ("weight_set", "random_scaled"), ("tokens", "别的句子"),
]  # fmt: skip


@pytest.fixture
def lab(booted):
    """Each test starts from the defaults."""
    restore_defaults(booted)
    return booted


def test_the_promised_call(lab):
    result = call(lab, tokens=["我", "爱", "猫"], num_heads=2, d_model=8, seed=0, causal=True)
    assert result["weights"].shape == (2, 3, 3)
    np.testing.assert_allclose(result["weights"].sum(-1), 1, atol=1e-6)
    assert (result["weights"][:, *np.triu_indices(3, 1)] == 0).all()


def test_the_promised_refusal(lab):
    told = lab.evaluate(
        "seeformer.call('attention', {d_model: 10, num_heads: 4}).catch(({type, message}) => ({type, message}))"
    )
    assert told["type"] == "ValueError" and "10" in told["message"] and "num_heads=4" in told["message"]


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_control_changes_the_pictures(lab, name, value):
    before = pixels(lab, "weights", 0), pixels(lab, "output")
    set_field(lab, name, value)
    assert (pixels(lab, "weights", 0), pixels(lab, "output")) != before


def test_own_text_chinese_into_characters_english_into_words(lab):
    assert set_field(lab, "tokens", "我爱 the cat's GPT模型!") == "ready"
    labels = (
        root(lab)
        .locator("canvas[data-heatmap=weights][data-index='0']")
        .locator("xpath=ancestor::figure")
        .locator(".heatmap-rows > span")
    )
    assert list(filter(None, labels.all_text_contents())) == ["我", "爱", "the", "cat's", "GPT", "模", "型", "!"]


def test_bad_input_stands_beside_its_control_and_nothing_is_lost(lab):
    picture = pixels(lab, "weights", 0)
    assert set_field(lab, "d_model", 10) == "error"
    message = root(lab).locator("#attention-d_model-error")
    assert message.is_visible() and "num_heads=4" in message.text_content()
    assert root(lab).locator("#attention-d_model").get_attribute("aria-invalid") == "true"
    assert root(lab).locator("#attention-d_model").input_value() == "10"
    assert pixels(lab, "weights", 0) == picture
    assert set_field(lab, "d_model", 16) == "ready"
    assert not message.is_visible()


def test_too_many_words_are_refused_beside_the_sentence(lab):
    assert set_field(lab, "tokens", "字" * 129) == "error"
    assert "129" in root(lab).locator("#attention-tokens-error").text_content()
    assert set_field(lab, "tokens", "字" * 128) == "ready"
    assert set_field(lab, "tokens", "") == "error"
    assert root(lab).locator("#attention-tokens-error").is_visible()


def test_queries_are_rows_and_keys_are_columns(lab):
    """A causal mask hides what stands after the query: the upper right of the picture, never the lower left."""
    set_field(lab, "causal", True)
    result = call(lab, causal=True)
    cell = root(lab).locator("canvas[data-heatmap=masked][data-index='0']")
    box, n = cell.bounding_box(), result["n"]
    figure = cell.locator("xpath=ancestor::figure")

    def value(row, column):
        cell.hover(position={"x": (column + 0.5) * box["width"] / n, "y": (row + 0.5) * box["height"] / n})
        return figure.locator(".heatmap-readout").text_content()

    assert "−∞" in value(0, 2)
    assert "−∞" not in value(2, 0)
    assert numbers(value(2, 0))[-1] == pytest.approx(result["masked"][0, 2, 0], rel=1e-4)


def test_the_reading_line_is_true(lab):
    """The last number of every reading is the value, and the products it lists are those of the arrays."""
    result = call(lab, causal=True)
    set_field(lab, "causal", True)
    cell = root(lab).locator("canvas[data-heatmap=weights][data-index='2']")
    cell.focus()
    cell.press("ArrowRight")
    cell.press("ArrowDown")
    reading = root(lab).locator(".reading code").text_content()
    row, column = [int(at) for at in cell.evaluate("canvas => [canvas.dataset.row ?? 1, canvas.dataset.col ?? 0]")]
    values = numbers(reading)
    masked, peak, exp, total, weight = (result[name][2, row] for name in ("masked", "peak", "exp", "total", "weights"))
    assert values[-1] == pytest.approx(weight[column], rel=1e-4)
    assert values[-3:-1] == [pytest.approx(exp[column], rel=1e-4), pytest.approx(total[0], rel=1e-4)]
    assert values[:2] == [pytest.approx(masked[column], rel=1e-4), pytest.approx(peak[0], rel=1e-4)]


def test_pointing_at_a_cell_lights_its_row_and_column_elsewhere(lab):
    before = pixels_of_emphasis(lab, "K", 0)
    root(lab).locator("canvas[data-heatmap=weights][data-index='0']").hover(position={"x": 5, "y": 5})
    assert pixels_of_emphasis(lab, "K", 0) != before


def pixels_of_emphasis(page, name, index):
    drawn(page)
    return (
        root(page)
        .locator(f"canvas[data-heatmap={name}][data-index='{index}'] + .heatmap-emphasis")
        .evaluate("canvas => canvas.toDataURL()")
    )


def test_shuffling_without_positions_only_permutes_and_the_page_says_so(lab):
    set_field(lab, "positional", False)
    root(lab).get_by_role("button", name="打乱词序").click()
    settled(lab)
    assert (
        "最大差 0" in root(lab).locator(".claim").text_content()
        or numbers(root(lab).locator(".claim").text_content())[-1] < 1e-6
    )
    assert "注意力看不见顺序" in root(lab).locator(".claim").text_content()
    assert abs(call(lab, positional=False, shuffle=1)["difference"]).max() < 1e-6


def test_shuffling_with_positions_changes_the_output_and_the_page_says_so(lab):
    root(lab).get_by_role("button", name="打乱词序").click()
    settled(lab)
    told = numbers(root(lab).locator(".claim").text_content())[-1]
    assert told == pytest.approx(call(lab, shuffle=1)["max_change"], rel=1e-4) and told > 0.1
    root(lab).get_by_role("button", name="恢复词序").click()
    settled(lab)
    assert root(lab).locator(".claim").is_hidden()


def test_tiny_random_weights_are_uniform_and_the_page_says_why(lab):
    set_field(lab, "weight_set", "random_001")
    weights = call(lab, weight_set="random_001")["weights"]
    np.testing.assert_allclose(weights, 1 / 9, rtol=0.2)
    assert "1/9" in root(lab).locator(".claim").text_content()


def test_a_fully_masked_row_is_zero_and_the_page_says_so(lab):
    set_field(lab, "padding", 9)
    assert (call(lab, padding=9)["weights"] == 0).all()
    assert "NaN" in root(lab).locator(".claim").text_content()


def test_paper_mode_every_matrix_is_edited_in_place(lab):
    set_field(lab, "weight_set", "paper")
    for name in ("X", "W_Q", "W_K", "W_V", "W_O"):
        before = pixels(lab, "output")
        root(lab).locator(f"#attention-paper_{name}").fill("3")
        assert settled(lab) == "ready"
        assert pixels(lab, "output") != before, name
    assert "paper_W_V=3,2;3,0" in lab.evaluate("new Promise((done) => setTimeout(() => done(location.hash), 400))")


def test_every_head_can_be_followed(lab):
    root(lab).locator("[data-head=all]").click()
    for name in ("Q", "K", "V", "scores", "masked", "weights", "heads"):
        assert root(lab).locator(f"canvas[data-heatmap={name}]").count() == 4, name
    root(lab).locator(".picker [data-head='0']").click()


def test_the_formula_has_the_numbers_of_the_result(lab):
    set_field(lab, "d_model", 128)
    text = root(lab).locator(".formula").text_content()
    scale = call(lab, d_model=128)["scale"]
    assert "√32" in text.replace("\\sqrt{32}", "√32") and f"{scale:.6g}" in text
