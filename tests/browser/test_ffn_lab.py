"""The feed-forward lab as a reader meets it: pictures, charts, controls, claims, reading line, paper mode."""

from itertools import pairwise

import numpy as np
import pytest
from support import labs
from support.axe import serious

numbers = labs.numbers

CHANGES = [
    ("d_model", 8), ("multiple", 2), ("activation", "gelu"), ("seed", 1), ("bias", False), ("weight_set", "detectors"),
    ("weight_set", "paper"), ("tokens", "别的句子"),
]  # fmt: skip


@pytest.fixture
def lab(booted):
    """Each test starts from the defaults."""
    labs.restore_defaults(booted, "ffn")
    return booted


def root(page):
    return labs.root(page, "ffn")


def call(page, **params):
    return labs.call(page, "ffn", **params)


def set_field(page, name, value):
    return labs.set_field(page, name, value, lab="ffn")


def pixels(page, name):
    return labs.pixels(page, name, lab="ffn")


def claim(page):
    return root(page).locator(".claim").text_content()


def told(page, section):
    return root(page).locator(f"[data-section={section}] > .help").last.text_content()


def chart(page, name):
    figure = root(page).locator(f"[data-chart={name}]")
    figure.locator("svg[role=img]").wait_for()
    return figure


def chart_label(page, name, *, has):
    """What the chart says of itself, once it says this: charts follow the pictures a frame later."""
    label = chart(page, name).locator(f"svg[aria-label*='{has}']")
    label.wait_for()
    return label.get_attribute("aria-label")


def read(page, name, *keys):
    cell = root(page).locator(f"canvas[data-heatmap={name}]").first
    cell.focus()
    for key in ("ArrowRight", *keys):
        cell.press(key)
    return root(page).locator(".reading code").text_content()


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_control_changes_the_pictures(lab, name, value):
    before = pixels(lab, "hidden"), pixels(lab, "output")
    assert set_field(lab, name, value) == "ready"
    assert (pixels(lab, "hidden"), pixels(lab, "output")) != before


def test_about_half_of_the_cells_are_silent_and_the_page_counts_them(lab):
    result = call(lab)
    zeros = int((result["hidden"] == 0).sum())
    assert [result["hidden"].size, zeros] == numbers(claim(lab))[:2]
    assert 0.4 < zeros / result["hidden"].size < 0.6
    silent = int((result["hidden"] == 0).all(axis=0).sum())
    assert numbers(claim(lab))[-2:] == [64, silent]


def test_gelu_leaks_and_the_page_says_how_far(lab):
    set_field(lab, "activation", "gelu")
    hidden = call(lab, activation="gelu")["hidden"]
    cells, *middle, lowest = numbers(claim(lab))
    assert cells == hidden.size and (hidden > 0).sum() in middle and (hidden == 0).sum() == 0
    assert lowest == pytest.approx(hidden.min(), abs=0.001) and -0.171 < lowest < 0


def test_detectors_fire_for_their_own_words_and_misfire_when_there_are_too_many(lab):
    set_field(lab, "weight_set", "detectors")
    result = call(lab, weight_set="detectors")
    asked = [[token in name.split("/") for name in result["unit_names"]] for token in result["tokens"]]
    assert ((result["hidden"] > 0) == asked).all()
    assert numbers(claim(lab)) == [64, 576, np.sum(asked)]
    set_field(lab, "d_model", 4)
    misfires = call(lab, weight_set="detectors", d_model=4)["misfires"]
    assert misfires > 0 and misfires in numbers(claim(lab))
    assert root(lab).locator("#ffn-bias").is_hidden()


def test_one_word_replaced_changes_one_row_here_and_all_in_attention(lab):
    set_field(lab, "changed", 4)
    result = call(lab, changed=4)
    rows = abs(result["difference"]).max(axis=1) > 0
    assert rows.tolist() == [i == 3 for i in range(9)]
    assert (abs(result["difference_attention"]).max(axis=1) > 0).all()
    assert numbers(told(lab, "alone")) == [4, 1, 9, 9] and "鼠′" in told(lab, "alone")
    before = pixels(lab, "difference")
    set_field(lab, "changed", 5)
    assert pixels(lab, "difference") != before
    set_field(lab, "changed", 0)
    assert root(lab).locator("[data-section=alone]").count() == 0


def test_shuffling_only_permutes_and_the_page_says_so(lab):
    assert root(lab).locator("[data-section=shuffle]").count() == 0
    root(lab).get_by_role("button", name="打乱词序").click()
    labs.settled(lab, "ffn")
    result = call(lab, shuffle=1)
    assert result["tokens"] != call(lab)["tokens"] and abs(result["difference_shuffled"]).max() < 1e-6
    assert numbers(told(lab, "shuffle"))[-1] < 1e-6
    root(lab).get_by_role("button", name="恢复词序").click()
    labs.settled(lab, "ffn")
    assert root(lab).locator("[data-section=shuffle]").count() == 0


def test_parameters_are_those_of_the_arrays_on_the_page_and_in_the_formula(lab):
    set_field(lab, "multiple", 8)
    assert numbers(told(lab, "parameters"))[:2] == [4 * 16 * 16 + 4 * 16, 2 * 16 * 128 + 128 + 16]
    formula = root(lab).locator(".formula").text_content()
    assert "2⋅16⋅128+128+16=4240" in formula.replace(" ", "").replace("\u2061", "") and "1088" in formula
    bars = chart(lab, "parameters").locator("[data-mark=bar] rect")
    assert bars.count() == 12
    set_field(lab, "bias", False)
    assert numbers(told(lab, "parameters"))[:3] == [1024, 4096, 4]
    chart_label(lab, "parameters", has="4096")
    assert bars.count() == 6


def test_the_chosen_unit_is_on_its_curve(lab):
    set_field(lab, "unit", 7)
    result = call(lab, unit=7)
    said = numbers(chart_label(lab, "curve", has="h7"))
    pairs = np.stack([result["unit_pre_activation"], result["unit_hidden"]], axis=1)
    np.testing.assert_allclose(said[-18:], pairs.ravel(), rtol=0.01, atol=1e-6)
    assert chart(lab, "curve").locator("[data-mark=dot] circle").count() == 9
    assert "h7" in told(lab, "unit")
    np.testing.assert_allclose(result["pre_activation"][:, 6], result["unit_pre_activation"])


def test_how_many_units_fire_is_counted_on_the_arrays(lab):
    fires = call(lab)["hidden"] > 0
    shares = numbers(chart_label(lab, "firing_positions", has="猫"))
    np.testing.assert_allclose(shares, fires.mean(axis=1), rtol=0.01)
    counts = np.bincount(fires.sum(axis=0), minlength=10)
    assert numbers(chart_label(lab, "units_by_count", has="64"))[-10:] == counts.tolist()


def test_the_reading_line_is_true(lab):
    result = call(lab)
    pre = numbers(read(lab, "pre_activation", "ArrowDown", "Home"))
    assert pre[-1] == pytest.approx(result["pre_activation"][1, 0], rel=1e-4)
    assert pre[:2] == [pytest.approx(result[name][at], rel=1e-4) for name, at in (("X", (1, 0)), ("W_1", (0, 0)))]
    assert pre[-2] == pytest.approx(result["b_1"][0], rel=1e-4)
    zero, before, after = numbers(read(lab, "hidden", "Home"))
    row, column = np.argwhere(np.isclose(result["pre_activation"], before, rtol=1e-4))[0]
    assert zero == 0 and after == pytest.approx(result["hidden"][row, column], rel=1e-4)
    output = numbers(read(lab, "output", "Home"))
    assert any(output[-1] == pytest.approx(value, rel=1e-4) for value in result["output"][:, 0])


def test_the_reading_line_of_gelu_shows_the_gate(lab):
    set_field(lab, "activation", "gelu")
    pre, again, gate, hidden = numbers(read(lab, "hidden", "Home"))
    assert pre == again and 0 < gate < 1 and hidden == pytest.approx(pre * gate, rel=1e-4)


def test_a_silent_cell_lights_its_bar_and_its_dot(lab):
    rings = chart(lab, "curve").locator("[data-mark=dot] circle[r='8']")
    assert rings.count() == 0
    read(lab, "hidden")
    rings.first.wait_for(state="attached")
    assert rings.count() == 1


def test_bad_input_stands_beside_its_control_and_nothing_is_lost(lab):
    picture = pixels(lab, "hidden")
    assert set_field(lab, "unit", 65) == "error"
    message = root(lab).locator("#ffn-unit-error")
    assert message.is_visible() and "64" in message.text_content()
    assert pixels(lab, "hidden") == picture
    assert set_field(lab, "unit", 64) == "ready"
    assert not message.is_visible()


def test_paper_mode_every_matrix_is_edited_in_place(lab):
    set_field(lab, "weight_set", "paper")
    assert root(lab).locator("#ffn-tokens").is_hidden()
    boxes = [box.bounding_box() for box in root(lab).locator(".entries:visible").all()]
    assert len(boxes) == 5
    apart = [one["x"] + one["width"] <= two["x"] or two["y"] > one["y"] + 9 for one, two in pairwise(boxes)]
    assert all(apart), boxes
    for name in ("X", "W_1", "b_1", "W_2", "b_2"):
        before = pixels(lab, "output")
        lab.locator(f"#ffn-paper_{name}").fill("5")
        assert labs.settled(lab, "ffn") == "ready"
        assert pixels(lab, "output") != before, name
    assert "paper_b_2=5,0" in lab.evaluate("new Promise((done) => setTimeout(() => done(location.hash), 400))")


def test_nothing_in_it_hinders_a_screen_reader_or_leaves_a_phone_s_screen(lab):
    lab.set_viewport_size({"width": 360, "height": 760})
    try:
        chart(lab, "curve")
        assert serious(lab, "[data-lab=ffn]") == []
        assert lab.evaluate("document.documentElement.scrollWidth") <= 360
    finally:
        lab.set_viewport_size({"width": 1280, "height": 900})
