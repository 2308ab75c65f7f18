"""Parts of a language model's lab: tokens with their numbers, and candidates with their probabilities."""

import pytest
from support.axe import serious
from support.modules import blank_page

SCRIPT = """async () => {
  const [{ tokenStrip }, { candidates }] = [await load("core/lab/token-strip.js"), await load("core/lab/candidates.js")];
  Object.assign(window, { picked: [], taken: [] });
  window.strip = tokenStrip({ label: ["heatmap.key"], onChoose: (position) => (picked.push(position), tell({ chosen: position })) });
  window.told = { tokens: ["猫", " ", "sat", "\\n"], ids: [7, 3, 12, 0], chosen: 0 };
  window.tell = (more) => strip.update(Object.assign(told, more));
  window.list = candidates({ label: ["heatmap.query"], onChoose: (text, place) => taken.push([text, place]) });
  root.append(strip.element, list.element);
  tell({});
  list.update({ texts: ["a", " ", "c"], probabilities: [0.5, 0.25, 0.015625] });
}"""


@pytest.fixture
def page(open_page, server):
    page = blank_page(open_page(lent=True, locale="en-GB"), server)
    page.evaluate(SCRIPT)
    return page


def test_tokens_stand_with_their_numbers_and_blanks_have_a_sign(page):
    assert page.locator(".strip button").all_inner_texts() == ["猫\n7", "␣\n3", "sat\n12", "⏎\n0"]
    assert page.get_by_role("radio", name="token 3, sat, number 12").count() == 1


def test_a_click_and_the_arrow_keys_choose(page):
    tokens = page.locator(".strip button")
    tokens.nth(2).click()
    assert page.evaluate("picked") == [2]
    assert tokens.nth(2).get_attribute("aria-checked") == "true"
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"):
        page.keyboard.press(key)
    assert page.evaluate("picked") == [2, 3, 0, 3, 0, 3]
    assert [button.get_attribute("tabindex") for button in tokens.all()] == ["-1", "-1", "-1", "0"]
    assert page.evaluate("document.activeElement.textContent") == "⏎0"


def test_hidden_and_generated_tokens_are_marked_and_focus_survives_new_tokens(page):
    page.evaluate("tell({ hidden: [1], fresh: 3 })")
    tokens = page.locator(".strip button")
    assert tokens.nth(1).get_attribute("data-hidden") == "" and tokens.nth(0).get_attribute("data-hidden") is None
    assert tokens.nth(3).get_attribute("data-new") == "" and tokens.nth(2).get_attribute("data-new") is None
    tokens.nth(0).focus()
    page.evaluate("tell({ tokens: ['x', 'y'], ids: [1, 2] })")
    assert page.evaluate("document.activeElement.textContent") == "x1"


def test_a_bar_is_as_long_as_its_probability(page):
    bars = [bar.bounding_box()["width"] for bar in page.locator(".candidates .bars i").all()]
    assert bars[0] / bars[1] == pytest.approx(2, rel=0.02) and bars[0] > 50
    assert page.locator(".candidates .amount").all_inner_texts() == ["0.5", "0.25", "0.0156"]
    page.locator(".candidates button").nth(1).click()
    assert page.evaluate("taken") == [[" ", 1]]


def test_before_and_after_a_change(page):
    page.evaluate("list.update({ texts: ['a', 'b'], before: [0.75, 0.1], probabilities: [0.25, 0.5], chosen: 'b' })")
    assert page.locator(".candidates .amount").all_inner_texts() == ["0.75 → 0.25", "0.1 → 0.5"]
    assert page.locator(".candidates-key").is_visible()
    assert page.locator(".candidates li[data-chosen]").inner_text().startswith("b")
    before, after = (bar.bounding_box()["width"] for bar in page.locator(".candidates li").first.locator("i").all())
    assert before / after == pytest.approx(3, rel=0.03)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_accessible(page, theme):
    page.emulate_media(color_scheme=theme)
    page.evaluate("tell({ hidden: [1], chosen: 2 })")
    assert serious(page, "#root") == []
