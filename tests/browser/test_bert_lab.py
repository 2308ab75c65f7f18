"""The BERT lab as a reader meets it: tokens, gaps, heads, what changes do, and GPT beside it."""

import numpy as np
import pytest
from support.axe import serious
from support.labs import call, numbers, pixels, restore_defaults, root, set_field, set_language, settled

LAB = "bert"
TOKENS = ["[CLS]", "猫", "[MASK]", "老", "鼠", "[SEP]", "老", "鼠", "躲", "猫", "[SEP]"]


@pytest.fixture
def lab(booted):
    """Each test starts from the defaults."""
    restore_defaults(booted, LAB)
    return booted


def see(page):
    return root(page, LAB)


def section(page, key):
    return see(page).locator(f"[data-section={key}]")


def press(page, key, which):
    section(page, key).locator(".row-actions button, .head-actions button").nth(which).click()
    return settled(page, LAB)


def choose(page, place):
    section(page, "tokens").locator(".strip button").nth(place).click()
    return settled(page, LAB)


def strip(page):
    return [text.split("\n")[0] for text in section(page, "tokens").locator(".strip button").all_inner_texts()]


def listed(page, which=0):
    """Names and last numbers of a list of candidates."""
    entries = section(page, "guess").locator(".candidates").nth(which).locator("li").all()
    return [(each.locator(".name").inner_text(), numbers(each.locator(".amount").inner_text())[-1]) for each in entries]


def address(page):
    page.wait_for_timeout(400)
    return page.evaluate("decodeURIComponent(location.hash)")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_random_weights_are_said_to_be_random_in_plain_sight(lab, language):
    set_language(lab, language)
    claim = see(lab).locator(".claim")
    assert claim.is_visible() and {"zh": "权重是随机的", "en": "weights are random"}[language] in claim.text_content()
    result = call(lab, LAB)
    told = numbers(claim.text_content())
    assert told == pytest.approx([result["best"], result["vocab_size"], result["even"]], rel=0.06)
    set_language(lab, "zh")


def test_two_sentences_are_laid_out_with_their_numbers(lab):
    ids = call(lab, LAB)["ids"]
    shown = section(lab, "tokens").locator(".strip button").all_inner_texts()
    assert shown == [f"{token}\n{int(number)}" for token, number in zip(TOKENS, ids, strict=True)]
    set_field(lab, "second", "", LAB)
    assert strip(lab) == TOKENS[:6]
    set_field(lab, "padding", 2, LAB)
    assert strip(lab) == [*TOKENS[:6], "[PAD]", "[PAD]"]
    buttons = section(lab, "tokens").locator(".strip button")
    assert [at for at in range(8) if buttons.nth(at).get_attribute("data-hidden") is not None] == [6, 7]


def test_any_token_can_be_covered_and_uncovered(lab):
    press(lab, "tokens", 0)
    assert strip(lab)[2] == "追"
    choose(lab, 4)
    press(lab, "tokens", 0)
    assert strip(lab)[4] == "[MASK]" and "blanks=4" in address(lab)
    result = call(lab, LAB, blanks=["4"], position=5)
    assert [name for name, _ in listed(lab)] == result["texts"]
    np.testing.assert_allclose([share for _, share in listed(lab)], result["probabilities"], rtol=2e-3)
    assert "第 5 个词元盖住了“鼠”" in section(lab, "guess").text_content()


def test_a_filling_can_be_neither_covered_nor_shown(lab):
    set_field(lab, "padding", 1, LAB)
    choose(lab, 11)
    assert all(button.is_disabled() for button in section(lab, "tokens").locator(".row-actions button").all())


def test_the_default_shows_what_follows_and_gpt_beside_it_does_not(lab):
    result = call(lab, LAB)
    n = int(result["n"])
    assert (result["weights"] > 0).all() and (result["reach"] > 1e-3).all()
    assert (result["reach_gpt"][np.triu_indices(n, 1)] == 0).all()
    cell = see(lab).locator("canvas[data-heatmap=reach_gpt]")
    cell.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        cell.press(key)
    assert numbers(see(lab).locator(".reading code").text_content())[-1] == pytest.approx(
        result["reach_gpt"][1, 1], rel=1e-4
    )


def test_a_click_on_a_small_picture_enlarges_that_head(lab):
    before = pixels(lab, "attention", lab=LAB)
    canvas = see(lab).locator("canvas[data-multiples=weights]")
    canvas.scroll_into_view_if_needed()
    canvas.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "Enter"):  # the first: to the chosen one
        canvas.press(key)
    settled(lab, LAB)
    assert pixels(lab, "attention", lab=LAB) != before
    assert "layer=3" in address(lab) and "head=2" in address(lab)
    assert section(lab, "heads").locator(".head-actions h4").inner_text() == "第 3 层，头 2"


def test_the_reading_line_of_any_head_is_true(lab):
    result = call(lab, LAB)
    canvas = see(lab).locator("canvas[data-multiples=weights]")
    canvas.scroll_into_view_if_needed()
    x, y = lab.evaluate(
        """async () => {
             const { place, corner } = await import("./web/core/heatmap/multiples-layout.js");
             const canvas = document.querySelector("[data-lab=bert] canvas[data-multiples]");
             const room = canvas.closest("figure").clientWidth;
             const placed = place({ shape: [3, 4, 11, 11], width: room, dpr: devicePixelRatio });
             const [left, top] = corner(placed, 1, 2);
             return [left + 3.5 * placed.tile.pitch, top + 5.5 * placed.tile.pitch].map((at) => at / devicePixelRatio);
           }"""
    )
    canvas.hover(position={"x": x, "y": y})
    values = numbers(see(lab).locator(".reading code").text_content())
    assert see(lab).locator(".reading b").inner_text() == "第 2 层，头 3 · [SEP] 看 老"
    at = (1, 2, 5)
    assert values[:2] == [
        pytest.approx(result["masked_all"][*at, 3], rel=1e-4),
        pytest.approx(result["peak_all"][*at, 0], rel=1e-4),
    ]
    assert values[-1] == pytest.approx(result["weights"][*at, 3], rel=1e-4)
    assert values[-3] / values[-2] == pytest.approx(values[-1], rel=1e-4)


def test_a_silenced_head_changes_the_prediction_and_the_page_says_how_much(lab):
    plain = call(lab, LAB)
    assert section(lab, "guess").locator(".candidates").nth(1).is_hidden()
    press(lab, "heads", 0)
    result = call(lab, LAB, ablated=["encoder.0.self.0"])
    assert result["moved"] == pytest.approx(plain["effects"][0, 0], rel=1e-3)
    told = section(lab, "guess").locator(".told").nth(1).inner_text()
    assert numbers(told)[0] == pytest.approx(result["moved"], rel=2e-3)
    assert [name for name, _ in listed(lab, 1)] == result["compared_texts"]
    assert "ablated=encoder.0.self.0" in address(lab)
    press(lab, "heads", 0)
    assert section(lab, "guess").locator(".candidates").nth(1).is_hidden()


def test_with_all_heads_silenced_words_meet_nowhere(lab):
    press(lab, "heads", 1)
    everything = [f"encoder.{layer}.self.{head}" for layer in range(3) for head in range(4)]
    reach = call(lab, LAB, ablated=everything)["reach"]
    assert (reach[~np.eye(len(reach), dtype=bool)] == 0).all() and (np.diag(reach) > 0).all()
    see(lab).get_by_role("button", name="恢复所有的头").click()
    settled(lab, LAB)
    assert "ablated" not in address(lab)


def test_a_hidden_token_gets_no_weight_and_layer_1_is_renormalised(lab):
    choose(lab, 4)
    press(lab, "tokens", 1)
    assert section(lab, "tokens").locator(".strip button").nth(4).get_attribute("data-hidden") == ""
    result = call(lab, LAB, hidden=["4"], position=5)
    assert (result["weights"][..., 4] == 0).all() and abs(result["difference"]).max() < 1e-6
    assert section(lab, "rescaled").is_visible() and section(lab, "deeper").is_visible()
    assert abs(call(lab, LAB, hidden=["4"], layer=2)["difference"]).max() > 1e-3
    press(lab, "tokens", 1)
    assert section(lab, "rescaled").count() == 0


def test_padding_changes_no_prediction(lab):
    before = listed(lab)
    set_field(lab, "padding", 8, LAB)
    assert listed(lab) == before


def test_the_lens_ends_in_the_prediction(lab):
    rows = section(lab, "lens").locator(".lens tbody tr")
    assert rows.count() == 4
    assert rows.nth(3).locator("td").nth(2).inner_text() == listed(lab)[0][0]
    section(lab, "lens").locator(".lens thead button").nth(8).click()
    settled(lab, LAB)
    assert section(lab, "tokens").locator(".strip button").nth(8).get_attribute("aria-checked") == "true"


def test_english_is_split_into_words(lab):
    set_field(lab, "tokens", "The cat's here!", LAB)
    assert strip(lab)[:7] == ["[CLS]", "The", "[MASK]", "here", "!", "[SEP]", "老"]


@pytest.mark.parametrize(("name", "value"), [("d_model", 10), ("tokens", "字" * 25), ("tokens", "")])
def test_bad_input_stands_beside_its_control_and_nothing_is_lost(lab, name, value):
    picture = pixels(lab, "attention", lab=LAB)
    assert set_field(lab, name, value, LAB) == "error"
    message = see(lab).locator(f"#bert-{name}-error")
    assert message.is_visible() and name in message.text_content()
    assert pixels(lab, "attention", lab=LAB) == picture


CHANGES = [
    ("tokens", "猫吃老鼠吗"),
    ("second", "狗睡"),
    ("spread", 0.1),
    ("num_layers", 2),
    ("num_heads", 2),
    ("seed", 1),
]


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_control_changes_the_prediction(lab, name, value):
    before = listed(lab)
    assert set_field(lab, name, value, LAB) == "ready"
    assert listed(lab) != before


def test_the_code_face_goes_to_the_line_of_the_chosen_layer(lab):
    cell = see(lab).locator("canvas[data-heatmap=attention]")
    cell.focus()
    cell.press("ArrowRight")
    see(lab).get_by_role("button", name="哪一行代码算的").click()
    assert see(lab).locator(".code-tabs [aria-pressed=true]").text_content() == "attention.py"
    see(lab).locator(".faces [data-face=see]").click()


@pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (1280, "light")])
def test_accessible_and_no_wider_than_the_window(lab, width, theme):
    lab.emulate_media(color_scheme=theme)
    before = lab.viewport_size
    lab.set_viewport_size({"width": width, "height": 800})
    try:
        choose(lab, 4)
        press(lab, "tokens", 1)
        press(lab, "heads", 0)
        assert serious(lab, f"[data-lab={LAB}]") == []
        assert lab.evaluate("document.documentElement.scrollWidth") <= width
    finally:
        lab.set_viewport_size(before)
        lab.emulate_media(color_scheme="light")


def test_a_change_answers_well_below_300_ms(lab):
    took = lab.evaluate(
        """async () => {
             const times = [];
             for (let seed = 0; seed < 7; seed++) {
               const start = performance.now();
               await seeformer.call("bert", { seed });
               times.push(performance.now() - start);
             }
             return Math.min(...times);
           }"""
    )
    assert took < 300
