"""The ViT lab as a reader meets it: drawing, patches, heads over the picture, hiding, silencing, shuffling."""

import numpy as np
import pytest
from support.axe import serious
from support.labs import call, numbers, pixels, restore_defaults, root, set_field, set_language, settled

from sitebuild.labs import text

LAB = "vit"
WORDS = text("zh")["labs"]["vit"]
CHANGES = [
    ("patch_size", 4), ("num_layers", 2), ("num_heads", 2), ("d_model", 16), ("spread", 0.02), ("seed", 1), ("positional", False),
]  # fmt: skip


@pytest.fixture
def lab(booted):
    """Each test starts from the defaults."""
    restore_defaults(booted, LAB)
    return booted


def press(page, name):
    root(page, LAB).get_by_role("button", name=name, exact=True).click()
    return settled(page, LAB)


def multiples(page, name):
    return root(page, LAB).locator(f"canvas[data-multiples={name}]")


def painted(page, name):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return multiples(page, name).evaluate("canvas => canvas.toDataURL()")


def told(page, section):
    return root(page, LAB).locator(f"[data-section={section}] .told:visible").all_text_contents()


def shares(page):
    return [float(each) for each in root(page, LAB).locator(".candidates .amount b").all_text_contents()]


def address(page):
    return page.evaluate("() => new Promise((done) => setTimeout(() => done(location.hash), 400))")


def pixel(page, row, col):
    return page.locator(f"#vit-picture [data-row='{row}'][data-col='{col}']")


def test_random_weights_stand_in_plain_sight_in_both_languages(lab):
    assert root(lab, LAB).locator(".claim").text_content() == WORDS["claims"]["random"]
    assert "随机" in WORDS["claims"]["random"] and "没有训练过" in WORDS["claims"]["random"]
    set_language(lab, "en")
    assert root(lab, LAB).locator(".claim").text_content().startswith("Random weights, not trained")
    set_language(lab, "zh")


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_control_changes_the_pictures(lab, name, value):
    before = pixels(lab, "attention", lab=LAB), shares(lab)
    assert set_field(lab, name, value, LAB) == "ready"
    assert (pixels(lab, "attention", lab=LAB), shares(lab)) != before


def test_what_is_drawn_is_what_the_model_sees(lab):
    before = pixels(lab, "picture", lab=LAB), painted(lab, "cut"), pixels(lab, "X", lab=LAB), shares(lab)
    pixel(lab, 0, 0).click()
    settled(lab, LAB)
    after = pixels(lab, "picture", lab=LAB), painted(lab, "cut"), pixels(lab, "X", lab=LAB), shares(lab)
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert "picture=f0264000," in address(lab)


def test_a_picture_to_start_from(lab):
    press(lab, WORDS["drawings"]["seven"])
    drawn = lab.locator("#vit-picture [data-shade]").evaluate_all(
        "cells => cells.map(cell => Number(cell.dataset.shade))"
    )
    result = call(lab, LAB)
    rows = result["drawings"][result["drawing_names"].index("seven")].split(",")
    assert drawn == [int(sign, 16) for row in rows for sign in row]


def test_sixteen_pixels_a_side_make_sixty_five_tokens(lab):
    press(lab, "16 × 16")
    assert root(lab, LAB).locator(".strip [role=radio]").count() == 65
    assert set_field(lab, "patch_size", 4, LAB) == "ready"
    assert root(lab, LAB).locator(".strip [role=radio]").count() == 17


def test_the_bars_are_the_probabilities_of_the_ten_classes(lab):
    result = call(lab, LAB)
    np.testing.assert_allclose(shares(lab), result["probabilities"], rtol=5.1e-3)
    assert root(lab, LAB).locator(".candidates .name").all_text_contents() == result["labels"]
    assert f"“{result['top']}”" in told(lab, "answer")[0]


def test_choosing_a_head_follows_it(lab):
    canvas = multiples(lab, "looks")
    before = pixels(lab, "look", lab=LAB), pixels(lab, "attention", lab=LAB)
    lab.mouse.move(0, 0)  # a pointer above the pictures would have its own say
    canvas.focus()
    painted(lab, "looks")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        canvas.press(key)
    settled(lab, LAB)
    assert root(lab, LAB).locator("[data-section=look] h4").text_content() == "第 2 层，头 2"
    assert (pixels(lab, "look", lab=LAB), pixels(lab, "attention", lab=LAB)) != before
    layer, head = numbers(root(lab, LAB).locator("[data-section=look] h4").text_content())
    result = call(lab, LAB, layer=int(layer), head=int(head))
    assert numbers(told(lab, "look")[0])[0] == pytest.approx(result["look_peak"], rel=1e-2)


def test_choosing_a_patch_lays_its_attention_over_the_picture(lab):
    before = painted(lab, "looks"), pixels(lab, "overlay", lab=LAB)
    cut = multiples(lab, "cut")
    cut.focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        cut.press(key)
    settled(lab, LAB)
    chosen = root(lab, LAB).locator(".strip [aria-checked=true]").text_content()
    query = call(lab, LAB)["tokens"].index(chosen)
    assert query > 0 and f"query={query}" in address(lab)
    assert (painted(lab, "looks"), pixels(lab, "overlay", lab=LAB)) != before
    assert told(lab, "look")[0].startswith(chosen)


def test_a_cell_of_the_overlay_is_a_pixel_times_the_share_of_its_patch(lab):
    canvas = root(lab, LAB).locator("canvas[data-heatmap=overlay]")
    canvas.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight"):
        canvas.press(key)
    reading = root(lab, LAB).locator(".reading code").text_content()
    ink, weight, peak, value = numbers(reading)
    assert ink * weight / peak == pytest.approx(value, rel=1e-4) and value > 0
    assert "像素" in root(lab, LAB).locator(".reading b").text_content()


def test_a_hidden_patch_is_seen_by_nobody_and_the_rest_is_renormalised(lab):
    root(lab, LAB).locator(".strip [role=radio]").nth(6).click()
    settled(lab, LAB)
    token = call(lab, LAB)["tokens"][6]
    press(lab, WORDS["hide"].format(token=token))
    assert "hidden=6" in address(lab)
    assert root(lab, LAB).locator(".strip [data-hidden]").text_content() == token
    result = call(lab, LAB, hidden=["6"])
    assert (result["weights"][..., 6] == 0).all()
    first, last = numbers(told(lab, "hiding")[0])[1], numbers(told(lab, "hiding")[0])[-1]
    assert first < 1e-12 and last == pytest.approx(result["gaps"][-1], rel=0.05)
    for name in ("unhidden", "renormalised"):
        assert root(lab, LAB).locator(f"canvas[data-heatmap={name}]").is_visible()
    press(lab, WORDS["show"].format(token=token))
    assert root(lab, LAB).locator("[data-section=hiding]").count() == 0


def test_hiding_every_patch_is_said(lab):
    one, other = ({"hidden": [str(at) for at in range(1, 17)], "picture": [sign * 8] * 8} for sign in "0f")
    np.testing.assert_allclose(call(lab, LAB, **one)["logits"], call(lab, LAB, **other)["logits"], atol=1e-6)
    lab.evaluate("() => { location.hash = '#vit?hidden=' + Array.from({ length: 16 }, (_, at) => at + 1) + '&v=1' }")
    root(lab, LAB).locator("[data-section=hiding]").wait_for()
    settled(lab, LAB)
    assert told(lab, "hiding") == [WORDS["told"]["blind"]]


def test_a_silenced_head_changes_the_bars_and_can_be_switched_on_again(lab):
    before = shares(lab)
    press(lab, WORDS["silence"])
    result = call(lab, LAB, ablated=["encoder.0.self.0"])
    np.testing.assert_allclose(shares(lab), result["probabilities"], rtol=5.1e-3)
    assert shares(lab) != before and root(lab, LAB).locator(".candidates.pairs").count() == 1
    assert numbers(told(lab, "answer")[1])[0] == pytest.approx(result["moved_percent"], rel=1e-2)
    press(lab, WORDS["actions"]["wake"])
    assert shares(lab) == before


def test_without_positions_a_shuffle_leaves_the_scores_and_the_page_says_so(lab):
    set_field(lab, "positional", False, LAB)
    before, picture = shares(lab), pixels(lab, "picture", lab=LAB)
    press(lab, WORDS["actions"]["shuffle"])
    assert pixels(lab, "picture", lab=LAB) != picture and shares(lab) == before
    line = told(lab, "picture")[0]
    assert line.startswith(WORDS["told"]["orderSame"][:12]) and numbers(line)[-1] < 1e-9


def test_with_positions_a_shuffle_changes_them_and_the_page_says_so(lab):
    before = shares(lab)
    press(lab, WORDS["actions"]["shuffle"])
    assert shares(lab) != before
    assert numbers(told(lab, "picture")[0])[-1] == pytest.approx(call(lab, LAB, shuffle=1)["logit_change"], rel=1e-2)
    press(lab, WORDS["actions"]["unshuffle"])
    assert told(lab, "picture") == [] and shares(lab) == before


def test_small_weights_look_evenly_and_the_page_says_so(lab):
    assert told(lab, "heads") == []
    set_field(lab, "spread", 0.02, LAB)
    assert "1/17" in told(lab, "heads")[0]
    assert abs(call(lab, LAB, spread=0.02)["weights"] * 17 - 1).max() < 0.2


def test_a_patch_size_that_does_not_fit_stands_beside_its_control(lab):
    picture = pixels(lab, "picture", lab=LAB)
    assert set_field(lab, "patch_size", 3, LAB) == "error"
    message = root(lab, LAB).locator("#vit-patch_size-error")
    assert message.is_visible() and "image_size=8" in message.text_content()
    assert pixels(lab, "picture", lab=LAB) == picture
    assert set_field(lab, "patch_size", 2, LAB) == "ready"


def test_pointing_at_a_pixel_lights_its_patch_elsewhere(lab):
    layer = root(lab, LAB).locator("canvas[data-heatmap=projected] + .heatmap-emphasis")
    before = layer.evaluate("canvas => canvas.toDataURL()")
    root(lab, LAB).locator("canvas[data-heatmap=picture]").hover(position={"x": 40, "y": 40})
    lab.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert layer.evaluate("canvas => canvas.toDataURL()") != before


def test_the_formula_has_the_numbers_of_the_result(lab):
    set_field(lab, "patch_size", 4, LAB)
    result = call(lab, LAB, patch_size=4)
    formula = root(lab, LAB).locator(".formula").text_content()
    assert str(result["parameters"]) in formula and result["n"] == 5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_wider_than_a_phone(lab, theme):
    lab.emulate_media(color_scheme=theme)
    lab.set_viewport_size({"width": 360, "height": 800})
    lab.wait_for_timeout(300)
    assert lab.evaluate("document.documentElement.scrollWidth") == 360
    assert serious(lab, f"[data-lab={LAB}]") == []
    lab.emulate_media(color_scheme="light")
    lab.set_viewport_size({"width": 1280, "height": 900})
