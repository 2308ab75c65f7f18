"""The mask lab as a reader meets it: masks switched, combined and drawn, the four experiments, reading line, paper mode."""

from functools import partial

import numpy as np
import pytest
from support import labs
from support.labs import drawn, numbers, set_language

LAB = "mask"
call, pixels, restore_defaults, root, set_field, settled = (
    partial(getattr(labs, name), lab=LAB)
    for name in ("call", "pixels", "restore_defaults", "root", "set_field", "settled")
)

CHANGES = [
    ("causal", False), ("window", 2), ("padding", 2), ("seed", 1), ("weight_set", "hand_built"), ("tokens", "别的句子也行"),
]  # fmt: skip


@pytest.fixture
def lab(booted):
    """Each test starts from the defaults."""
    restore_defaults(booted)
    return booted


def told(page, section):
    return root(page).locator(f"[data-section={section}] .told").text_content()


def claim(page):
    return root(page).locator(".claim").text_content()


def cell(page, row, col):
    return page.locator(f"#mask-drawn [data-row='{row}'][data-col='{col}']")


def reading(page, name, row, col):
    """What the reading line writes about a cell."""
    canvas = root(page).locator(f"canvas[data-heatmap={name}]")
    canvas.scroll_into_view_if_needed()
    box, shape = canvas.bounding_box(), canvas.get_attribute("aria-label")
    rows, cols = [int(number) for number in numbers(shape)[-2:]]
    canvas.hover(position={"x": (col + 0.5) * box["width"] / cols, "y": (row + 0.5) * box["height"] / rows})
    return root(page).locator(".reading code").text_content()


@pytest.mark.parametrize("tokens", ["字", "字" * 32])
def test_the_shortest_and_the_longest_sentence(lab, tokens):
    assert set_field(lab, "tokens", tokens) == "ready"
    assert root(lab).locator("canvas[data-heatmap=output]").count() == 1


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_control_changes_the_pictures(lab, name, value):
    before = pixels(lab, "weights")
    set_field(lab, name, value)
    assert pixels(lab, "weights") != before


def test_in_english_the_first_picture_is_the_causal_mask_on_an_english_sentence(open_page, server):
    page = open_page(locale="en-GB", path="#mask")
    page.locator("#mask[data-source=precomputed] .claim").wait_for()
    assert page.locator("#mask-tokens").input_value() == "the cat sat on the mat"
    assert "21 of 36" in claim(page)
    assert "0 moved with the mask above, 5 without a mask, and 5 with 0 after" in told(page, "leak")


def test_queries_are_rows_and_keys_are_columns(lab):
    """The causal mask hides what stands after the query: the upper right of the picture, never the lower left."""
    assert reading(lab, "masked", 0, 2).endswith("−∞")
    assert "−∞" not in reading(lab, "masked", 2, 0)
    assert numbers(reading(lab, "masked", 2, 0))[-1] == pytest.approx(call(lab)["masked"][2, 0], rel=1e-4)
    figure = root(lab).locator("canvas[data-heatmap=mask]").locator("xpath=ancestor::figure")
    assert figure.locator(".heatmap-axis.key").text_content() == "键 key →"
    assert figure.locator(".heatmap-axis.query").text_content() == "查询 query →"


def test_causal_and_padding_are_told_apart(lab):
    assert "往下每行多看见一个" in claim(lab)
    set_field(lab, "causal", False)
    assert "什么也没有遮" in claim(lab)
    set_field(lab, "padding", 2)
    assert "2 列整列遮住" in claim(lab) and "未来并没有遮" in claim(lab)
    set_field(lab, "padding", 0)
    set_field(lab, "window", 2)
    assert "不到 2 步" in claim(lab) and "16 格" in claim(lab)


def test_masks_add_up_in_sight(lab):
    assert root(lab).locator("[data-section=parts]").count() == 0
    set_field(lab, "window", 3)
    set_field(lab, "padding", 1)
    parts = root(lab).locator("[data-section=parts] canvas[data-heatmap]")
    assert [part.get_attribute("data-heatmap") for part in parts.all()] == [
        "mask_causal",
        "mask_window",
        "mask_padding",
    ]
    assert "3 种掩码" in claim(lab)
    result = call(lab, window=3, padding=1)
    written = root(lab).locator(".formula annotation").all_text_contents()
    assert "\\text{mask} = \\text{causal} + \\text{window}(3) + \\text{padding}(1)" in written
    assert any(formula.endswith(f"= {result['visible']}\\,/\\,36") for formula in written)
    assert reading(lab, "mask", 0, 5).startswith("(−∞) + (−∞) + (−∞)")
    assert reading(lab, "mask", 0, 1).startswith("(−∞) + 0 + 0")


def test_padding_can_stand_on_the_left_and_then_rows_see_nothing(lab):
    assert not root(lab).locator("#mask-padding_left").is_visible()
    set_field(lab, "padding", 2)
    set_field(lab, "padding_left", True)
    assert "有 2 行什么都看不见" in claim(lab) and "不是 NaN" in claim(lab)
    result = call(lab, padding=2, padding_left=True)
    assert (result["weights"][:2] == 0).all() and (result["output"][:2] == 0).all()


def test_a_mask_is_drawn_with_the_pointer_and_is_in_the_address(lab):
    set_field(lab, "causal", False)
    cell(lab, 0, 2).click()
    assert settled(lab) == "ready"
    assert "35 格" in claim(lab)
    assert reading(lab, "mask", 0, 2).endswith("−∞") and reading(lab, "mask", 2, 0).endswith("0")
    lab.wait_for_function("() => location.hash.includes('drawn=110111,111111,111111,111111,111111,111111')")


def test_a_mask_is_drawn_by_keyboard(lab):
    set_field(lab, "causal", False)
    cell(lab, 0, 0).focus()
    for key in ("Space", "Shift+ArrowDown", "Shift+ArrowDown"):
        lab.keyboard.press(key)
    assert settled(lab) == "ready"
    assert "33 格" in claim(lab)


def test_the_mask_in_force_is_taken_over_into_the_drawing(lab):
    set_field(lab, "window", 3)
    before = pixels(lab, "weights")
    root(lab).locator("[data-action=draw]").click()
    assert settled(lab) == "ready"
    assert pixels(lab, "weights") == before
    assert not lab.locator("#mask-causal").is_checked() and lab.locator("#mask-window").input_value() == "0"
    hidden = root(lab).locator("#mask-drawn [data-state=hidden]")
    assert hidden.count() == (call(lab, window=3)["mask"] != 0).sum() == 21
    root(lab).get_by_role("button", name="反转").click()
    settled(lab)
    assert hidden.count() == 15
    root(lab).get_by_role("button", name="全部可见").click()
    settled(lab)
    assert hidden.count() == 0 and "什么也没有遮" in claim(lab)


def test_the_drawing_outlives_another_sentence(lab):
    set_field(lab, "causal", False)
    cell(lab, 1, 3).click()
    settled(lab)
    for sentence, row in (("长一点的句子也可以", "111011111"), ("短句", None), ("猫坐在垫子上", "111011")):
        assert set_field(lab, "tokens", sentence) == "ready"
        labels = root(lab).locator("#mask-drawn [role=rowheader]").all_text_contents()
        assert "".join(labels) == sentence
        if row:
            cells = [cell(lab, 1, col).get_attribute("data-state") == "visible" for col in range(len(row))]
            assert cells == [sign == "1" for sign in row]


def test_zero_after_is_told_with_the_sum_of_the_poorest_row(lab):
    result = call(lab)
    assert numbers(told(lab, "zeroed"))[1] == pytest.approx(result["zeroed_sums"].min(), rel=0.01)
    assert numbers(told(lab, "zeroed"))[2] < 1e-12
    last = numbers(reading(lab, "zeroed_sums", 0, 0))
    assert last[-1] == pytest.approx(result["zeroed_sums"][0, 0], rel=1e-4) and last[-1] < 1
    assert numbers(reading(lab, "row_sums", 3, 0))[-1] == pytest.approx(1)


def test_the_leak_test_says_which_outputs_moved(lab):
    assert "用上面的掩码，动了 0 行；不用掩码，动了 5 行；softmax 之后才置零，动了 5 行" in told(lab, "leak")
    set_field(lab, "change_at", 3)
    assert "前面的 2 行" in told(lab, "leak") and "掩码，动了 0 行；不用掩码，动了 2 行" in told(lab, "leak")
    set_field(lab, "causal", False)
    assert "用上面的掩码，动了 2 行" in told(lab, "leak") and "分母" not in told(lab, "leak")
    set_field(lab, "change_at", 1)
    assert "不算泄漏" in told(lab, "leak")
    figure = root(lab).locator("canvas[data-heatmap=moved]").locator("xpath=ancestor::figure")
    assert figure.locator(".heatmap-columns > span:not(.visitor)").all_text_contents() == ["①", "②", "③"]


def test_the_empty_row_is_nan_in_the_usual_code_and_zero_here(lab):
    assert reading(lab, "naive_weights", 0, 3) == "exp(−∞ − (−∞)) / Σ = NaN"
    assert reading(lab, "emptied_weights", 0, 3) == "0"
    assert reading(lab, "naive_next", 5, 3).endswith("NaN") and "NaN" not in reading(lab, "emptied_next", 5, 3)
    assert "6 行里有 6 行是 NaN" in told(lab, "empty") and "NaN 有 0 行" in told(lab, "empty")
    set_field(lab, "empty_row", 4)
    assert "第 4 行全部遮住" in told(lab, "empty")
    assert reading(lab, "naive_weights", 3, 0).endswith("NaN")
    assert numbers(reading(lab, "naive_weights", 0, 0))[-1] == 1


def test_training_and_generation_agree_under_the_causal_mask_only(lab):
    assert numbers(told(lab, "prefix"))[0] < 1e-12 and "共 21 个词元" in told(lab, "prefix")
    assert numbers(told(lab, "prefix"))[0] == pytest.approx(call(lab)["prefix_max"], rel=0.1)
    set_field(lab, "causal", False)
    assert numbers(told(lab, "prefix"))[-1] == pytest.approx(call(lab, causal=False)["prefix_max"], rel=0.1)
    assert "不一样" in told(lab, "prefix")


def test_every_reading_ends_with_the_value_of_its_cell(lab):
    set_field(lab, "window", 4)
    result = call(lab, window=4)
    names = [canvas.get_attribute("data-heatmap") for canvas in root(lab).locator("canvas[data-heatmap]").all()]
    assert len(names) == len(set(names)) == 31
    for name in names:
        row, col = result[name].shape[0] - 1, result[name].shape[1] // 2
        line = reading(lab, name, row, col)
        value = result[name][row, col]
        if np.isfinite(value):
            assert numbers(line)[-1] == pytest.approx(value, rel=1e-4, abs=1e-6), (name, line)
        else:
            assert line.endswith("NaN" if np.isnan(value) else "−∞"), (name, line)


def test_the_terms_of_a_reading_are_those_of_the_arrays(lab):
    result = call(lab)
    first = {
        "scores": (result["Q"][4, 0], result["K"][2, 0]),
        "masked": (result["scores"][4, 2], 0),
        "weights": (result["masked"][4, 2], result["peak"][4, 0]),
        "output": (result["weights"][4, 0], result["V"][0, 2]),
        "naive_output": (result["naive_weights"][4, 0], result["V"][0, 2]),
        "difference_unmasked": (result["after_unmasked"][4, 2], result["before_unmasked"][4, 2]),
        "K": (result["X"][4, 0], result["W_K"][0, 2]),
    }
    for name, terms in first.items():
        assert numbers(reading(lab, name, 4, 2))[:2] == pytest.approx(terms, rel=1e-4), name


def test_pointing_at_a_weight_lights_the_same_pair_everywhere(lab):
    def emphasis():
        drawn(lab)
        layers = root(lab).locator(
            "canvas[data-heatmap=zeroed] + .heatmap-emphasis, canvas[data-heatmap=K] + .heatmap-emphasis"
        )
        return layers.evaluate_all("layers => layers.map((layer) => layer.toDataURL())")

    before = emphasis()
    reading(lab, "weights", 4, 2)
    assert all(a != b for a, b in zip(before, emphasis(), strict=True))


def test_bad_input_stands_beside_its_control_and_nothing_is_lost(lab):
    set_field(lab, "padding", 6)
    picture = pixels(lab, "weights")
    assert set_field(lab, "tokens", "短句") == "error"
    assert "padding=6" in lab.locator("#mask-padding-error").text_content()
    assert pixels(lab, "weights") == picture
    assert set_field(lab, "padding", 1) == "ready"
    assert set_field(lab, "tokens", "字" * 33) == "error"
    assert "33" in lab.locator("#mask-tokens-error").text_content()


def test_a_drawing_that_is_none_in_the_address_is_refused_beside_the_grid(lab):
    lab.evaluate("() => { location.hash = '#mask?drawn=10,2x&v=1'; }")
    lab.locator("[data-lab=mask][data-state=error]").wait_for()
    assert "drawn=['10', '2x']" in lab.locator("#mask-drawn-error").text_content()
    cell(lab, 0, 1).click()
    assert settled(lab) == "ready"


def test_paper_mode_every_number_is_edited_in_place(lab):
    set_field(lab, "weight_set", "paper")
    assert not lab.locator("#mask-tokens").is_visible()
    assert reading(lab, "weights", 1, 0).endswith("= 0.5")
    for name in ("scores", "V"):
        before = pixels(lab, "output")
        lab.locator(f"#mask-paper_{name}").fill("-5")
        lab.locator(f"[data-control=paper_{name}] input").nth(4).fill("7")
        assert settled(lab) == "ready"
        assert pixels(lab, "output") != before, name
    lab.wait_for_function("() => location.hash.includes('paper_V=-5,0;0,6;7,0;6,6')")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_nothing_is_wider_than_a_small_screen(lab, language):
    set_language(lab, language)
    lab.set_viewport_size({"width": 360, "height": 740})
    for name, value in (
        ("window", 3),
        ("padding", 2),
        ("weight_set", "hand_built"),
        ("tokens", "一二三四五六七八" * 4),
        ("weight_set", "paper"),
    ):
        set_field(lab, name, value)
        assert lab.evaluate("document.documentElement.scrollWidth") <= 360, (name, value)
    lab.set_viewport_size({"width": 1280, "height": 900})
    set_language(lab, "zh")
