"""The seq2seq lab as a reader meets it: two texts, three attentions, teacher forcing, changes of the model, beams."""

import numpy as np
import pytest
from support.axe import serious
from support.labs import call, numbers, pixels, restore_defaults, root, set_field, set_language, settled

from sitebuild.labs import text

LAB = "seq2seq"
SOURCE, TARGET = "二〇二六年十一月三十日", "2026-11-30"


@pytest.fixture
def lab(booted):
    restore_defaults(booted, LAB)
    return booted


def see(page):
    return root(page, LAB)


def section(page, key):
    return see(page).locator(f"[data-section={key}]")


def press(page, name):
    see(page).get_by_role("button", name=name, exact=True).first.click()
    return settled(page, LAB)


def run(page):
    see(page).locator(".actions .button.main").click()
    return settled(page, LAB)


def choose(page, strip, place):
    section(page, "texts").locator(".strip").nth(strip).locator("button").nth(place).click()
    return settled(page, LAB)


def addressed(page, part):
    """Waits until the address holds it: it is written a moment later."""
    page.wait_for_function("(part) => decodeURIComponent(location.hash).includes(part)", arg=part, timeout=10_000)


def walk(page, canvas, *keys):
    canvas = see(page).locator(f"canvas[{canvas}]")
    canvas.scroll_into_view_if_needed()
    canvas.focus()
    for key in keys:
        canvas.press(key)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_random_weights_are_said_to_be_random_in_plain_sight(lab, language):
    set_language(lab, language)
    claim = see(lab).locator(".claim")
    assert claim.is_visible() and claim.text_content() == text(language)["labs"][LAB]["random"]
    set_language(lab, "zh")


def test_both_texts_are_tokens_with_their_numbers(lab):
    result = call(lab, LAB)
    strips = section(lab, "texts").locator(".strip")
    for at, tokens in enumerate((["<s>", *SOURCE, "</s>"], ["</s>", "<s>", *TARGET])):
        ids = result[("source_ids", "target_ids")[at]]
        shown = [f"{token}\n{int(number)}" for token, number in zip(tokens, ids, strict=True)]
        assert strips.nth(at).locator("button").all_inner_texts() == shown


def test_the_table_of_teacher_forcing_is_that_of_the_result(lab):
    result = call(lab, LAB)
    table = section(lab, "forcing").locator("table")
    assert table.locator("thead button").all_inner_texts() == result["target_tokens"]
    rows = {key: table.locator(f"[data-row={key}] td").all_inner_texts() for key in ("answer", "probability", "next")}
    assert rows["answer"] == result["answers"] and rows["next"] == result["next_texts"]
    shares = [numbers(cell)[0] for cell in rows["probability"]]
    np.testing.assert_allclose(shares, result["answer_probabilities"], rtol=0.06)
    assert numbers(section(lab, "forcing").locator(".told").inner_text())[0] == pytest.approx(result["loss"], rel=0.01)


def test_choosing_a_position_changes_what_is_told(lab):
    section(lab, "forcing").locator("thead button").nth(5).click()
    settled(lab, LAB)
    addressed(lab, "position=6")
    result = call(lab, LAB, position=6)
    shown = section(lab, "next").locator(".candidates").first.locator(".name").all_inner_texts()
    assert shown == result["texts"]
    title = section(lab, "next").locator("h4").first.inner_text()
    assert title == f"给了“{result['target_tokens'][5]}”（第 6 个位置），该写“{result['answers'][5]}”"
    choose(lab, 1, 3)
    addressed(lab, "position=4")
    lens = section(lab, "lens").locator("thead button").nth(1)
    lens.click()
    settled(lab, LAB)
    addressed(lab, "position=2")


def test_a_small_picture_of_any_of_the_three_attentions_is_enlarged(lab):
    for which, name in (("encoder", "编码器自注意力"), ("decoder", "解码器自注意力"), ("cross", "交叉注意力")):
        restore_defaults(lab, LAB)
        walk(lab, f"data-multiples={which}_weights", "ArrowDown")
        if which == "cross":  # the first key stood on the one that is shown
            walk(lab, f"data-multiples={which}_weights", "ArrowDown")
        walk(lab, f"data-multiples={which}_weights", "ArrowRight", "ArrowRight", "Enter")
        settled(lab, LAB)
        title = section(lab, "heads").locator(".head-actions h4").inner_text()
        assert title.startswith(name) and title != "交叉注意力，第 1 层，头 1"
        layer, head = (int(number) for number in numbers(title)[-2:])
        result = call(lab, LAB, attention=which, layer=layer, head=head)
        walk(lab, "data-heatmap=attention", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight")
        shown = numbers(see(lab).locator(".reading code").text_content())[-1]
        assert shown in [pytest.approx(value, rel=1e-4) for value in result["attention"][2:4, :2].ravel()]


def test_what_is_added_is_shown_only_where_something_is(lab):
    added = see(lab).locator("canvas[data-heatmap=added]")
    assert added.count() == 0
    set_field(lab, "style", "t5", LAB)
    assert added.count() == 0, "T5 has no bias in cross-attention"
    walk(lab, "data-multiples=encoder_weights", "ArrowRight", "Enter")
    settled(lab, LAB)
    assert added.count() == 1
    before = pixels(lab, "added", lab=LAB)
    walk(lab, "data-multiples=encoder_weights", "ArrowRight", "ArrowRight", "Enter")  # the first: to the chosen one
    settled(lab, LAB)
    assert pixels(lab, "added", lab=LAB) != before, "each head has its own"


def test_positions_are_a_table_in_bart_and_a_bias_in_t5(lab):
    assert section(lab, "bartPositions").locator("canvas[data-heatmap]").count() == 2
    set_field(lab, "style", "t5", LAB)
    assert section(lab, "bartPositions").count() == 0
    assert section(lab, "t5Positions").locator("canvas[data-heatmap=encoder_bias]").count() == 4
    assert section(lab, "t5Positions").locator("canvas[data-heatmap=decoder_buckets]").count() == 1
    assert see(lab).locator("[data-control=feed_forward]").is_visible()


def test_a_silenced_head_is_crossed_out_and_moves_the_prediction(lab):
    assert press(lab, "关掉这个头") == "ready"
    result = call(lab, LAB, ablated=["decoder.0.cross.0"])
    told = section(lab, "next").locator(".told").inner_text()
    assert numbers(told)[0] == pytest.approx(100 * result["moved"], rel=0.02)
    addressed(lab, "ablated=decoder.0.cross.0")
    press(lab, "恢复这个头")
    assert not section(lab, "next").locator(".told").is_visible()


def test_without_cross_attention_the_source_moves_nothing(lab):
    set_field(lab, "source", "abab", LAB)
    press(lab, "关掉交叉注意力的所有头")
    first = section(lab, "forcing").locator("table").inner_text()
    set_field(lab, "source", "abba", LAB)
    assert section(lab, "forcing").locator("table").inner_text() == first
    press(lab, "恢复所有的头")
    woken = section(lab, "forcing").locator("table").inner_text()
    set_field(lab, "source", "abab", LAB)
    assert section(lab, "forcing").locator("table").inner_text() != woken


def test_a_hidden_source_token_is_hatched_and_the_shares_are_dealt_out_anew(lab):
    choose(lab, 0, 3)
    assert press(lab, "藏起“二”：谁也不许看它") == "ready"
    assert section(lab, "texts").locator(".strip").first.locator("button").nth(3).get_attribute("data-hidden") == ""
    assert "两者不一样" in section(lab, "hidden").locator(".told").inner_text()
    assert section(lab, "hidden").locator("canvas[data-heatmap=renormalised_difference]").count() == 1
    walk(lab, "data-multiples=encoder_weights", "ArrowRight", "Enter")
    settled(lab, LAB)
    assert "两者一样" in section(lab, "hidden").locator(".told").inner_text()
    press(lab, "源文本都放出来")
    assert section(lab, "hidden").count() == 0


def test_run_shows_the_beams_as_they_were_kept(lab):
    assert "按“运行”" in section(lab, "writing").locator(".told").inner_text()
    assert run(lab) == "ready"
    last = call(lab, LAB, generate=True)
    tree = section(lab, "writing").locator("svg.beams")
    alive = int((~np.isnan(last["beam_scores"])).sum())
    assert tree.locator(".beam-box:not(.finished)").count() == alive
    assert tree.locator(".beam-box.finished").count() == len(last["finished_texts"]) == 3
    assert tree.locator(".beam-box.chosen").count() == last["finished_lengths"][0]
    assert tree.locator(".beam-line").count() == alive + 3
    rows = section(lab, "writing").locator("table.figures").first.locator("tbody tr")
    for at, (whole, score) in enumerate(zip(last["finished_texts"], last["finished_scores"], strict=True)):
        cells = rows.nth(at).locator("td").all_inner_texts()
        assert cells[0] == whole and numbers(cells[3])[0] == pytest.approx(score, rel=1e-3)
    told = section(lab, "writing").locator(".told").inner_text()
    assert last["finished_texts"][0] in told and last["greedy_text"] in told
    section(lab, "writing").locator("summary").click()
    assert section(lab, "writing").locator("details tbody tr").count() == alive
    assert "generate" not in lab.evaluate("location.hash")


@pytest.mark.parametrize("method", ["greedy", "sampled"])
def test_run_writes_token_by_token(lab, method):
    set_field(lab, "method", method, LAB)
    assert run(lab) == "ready"
    last = call(lab, LAB, generate=True, method=method)
    shown = section(lab, "writing").locator(".strip button span").all_inner_texts()
    assert shown == last["written"]
    section(lab, "writing").locator(".strip button").first.click()
    k = last["step_probabilities"].shape[1]
    assert section(lab, "writing").locator(".candidates .name").all_inner_texts() == last["step_texts"][:k]
    assert see(lab).locator("canvas[data-heatmap=written_reads]").count() == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target", "x"),
        ("source", "a b"),
        ("style", "t5"),
        ("sharpness", 0),
        ("num_layers", 1),
        ("seed", 1),
        ("d_model", 16),
    ],
)
def test_a_control_changes_the_pictures(lab, name, value):
    before = pixels(lab, "cross_mean", lab=LAB)
    assert set_field(lab, name, value, LAB) == "ready"
    assert pixels(lab, "cross_mean", lab=LAB) != before


def test_a_bad_text_is_refused_beside_it_and_the_pictures_stay(lab):
    before = pixels(lab, "cross_mean", lab=LAB)
    assert set_field(lab, "source", "", LAB) == "error"
    assert "source=0 characters" in see(lab).locator("[data-control=source] .control-error").inner_text()
    assert pixels(lab, "cross_mean", lab=LAB) == before


@pytest.mark.parametrize("name", ["sampled", "beam"])
def test_only_the_controls_of_the_chosen_way_are_there(lab, name):
    set_field(lab, "method", name, LAB)
    for control, way in (
        ("num_beams", "beam"),
        ("length_penalty", "beam"),
        ("temperature", "sampled"),
        ("draw", "sampled"),
    ):
        assert see(lab).locator(f"[data-control={control}]").is_visible() == (way == name)


def test_nothing_is_wider_than_a_phone_and_axe_finds_nothing(lab):
    lab.set_viewport_size({"width": 360, "height": 800})
    for style in ("bart", "t5"):
        set_field(lab, "style", style, LAB)
        run(lab)
        assert lab.evaluate("document.documentElement.scrollWidth") <= 360
        assert serious(lab, f"[data-lab={LAB}]") == []
