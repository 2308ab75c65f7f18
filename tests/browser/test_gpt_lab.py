"""The GPT lab as a reader meets it: tokens, heads, predictions, changes of the model, and text that streams."""

import numpy as np
import pytest
from support.axe import serious
from support.checkpoints import choose_files, files, model
from support.labs import call, numbers, pixels, restore_defaults, root, set_field, set_language, settled

from sitebuild.labs import text

LAB = "gpt"
PROMPT = "床前明月光，疑是地上"


@pytest.fixture
def lab(booted):
    restore_defaults(booted, LAB)
    return booted


def see(page):
    return root(page, LAB)


def press(page, name, which=0):
    see(page).get_by_role("button", name=name).nth(which).click()
    return settled(page, LAB)


def run(page):
    see(page).locator(".actions .button.main").click()
    return settled(page, LAB)


def section(page, key):
    return see(page).locator(f"[data-section={key}]")


def address(page):
    page.wait_for_timeout(400)
    return page.evaluate("decodeURIComponent(location.hash)")


def listed(page, key):
    """The names and the last numbers of the first list of candidates in a section."""
    entries = section(page, key).locator(".candidates").first.locator("li")
    return [
        (entry.locator(".name").inner_text(), numbers(entry.locator(".amount").inner_text())[-1])
        for entry in entries.all()
    ]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_random_weights_are_said_to_be_random_in_plain_sight(lab, language):
    set_language(lab, language)
    claim = see(lab).locator(".claim")
    assert claim.is_visible() and claim.text_content() == text(language)["labs"][LAB]["random"]
    set_language(lab, "zh")


def test_every_character_is_a_token_with_its_number(lab):
    result = call(lab, LAB)
    shown = section(lab, "tokens").locator(".strip button").all_inner_texts()
    assert shown == [f"{token}\n{int(token_id)}" for token, token_id in zip(PROMPT, result["ids"], strict=True)]
    set_field(lab, "prompt", "a b", LAB)
    assert section(lab, "tokens").locator(".strip button span").all_inner_texts() == ["a", "␣", "b"]


def test_predictions_are_those_of_the_chosen_token(lab):
    for place in (10, 3):
        section(lab, "tokens").locator(".strip button").nth(place - 1).click()
        settled(lab, LAB)
        result = call(lab, LAB, position=place)
        names = [name for name, _ in listed(lab, "next")]
        assert names == [token if token != " " else "␣" for token in result["texts"]]
        np.testing.assert_allclose([share for _, share in listed(lab, "next")], result["probabilities"], rtol=2e-3)
    assert "position=3" in address(lab)


def test_a_candidate_is_appended_at_a_click(lab):
    name = listed(lab, "next")[0][0]
    section(lab, "next").locator(".candidates button").first.click()
    settled(lab, LAB)
    assert see(lab).locator("#gpt-prompt").input_value() == PROMPT + name


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


def test_the_reading_line_of_the_enlarged_head_is_true(lab):
    result = call(lab, LAB)
    cell = see(lab).locator("canvas[data-heatmap=attention]")
    cell.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"):
        cell.press(key)
    values = numbers(see(lab).locator(".reading code").text_content())
    row, column = 3, 1
    assert values[-1] == pytest.approx(result["attention"][row, column], rel=1e-4)
    assert values[-3:-1] == [
        pytest.approx(result["exp"][row, column], rel=1e-4),
        pytest.approx(result["total"][row, 0], rel=1e-4),
    ]
    assert see(lab).locator(".reading b").inner_text() == f"第 1 层，头 1 · {PROMPT[3]} 看 {PROMPT[1]}"


def test_pointing_at_any_small_picture_reads_its_cell(lab):
    result = call(lab, LAB)
    canvas = see(lab).locator("canvas[data-multiples=weights]")
    canvas.scroll_into_view_if_needed()
    x, y = lab.evaluate(
        """async () => {
             const { place, corner } = await import("./web/core/heatmap/multiples-layout.js");
             const space = document.querySelector("[data-lab=gpt] .multiples-space");
             const width = document.querySelector("[data-lab=gpt] .multiples").parentElement.clientWidth;
             const placed = place({ shape: [3, 4, 10, 10], width, dpr: devicePixelRatio });
             const [x, y] = corner(placed, 1, 2);
             return [(x + 1.5 * placed.tile.pitch) / devicePixelRatio, (y + 4.5 * placed.tile.pitch) / devicePixelRatio];
           }"""
    )
    canvas.hover(position={"x": x, "y": y})
    lab.wait_for_function("() => document.querySelector('[data-lab=gpt] .reading .result')")
    assert see(lab).locator(".reading b").inner_text() == f"第 2 层，头 3 · {PROMPT[4]} 看 {PROMPT[1]}"
    assert numbers(see(lab).locator(".reading code").text_content())[-1] == pytest.approx(
        result["weights"][1, 2, 4, 1], rel=1e-4
    )


def test_a_silenced_head_moves_the_prediction_and_can_be_woken(lab):
    assert press(lab, "关掉这个头") == "ready"
    changed = section(lab, "next").locator(".told").inner_text()
    result = call(lab, LAB, ablated=["decoder.0.self.0"])
    assert numbers(changed)[0] == pytest.approx(100 * result["moved"], rel=2e-2)
    assert "ablated=decoder.0.self.0" in address(lab)
    assert press(lab, "恢复这个头") == "ready"
    assert section(lab, "next").locator(".told").count() == 0 or not section(lab, "next").locator(".told").is_visible()
    press(lab, "关掉所有的头")
    assert lab.evaluate("() => location.hash.split('decoder').length - 1") in (0, 12) or "decoder.2.self.3" in address(
        lab
    )
    press(lab, "恢复所有的头")
    assert "ablated" not in address(lab)


def test_a_hidden_token_is_looked_at_by_nobody(lab):
    section(lab, "tokens").locator(".strip button").nth(2).click()
    settled(lab, LAB)
    assert press(lab, "藏起“明”：谁也不许看它") == "ready"
    assert section(lab, "tokens").locator(".strip button").nth(2).get_attribute("data-hidden") == ""
    assert (call(lab, LAB, hidden=["2"])["weights"][..., 2] == 0).all()
    assert section(lab, "next").locator(".told").is_visible()
    press(lab, "字都放出来")
    assert section(lab, "tokens").locator("[data-hidden]").count() == 0


def test_the_lens_shows_every_layer_and_chooses_a_position(lab):
    result = call(lab, LAB)
    rows = section(lab, "lens").locator(".lens tbody tr")
    layers, n, k = result["lens_probabilities"].shape
    assert rows.count() == layers == 4
    for layer in range(layers):
        shown = rows.nth(layer).locator("td").all_inner_texts()
        expected = [result["lens_texts"][(layer * n + at) * k] for at in range(n)]
        assert [cell.replace("␣", " ").replace("⏎", "\n") for cell in shown] == expected
    section(lab, "lens").locator(".lens thead button").nth(1).click()
    settled(lab, LAB)
    assert section(lab, "tokens").locator(".strip [aria-checked=true] span").inner_text() == PROMPT[1]


def test_nothing_is_written_before_run_and_then_it_streams(lab):
    assert "运行" in section(lab, "writing").locator(".told").inner_text()
    assert not section(lab, "writing").locator(".written").is_visible()
    set_field(lab, "steps", 12, LAB)
    lab.evaluate(
        """() => {
             window.lengths = [];
             const text = document.querySelector("[data-lab=gpt] .written");
             window.watching = new MutationObserver(() => lengths.push(text.textContent.length));
             watching.observe(text, { childList: true, subtree: true });
           }"""
    )
    assert run(lab) == "ready"
    lengths = lab.evaluate("(watching.disconnect(), lengths)")
    assert len(set(lengths)) > 4 and lengths == sorted(lengths) and lengths[-1] == 22
    written = lab.evaluate("async () => (await seeformer.call('gpt', { steps: 12, generate: true })).written")
    assert section(lab, "writing").locator(".written").text_content() == PROMPT + "".join(written)
    set_field(lab, "draw", 7, LAB)
    assert not section(lab, "writing").locator(".written").is_visible()


def test_each_written_character_has_its_probability_and_its_candidates(lab):
    set_field(lab, "steps", 6, LAB)
    set_field(lab, "top_k", 4, LAB)
    run(lab)
    result = lab.evaluate(
        "async () => { const r = await seeformer.call('gpt', { steps: 6, top_k: 4, generate: true }); return [Array.from(r.written_probabilities.data), Array.from(r.step_drawn.data), r.step_drawn.shape] }"
    )
    shares, drawn = result[0], np.reshape(result[1], result[2])
    strip = section(lab, "writing").locator(".strip button")
    told = [numbers(button.locator("small").inner_text())[0] for button in strip.all()]
    np.testing.assert_allclose(told, shares, rtol=2e-2)
    strip.nth(2).click()
    assert numbers(section(lab, "writing").locator(".help", has_text="取了").inner_text())[-1] == pytest.approx(
        shares[2], rel=1e-2
    )
    np.testing.assert_allclose([share for _, share in listed(lab, "writing")], drawn[2], rtol=5e-3)


def test_the_cache_grows_by_a_row_a_character(lab):
    def rows():
        return see(lab).locator("canvas[data-heatmap=cache_K]").get_attribute("aria-label")

    assert "10 行" in rows()
    set_field(lab, "steps", 5, LAB)
    run(lab)
    lab.wait_for_timeout(100)
    assert "14 行" in rows(), "the last character has not been read"
    kept = section(lab, "writing").locator(".help", has_text="个位置").inner_text()
    assert numbers(kept)[-1] == 2 * 3 * 4 * 14 * 12


def test_what_was_written_becomes_the_beginning(lab):
    set_field(lab, "temperature", 0, LAB)
    set_field(lab, "steps", 3, LAB)
    run(lab)
    whole = section(lab, "writing").locator(".written").text_content()
    press(lab, "接进开头，继续")
    assert len(whole) == 13 and see(lab).locator("#gpt-prompt").input_value() == whole


def test_an_address_does_not_write(open_page):
    page = open_page(path="?embed=1#gpt?prompt=a%20b&temperature=0&ablated=decoder.0.self.2&hidden=0&generate=1&v=1")
    page.evaluate("() => seeformer.ready")
    assert settled(page, LAB) == "ready"
    assert page.locator("#gpt-prompt").input_value() == "a b"
    assert not section(page, "writing").locator(".written").is_visible()
    assert section(page, "tokens").locator("[data-hidden]").count() == 1
    assert section(page, "next").locator(".told").is_visible()


CHANGES = [("prompt", "别的话"), ("spread", 0.4), ("num_layers", 2), ("num_heads", 2), ("d_model", 64), ("seed", 1)]


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_control_changes_the_pictures(lab, name, value):
    before = [pixels(lab, picture, lab=LAB) for picture in ("attention", "reads", "norms")]
    assert set_field(lab, name, value, LAB) == "ready"
    after = [pixels(lab, picture, lab=LAB) for picture in ("attention", "reads", "norms")]
    assert all(a != b for a, b in zip(before, after, strict=True)) or name in ("num_layers",) and before != after


def test_bad_input_stands_beside_its_control_and_the_pictures_stay(lab):
    before = pixels(lab, "attention", lab=LAB)
    assert set_field(lab, "d_model", 50, LAB) == "error"
    assert "num_heads=4" in see(lab).locator("#gpt-d_model-error").text_content()
    assert set_field(lab, "d_model", 48, LAB) == "ready"
    assert set_field(lab, "prompt", "", LAB) == "error"
    assert see(lab).locator("#gpt-prompt-error").is_visible()
    assert pixels(lab, "attention", lab=LAB) == before


@pytest.mark.parametrize(("width", "theme", "language"), [(360, "dark", "en"), (1280, "light", "zh")])
def test_accessible_and_no_wider_than_the_window(lab, width, theme, language):
    set_language(lab, language)
    lab.emulate_media(color_scheme=theme)
    lab.set_viewport_size({"width": width, "height": 800})
    settled(lab, LAB)
    see(lab).locator(".head-actions button").first.click()
    settled(lab, LAB)
    set_field(lab, "top_k", 5, LAB)
    run(lab)
    assert serious(lab, "[data-lab=gpt]") == []
    assert lab.evaluate("document.documentElement.scrollWidth") <= width
    lab.set_viewport_size({"width": 1280, "height": 900})
    lab.emulate_media(color_scheme="light")
    set_language(lab, "zh")


def test_the_default_is_there_in_time(lab):
    """The issue's bound for an idle machine is 300 ms; this one is shared."""
    best = lab.evaluate(
        """async () => {
             const times = [];
             for (const seed of [31, 32, 33, 34, 35]) {
               const started = performance.now();
               await seeformer.call("gpt", { seed });
               times.push(performance.now() - started);
             }
             return Math.min(...times);
           }"""
    )
    assert best < 300


def test_weights_of_ones_own_take_the_place_of_random_ones(lab):
    """The tokenizer cuts the prompt, the model's own sizes count, and it writes on in its own vocabulary."""
    prompt = "ab 猫"
    set_field(lab, "prompt", prompt, LAB)
    assert choose_files(lab, files(), LAB)[0] == "used"
    assert see(lab).locator(".claim").is_hidden() and see(lab).locator("#gpt-num_layers").is_hidden()
    ids = [int(each) for each in section(lab, "tokens").locator(".strip small").all_inner_texts()]
    shares = np.exp(model().forward(np.array(ids))[-1].astype(float))
    best = np.sort(shares / shares.sum())[::-1]
    np.testing.assert_allclose([share for _, share in listed(lab, "next")], best[:8], rtol=0.02)
    assert run(lab) == "ready"
    assert "checkpoint" not in address(lab) and "ids" not in address(lab)
    see(lab).get_by_role("button", name="换回随机权重").click()
    settled(lab, LAB)
    assert see(lab).locator(".claim").is_visible()
