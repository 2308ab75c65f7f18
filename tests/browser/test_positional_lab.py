"""The positional lab as a reader meets it: pictures, hands, charts, what it says of the numbers, paper mode."""

import math

import numpy as np
import pytest
from support.labs import call, numbers, pixels, restore_defaults, root, set_field, settled

LAB = "positional"
ALWAYS = {
    "rates", "angles", "PE", "similarity", "codes", "embedding", "code", "added", "Q_added", "concatenated",
    "Q_concatenated", "W_Q", "W_twice", "learned", "learned_similarity", "alibi", "alibi_weights",
    *(f"{what}_{which}" for what in ("output", "shuffled", "difference") for which in ("with", "without")),
}  # fmt: skip
PAIRED = {
    "rotation", "moved", "later", "hand", "turn", "hand_moved",
    "queries", "keys", "rotated_queries", "rotated_keys", "rope_scores",
}  # fmt: skip
CHANGES = [
    ("seq_len", 12, "PE"), ("d_model", 16, "PE"), ("base", 20, "PE"), ("offset", 7, "PE"), ("tokens", "人咬狗", "output_with"),
    ("pair", 3, "turn"), ("pos", 5, "hand"), ("steps", -3, "hand_moved"), ("layout", "half", "rotated_queries"),
]  # fmt: skip


@pytest.fixture
def lab(booted):
    """Each test starts from the defaults."""
    restore_defaults(booted, LAB)
    return booted


def shown(page):
    return set(root(page, LAB).locator("canvas[data-heatmap]").evaluate_all("all => all.map((c) => c.dataset.heatmap)"))


def set_one(page, name, value):
    return set_field(page, name, value, LAB)


def text(page, key):
    return root(page, LAB).locator(f"[data-section={key}]").text_content()


def point(page, name, row, column, index=None):
    """Points at a cell; returns the reading's numbers."""
    where = f"canvas[data-heatmap={name}]" + ("" if index is None else f"[data-index='{index}']")
    canvas = root(page, LAB).locator(where)
    canvas.scroll_into_view_if_needed()
    shape = [
        int(side)
        for side in canvas.locator("xpath=ancestor::figure").locator("figcaption code").text_content().split("×")
    ]
    box = canvas.bounding_box()
    canvas.hover(position={"x": (column + 0.5) * box["width"] / shape[1], "y": (row + 0.5) * box["height"] / shape[0]})
    return numbers(root(page, LAB).locator(".reading code").text_content())


def test_every_array_has_its_picture(lab):
    assert shown(lab) == ALWAYS | PAIRED
    assert set(root(lab, LAB).locator("[data-chart]").evaluate_all("all => all.map((c) => c.dataset.chart)")) == {
        "curves", "profiles", "wavelengths", "fading",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "value", "array"), CHANGES)
def test_a_control_changes_its_picture(lab, name, value, array):
    before = pixels(lab, array, lab=LAB)
    assert set_one(lab, name, value) == "ready"
    assert pixels(lab, array, lab=LAB) != before


def test_more_heads_more_pictures(lab):
    set_one(lab, "num_heads", 6)
    assert root(lab, LAB).locator("canvas[data-heatmap=alibi]").count() == 6


def test_bad_input_stands_beside_its_control_and_nothing_is_lost(lab):
    picture = pixels(lab, "PE", lab=LAB)
    for name, value, remedy in [("dims", "0, 99", "31"), ("dims", "x", "'x'"), ("base", "0", "at least 1"), ("pair", "40", "15"), ("tokens", "", "1 to 32")]:  # fmt: skip
        assert set_one(lab, name, value) == "error"
        message = lab.locator(f"#{LAB}-{name}-error")
        assert message.is_visible() and remedy in message.text_content()
        assert pixels(lab, "PE", lab=LAB) == picture
        restore_defaults(lab, LAB)
        assert message.is_hidden()


def test_the_chosen_columns_are_drawn_as_curves(lab):
    drawn = root(lab, LAB).locator("[data-chart=curves] [data-mark=line] path")
    drawn.first.wait_for(state="attached")
    assert drawn.count() == 4
    set_one(lab, "dims", "2, 3")
    lab.wait_for_function("() => document.querySelectorAll('[data-chart=curves] [data-mark=line] path').length === 2")
    assert "sin 2, cos 3" in root(lab, LAB).locator("[data-chart=curves] svg").get_attribute("aria-label")


def test_pointing_at_a_column_puts_its_dots_among_the_curves(lab):
    dots = "() => document.querySelectorAll('[data-chart=curves] [data-mark=dot] circle').length"
    lab.wait_for_function(f"{dots} === 4 * 48")
    point(lab, "PE", 3, 9)
    lab.wait_for_function(f"{dots} === 5 * 48")


def test_shuffled_without_positions_the_same_vectors_permuted_and_the_page_says_so(lab):
    result = call(lab, LAB)
    words = text(lab, "why")
    assert "“狗 咬 人”和“人 咬 狗”" in words and "舍入误差" in words
    said = numbers(words)
    assert any(value == pytest.approx(result["change_with"], rel=2e-3) for value in said)
    assert result["change_without"] < 1e-9 and result["change_with"] > 0.1
    order = result["order"].astype(int)
    np.testing.assert_allclose(result["shuffled_without"], result["output_without"][order], atol=1e-6)
    assert abs(result["shuffled_with"] - result["output_with"][order]).max() > 0.1


def test_the_words_can_be_put_back_and_shuffled_again(lab):
    root(lab, LAB).get_by_role("button", name="恢复词序").click()
    settled(lab, LAB)
    assert "没有打乱" in text(lab, "why")
    assert root(lab, LAB).get_by_role("button", name="恢复词序").is_hidden()
    root(lab, LAB).get_by_role("button", name="打乱词序").click()
    settled(lab, LAB)
    assert "没有打乱" not in text(lab, "why")


def hands(page, which):
    """Both hands of a clock face as unit vectors (x to the right, y upwards), and its last point of the arc."""
    return np.array(
        page.locator(which).evaluate(
            """(dial) => {
                 const radius = Number(dial.querySelector(".face").getAttribute("r"));
                 return ["from", "to"].map((name) => ["x2", "y2"].map((side) => dial.querySelector(`line.${name}`).getAttribute(side) / radius));
               }"""
        )
    ) * [1, -1]


BIG = f"[data-lab={LAB}] [data-section=turn] .dial"


@pytest.mark.parametrize(("pair", "pos", "steps"), [(2, 2, 4), (0, 7, -5), (15, 100, 64), (1, 3, 0)])
def test_the_hands_are_drawn_exactly_where_pe_points(lab, pair, pos, steps):
    for name, value in {"pair": pair, "pos": pos, "steps": steps}.items():
        set_one(lab, name, value)
    result = call(lab, LAB, pair=pair, pos=pos, steps=steps)
    drawn = hands(lab, BIG)
    np.testing.assert_allclose(drawn[0], result["hand"][0], atol=1e-5)
    np.testing.assert_allclose(drawn[1], result["hand_moved"][0], atol=1e-5)
    said = numbers(text(lab, "turn").replace("°", " "))
    assert any(value == pytest.approx(result["degrees"], rel=5e-3, abs=1e-9) for value in said)
    assert result["degrees"] == pytest.approx(math.degrees(steps * 10000 ** (-2 * pair / 32)))


def test_the_angle_is_the_same_from_every_start(lab):
    angles = []
    for at in range(4):
        before, after = hands(lab, f"[data-section=starts] .dials > :nth-child({at + 1}) .dial")
        angles.append(math.atan2(before[1], before[0]) - math.atan2(after[1], after[0]))
    turned = np.unwrap(angles, period=2 * math.pi)
    np.testing.assert_allclose(turned % (2 * math.pi), call(lab, LAB)["angle"], atol=1e-4)


def test_a_hand_is_chosen_by_clicking_its_clock_and_keeps_the_focus(lab):
    for which in ("6", "0"):
        clock = root(lab, LAB).locator(f"[data-section=clocks] [data-pair='{which}']")
        clock.focus()
        clock.press("Enter")
        assert settled(lab, LAB) == "ready"
        lab.wait_for_function(
            f"() => document.querySelector('#{LAB}-pair').value === '{which}' && document.activeElement.dataset.pair === '{which}' && document.activeElement.ariaPressed === 'true'"
        )
    assert f"PE({2})" in text(lab, "turn")


def test_the_hand_turns_only_when_asked_and_never_for_those_who_want_no_motion(lab):
    play = root(lab, LAB).get_by_role("button", name="转给我看")
    end = hands(lab, BIG)
    lab.wait_for_timeout(100)
    assert (hands(lab, BIG) == end).all()
    rest = lab.locator(BIG).evaluate("dial => dial.querySelector('line.to').getAttribute('x2')")
    play.click()
    lab.wait_for_function(
        """([which, x]) => Math.abs(document.querySelector(which).querySelector("line.to").getAttribute("x2") - x) > 1""",
        arg=[BIG, rest],
    )
    lab.wait_for_timeout(1800)
    assert (hands(lab, BIG) == end).all()
    lab.emulate_media(reduced_motion="reduce")
    play.wait_for(state="hidden")
    lab.emulate_media(reduced_motion="no-preference")
    play.wait_for(state="visible")


@pytest.mark.parametrize(("base", "twin"), [(1, 44), (10000, 1)])
def test_what_base_does_is_said_in_numbers(lab, base, twin):
    set_one(lab, "base", base)
    result = call(lab, LAB, base=base)
    said = numbers(text(lab, "base"))
    assert (result["closest_first"], result["closest_second"]) == (0, twin)
    for value in (base, result["slow_pairs"], result["pairs"], twin):
        assert value in said
    assert any(value == pytest.approx(result["closest_gap"], rel=5e-3) for value in said)


def test_the_slider_of_base_gives_each_power_of_ten_the_same_room(lab):
    slider = root(lab, LAB).locator("[data-control=base] input[type=range]")
    assert float(slider.input_value()) == pytest.approx(4)
    slider.fill("3")
    assert settled(lab, LAB) == "ready"
    assert lab.locator(f"#{LAB}-base").input_value() == "1000"
    set_one(lab, "base", 100000)
    assert float(slider.input_value()) == pytest.approx(5)


def test_added_and_concatenated_agree_and_their_parameters_are_counted(lab):
    result = call(lab, LAB)
    np.testing.assert_allclose(result["Q_added"], result["Q_concatenated"], atol=1e-5)
    said = numbers(text(lab, "added"))
    assert 1024 in said and 2048 in said


def test_the_untrained_table_is_called_noise(lab):
    assert "没有训练过" in text(lab, "learned") and "噪声" in text(lab, "learned")


def test_an_odd_width_shows_what_there_is_and_says_what_is_missing(lab):
    assert set_one(lab, "d_model", 33) == "ready"
    assert shown(lab) == ALWAYS
    claim = root(lab, LAB).locator(".claim")
    assert "d_model=33" in claim.text_content() and claim.is_visible()
    assert set_one(lab, "d_model", 32) == "ready"
    assert shown(lab) == ALWAYS | PAIRED and claim.is_hidden()


def test_paper_mode_has_numbers_for_a_pencil(lab):
    root(lab, LAB).get_by_role("button", name="纸上演算").click()
    assert settled(lab, LAB) == "ready"
    assert lab.evaluate("new Promise((done) => setTimeout(() => done(location.hash), 400))").startswith(
        "#positional?seq_len=4&d_model=4&base=100&dims=0,1,2,3"
    )
    result = call(lab, LAB, seq_len=4, d_model=4, base=100, dims=[0, 1, 2, 3], pair=0, pos=1, steps=1)
    np.testing.assert_allclose(result["angles"], [[0, 0], [1, 0.1], [2, 0.2], [3, 0.3]], atol=1e-6)
    cell = (
        root(lab, LAB).locator("canvas[data-heatmap=PE]").evaluate("canvas => canvas.getBoundingClientRect().width / 4")
    )
    assert cell >= 36, "room for a number"


READINGS = [
    ("PE", 5, 3, None), ("angles", 5, 2, None), ("similarity", 4, 9, None), ("moved", 6, 3, None), ("added", 1, 2, None),
    ("Q_concatenated", 2, 5, None), ("rope_scores", 8, 3, None), ("rotated_keys", 7, 3, None), ("alibi", 9, 4, 1),
    ("alibi_weights", 9, 4, 1), ("difference_with", 0, 4, None), ("learned_similarity", 3, 3, None), ("hand_moved", 0, 1, None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "row", "column", "index"), READINGS)
def test_the_reading_line_ends_in_the_value_that_was_pointed_at(lab, name, row, column, index):
    array = call(lab, LAB)[name]
    value = (array if index is None else array[index])[row, column]
    assert point(lab, name, row, column, index)[-1] == pytest.approx(value, rel=1e-4, abs=1e-6)


def test_the_reading_spells_the_arithmetic_with_the_real_numbers(lab):
    result = call(lab, LAB)
    position, rate, angle, value = point(lab, "PE", 5, 3)
    assert root(lab, LAB).locator(".reading code").text_content().startswith("cos(5 × ")
    assert (position, rate) == (5, pytest.approx(result["rates"][1], rel=1e-4))
    assert angle == pytest.approx(position * rate, rel=1e-4) and value == pytest.approx(math.cos(angle), abs=1e-4)
    slope, query, key, bias = point(lab, "alibi", 9, 4, 1)
    assert (query, key) == (9, 4) and bias == pytest.approx(slope * (query - key), rel=1e-4)
    assert bias < 0
    a, turn, b, again, value = point(lab, "rotated_queries", 7, 2)
    assert turn == again == pytest.approx(result["turns"][7, 1], rel=1e-2)
    assert a * math.cos(turn) - b * math.sin(turn) == pytest.approx(value, abs=0.02)


def test_nothing_is_wider_than_a_small_screen(lab):
    lab.set_viewport_size({"width": 360, "height": 740})
    for paper in (False, True):
        if paper:
            root(lab, LAB).get_by_role("button", name="纸上演算").click()
            settled(lab, LAB)
        assert lab.evaluate("document.documentElement.scrollWidth") <= 360
    lab.set_viewport_size({"width": 1280, "height": 900})
