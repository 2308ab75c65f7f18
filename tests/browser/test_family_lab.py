"""The family lab as a reader meets it: four models in one table, and the arrays of the cell that is open."""

import numpy as np
import pytest
from support.axe import serious
from support.labs import call, drawn, numbers, pixels, restore_defaults, root, set_field, set_language, settled

from sitebuild.labs import text

LAB = "family"
MODELS = ("bert", "gpt", "seq2seq", "vit")
ATTENTIONS = ("bert", "gpt", "encoder", "cross", "decoder", "vit")
WORDS = text("zh")["labs"][LAB]


@pytest.fixture
def lab(booted):
    restore_defaults(booted, LAB)
    return booted


def see(page):
    return root(page, LAB)


def part(page, cell):
    return see(page).locator(f"[data-part='{cell}']")


def open_cell(page, cell):
    part(page, cell).locator(".compare-open").click()
    assert settled(page, LAB) == "ready"


def opened(page):
    return see(page).locator("[data-section=open]")


def address(page):
    page.wait_for_timeout(400)
    return page.evaluate("decodeURIComponent(location.hash)")


def chips(page, cell):
    return part(page, cell).locator(".chip").all_inner_texts()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_random_weights_are_said_to_be_random_in_plain_sight(lab, language):
    set_language(lab, language)
    claim = see(lab).locator(".claim")
    assert claim.is_visible() and claim.text_content() == text(language)["labs"][LAB]["random"]
    set_language(lab, "zh")


def test_four_columns_stand_side_by_side_and_each_row_answers_one_question(lab):
    table = see(lab).get_by_role("table", name=WORDS["table"]["label"])
    heads = table.locator(".compare-head [role=columnheader]").all_inner_texts()
    assert [head.split("\n")[0] for head in heads[1:]] == ["BERT", "GPT", "BART", "ViT"]
    titles = table.locator(".compare-title b").all_inner_texts()
    assert titles == [WORDS["rows"][row] for row in ("task", "input", "flow", "mask", "weights", "predict")]
    assert table.locator(".compare-cell").count() == 24
    boxes = [table.locator(f".compare-head [data-column={model}]").bounding_box() for model in MODELS]
    assert len({round(box["y"]) for box in boxes}) == 1
    assert [box["x"] for box in boxes] == sorted(box["x"] for box in boxes)


def test_what_goes_in_is_told_token_by_token(lab):
    result = call(lab, LAB)
    assert chips(lab, "input.bert") == result["encoder_tokens_bert"] == ["[CLS]", "猫", "追", "[MASK]", "鼠", "[SEP]"]
    assert chips(lab, "input.gpt") == result["decoder_tokens_gpt"]
    assert chips(lab, "input.seq2seq") == result["encoder_tokens_seq2seq"] + result["decoder_tokens_seq2seq"]
    assert part(lab, "input.vit").locator("canvas[data-heatmap=picture]").is_visible()


def test_the_question_is_asked_of_all_three(lab):
    see(lab).locator("[data-section=question] [role=radio]").nth(1).click()
    settled(lab, LAB)
    assert chips(lab, "input.bert") == ["[CLS]", "猫", "[MASK]", "老", "鼠", "[SEP]"]
    assert "<mask>" in chips(lab, "input.seq2seq") and "position=2" in address(lab)
    assert "“追”" in part(lab, "predict.gpt").locator(".compare-told").inner_text()


def test_t5_writes_only_what_was_in_the_gap(lab):
    set_field(lab, "style", "t5", LAB)
    assert chips(lab, "input.seq2seq") == ["猫", "追", "<X>", "鼠", "</s>", "<pad>", "<X>", "老", "<Y>"]
    assert see(lab).locator(".compare-head [data-column=seq2seq] b").inner_text() == "T5"
    open_cell(lab, "weights.encoder")
    assert (call(lab, LAB, style="t5", cell="weights.encoder")["added"] != 0).any(), "its positions are a bias"


def test_the_drawing_lights_the_parts_that_ran(lab):
    result = call(lab, LAB)
    for model in MODELS:
        drawing = part(lab, f"flow.{model}").locator("svg")
        states = drawing.locator("[data-flow]").evaluate_all(
            "parts => parts.map(({ dataset }) => [dataset.flow, dataset.state])"
        )
        assert len(states) == 5
        assert {name for name, state in states if state == "done"} == set(result[f"parts_{model}"])
        assert drawing.locator(".memory").count() == (model == "seq2seq")


@pytest.mark.parametrize("which", ATTENTIONS)
def test_the_reading_line_of_the_table_s_weights_is_true(lab, which):
    result = call(lab, LAB)
    cell = see(lab).locator(f"canvas[data-heatmap=weights_{which}]")
    cell.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"):
        cell.press(key)
    values = numbers(see(lab).locator(".reading code").text_content())
    assert values[-1] == pytest.approx(result[f"weights_{which}"][2, 1], rel=1e-3)
    assert values[-3] / values[-2] == pytest.approx(values[-1], rel=1e-2)


def test_chips_tell_what_moves_the_prediction_and_what_cannot(lab):
    result = call(lab, LAB)
    for model in ("bert", "gpt", "seq2seq"):
        shown = part(lab, f"predict.{model}").locator(".chip")
        told = [numbers(title)[-1] for title in shown.evaluate_all("chips => chips.map((chip) => chip.title)")]
        np.testing.assert_allclose(told, result[f"told_{model}"], rtol=1e-2, atol=1e-6)
        unreached = shown.evaluate_all("chips => chips.map((chip) => 'unreached' in chip.dataset)")
        assert unreached == [arrives == 0 for arrives in result[f"arrives_{model}"]]
        asked = shown.evaluate_all("chips => chips.map((chip) => 'asked' in chip.dataset)")
        assert asked.index(True) == len(shown.all()) - len(result[f"outputs_{model}"]) + result[f"row_{model}"]
        assert sum(asked) == 1
    assert part(lab, "predict.gpt").locator(".chip[data-unreached]").all_inner_texts() == ["老", "鼠"]


@pytest.mark.parametrize("model", MODELS)
def test_candidates_are_those_of_the_model(lab, model):
    result = call(lab, LAB)
    entries = part(lab, f"predict.{model}").locator(".candidates li")
    assert entries.locator(".name").all_inner_texts() == result[f"texts_{model}"]
    shares = [numbers(each)[-1] for each in entries.locator(".amount").all_inner_texts()]
    np.testing.assert_allclose(shares, result[f"shares_{model}"], rtol=5e-3)


OPENS = {
    "input.bert": ["encoder_word", "encoder_segment", "encoder_position", "encoder_sum", "encoder_output"],
    "input.vit": ["patches", "projected", "encoder_token", "encoder_position", "encoder_output"],
    "flow.seq2seq": ["encoder_norms", "decoder_norms", "stream"],
    "mask.seq2seq": ["through", "through"],
    "weights.cross": ["Q", "K", "scores", "added", "masked", "attention", "V", "heads"],
    "predict.gpt": ["reach_gpt", "moved_gpt", "logits", "probabilities"],
}


@pytest.mark.parametrize("cell", OPENS)
def test_a_cell_opens_its_arrays_and_says_so(lab, cell):
    open_cell(lab, cell)
    shown = opened(lab).locator("canvas[data-heatmap]").evaluate_all("all => all.map(({ dataset }) => dataset.heatmap)")
    assert shown == OPENS[cell]
    assert part(lab, cell).locator(".compare-open").get_attribute("aria-pressed") == "true"
    assert see(lab).locator(".compare-open[aria-pressed=true]").count() == 1
    assert f"cell={cell}" in address(lab)
    result = call(lab, LAB, cell=cell)
    for name in set(shown) - {"through"}:
        label = opened(lab).locator(f"canvas[data-heatmap={name}]").get_attribute("aria-label")
        shape = result[name].shape if result[name].ndim == 2 else (1, *result[name].shape)
        assert numbers(label)[-2:] == list(shape)


def test_enter_on_a_small_picture_opens_it_and_the_table_stays(lab):
    canvas = see(lab).locator("canvas[data-heatmap=weights_decoder]")
    canvas.evaluate("canvas => (window.kept = canvas)")
    canvas.focus()
    canvas.press("Enter")
    settled(lab, LAB)
    assert opened(lab).locator("h4").inner_text() == "BART 解码器的自注意力：第 1 层，头 1，一步一步"
    assert lab.evaluate("() => document.activeElement === kept && kept.isConnected")


def test_a_click_among_all_heads_shows_that_head_in_the_whole_table(lab):
    before = {which: pixels(lab, f"weights_{which}", lab=LAB) for which in ATTENTIONS}
    canvas = opened(lab).locator("canvas[data-multiples=weights]")
    canvas.scroll_into_view_if_needed()
    canvas.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):  # the first: to the chosen one
        canvas.press(key)
    settled(lab, LAB)
    assert "layer=2" in address(lab) and "head=2" in address(lab)
    assert all(pixels(lab, f"weights_{which}", lab=LAB) != before[which] for which in ATTENTIONS)


def test_what_is_drawn_is_what_the_vit_sees(lab):
    before = pixels(lab, "picture", lab=LAB), pixels(lab, "told_vit", lab=LAB), pixels(lab, "weights_bert", lab=LAB)
    lab.locator("#family-picture [data-row='0'][data-col='0']").click()
    settled(lab, LAB)
    after = pixels(lab, "picture", lab=LAB), pixels(lab, "told_vit", lab=LAB), pixels(lab, "weights_bert", lab=LAB)
    assert before[0] != after[0] and before[1] != after[1] and before[2] == after[2]


def test_pointing_at_a_weight_lights_the_mask_of_the_same_attention(lab):
    see(lab).locator("canvas[data-heatmap=weights_gpt]").focus()
    for key in ("ArrowDown", "ArrowDown"):
        lab.keyboard.press(key)
    drawn(lab)  # what is out of sight comes when the page rests
    for name in ("mask_gpt", "attention", "scores"):
        figure = see(lab).locator(f"figure:has(> .heatmap-plot canvas[data-heatmap={name}])")
        assert "猫" in figure.locator(".heatmap-rows .on").all_inner_texts()


@pytest.mark.parametrize(("name", "value"), [("tokens", ""), ("tokens", "猫" * 13), ("d_model", 20), ("num_layers", 9)])
def test_bad_input_is_told_beside_its_control_and_the_pictures_stay(lab, name, value):
    if name == "d_model":
        set_field(lab, "num_heads", 8, LAB)
    before = pixels(lab, "weights_bert", lab=LAB)
    assert set_field(lab, name, value, LAB) == "error"
    assert f"{name}=" in see(lab).locator(f"#{LAB}-{name}-error").inner_text()
    assert pixels(lab, "weights_bert", lab=LAB) == before


def test_a_link_carries_it_all(open_page):
    page = open_page(path="?embed=1#family?tokens=a,b&style=t5&cell=mask.seq2seq&position=2&v=1")
    page.evaluate("() => window.seeformer.ready")
    assert settled(page, LAB) == "ready"
    assert opened(page).locator("canvas[data-heatmap=through]").count() == 2
    assert page.locator(f"#{LAB}-style").input_value() == "t5"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_wider_than_a_phone(lab, theme):
    lab.emulate_media(color_scheme=theme)
    lab.set_viewport_size({"width": 360, "height": 800})
    lab.wait_for_timeout(300)
    assert lab.evaluate("document.documentElement.scrollWidth") == 360
    room = see(lab).locator(".compare-room")
    assert room.evaluate("room => room.scrollWidth > room.clientWidth"), "it goes sideways in its own box"
    assert see(lab).locator(".compare-name").first.is_visible()
    found = serious(lab, f"[data-lab={LAB}]")
    open_cell(lab, "predict.seq2seq")
    found += serious(lab, f"[data-lab={LAB}]")
    lab.emulate_media(color_scheme="light")
    lab.set_viewport_size({"width": 1280, "height": 900})
    assert found == []
