"""The page around the labs: languages, colours, sizes, keyboard, accessibility, addresses."""

import json

import pytest

from sitebuild.paths import ROOT
from support.axe import serious
from support.labs import open_lab, settled

WORDS = {language: json.loads((ROOT / "web" / "text" / f"{language}.json").read_text("utf-8")) for language in ("zh", "en")}


@pytest.mark.parametrize("locale", ["zh-CN", "en-GB"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_page, server, locale, theme):
    page = open_lab(open_page(locale=locale, theme=theme), server)
    for face in ("see", "code", "note"):
        page.locator(f".faces [data-face={face}]").click()
        assert serious(page) == []


@pytest.mark.parametrize("locale", ["zh-CN", "en-GB"])
def test_nothing_is_wider_than_a_small_screen(open_page, server, locale):
    page = open_lab(open_page(locale=locale, width=360, height=740), server)
    for face in ("see", "code", "note"):
        page.locator(f".faces [data-face={face}]").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator(".faces [data-face=see]").click()
    page.locator("#attention-weight_set").select_option("paper")
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize(("locale", "language"), [("zh-CN", "zh"), ("zh-TW", "zh"), ("en-GB", "en"), ("fr-FR", "en")])
def test_the_browsers_language_chooses_the_words(open_page, server, locale, language):
    page = open_page(locale=locale, path="")
    page.locator("h1").wait_for()
    assert page.locator("h1").text_content() == WORDS[language]["page"]["title"]


def test_switching_the_language_changes_every_word_and_keeps_the_state(open_page, server):
    page = open_lab(open_page(locale="zh-CN"), server, "#attention?num_heads=2&causal=1&v=1")
    page.evaluate("seeformer.run('kept = 41')")
    page.get_by_role("button", name="English").click()
    page.get_by_role("heading", name=WORDS["en"]["page"]["title"]).wait_for()
    settled(page)
    chinese = page.evaluate(
        """() => [...document.querySelectorAll("#rail, .intro, .lab h2, .lab h3, .lab p, .lab label, .lab option, .lab button")]
             .filter((element) => element.checkVisibility() && !element.closest("[lang=zh]") && !element.querySelector("[lang=zh]"))
             .map((element) => element.textContent).filter((text) => /[\\u4e00-\\u9fff]/.test(text))"""
    )
    assert chinese == []
    assert page.locator("#attention-num_heads").input_value() == "2"
    assert page.evaluate("seeformer.run('kept + 1').then((told) => told.result)") == "42"
    page.reload()
    assert page.locator("h1").text_content() == WORDS["en"]["page"]["title"]


def test_the_address_holds_the_state(open_page, server):
    page = open_lab(open_page(), server, "#attention?tokens=%E6%88%91,%E7%88%B1,%E7%8C%AB&num_heads=2&d_model=8&causal=1&v=1")
    assert page.locator("#attention-tokens").input_value() == "我爱猫"
    assert page.locator("#attention-d_model").input_value() == "8"
    assert page.locator("#attention-causal").is_checked()
    page.locator("#attention-seed").fill("7")
    page.wait_for_function("() => location.hash.includes('seed=7')")
    address = page.evaluate("location.hash")
    page.get_by_role("button", name="恢复默认").click()
    page.wait_for_function("() => location.hash === '#attention'")
    page.evaluate("(address) => { location.hash = address; }", address)
    page.wait_for_function("() => document.querySelector('#attention-seed').value === '7'")


def test_a_link_with_nonsense_says_what_is_wrong(open_page, server):
    page = open_page()
    page.goto(server + "#attention?d_model=abc&nonsense=1&v=1")
    page.locator("[data-lab=attention][data-state=error]").wait_for()
    assert "'abc'" in page.locator("#attention-d_model-error").text_content()
    assert "nonsense" in page.locator("[data-lab=attention]").text_content()


def test_stored_pictures_first_then_live_ones_in_the_same_place(open_page, server):
    page = open_page()
    page.route("**/pyodide.asm.wasm", lambda route: (page.wait_for_timeout(1500), route.continue_()))
    page.goto(server)
    lab = page.locator("[data-lab=attention]")
    lab.locator("canvas[data-heatmap=output]").wait_for()
    assert lab.get_attribute("data-source") == "precomputed" and lab.get_attribute("data-state") == "loading"
    assert WORDS["zh"]["lab"]["precomputed"] in lab.text_content()
    where = "() => document.querySelector('canvas[data-heatmap=weights]').getBoundingClientRect().top + scrollY"
    before = page.evaluate(where)
    page.evaluate("() => window.seeformer.ready")
    assert lab.get_attribute("data-source") == "live" and lab.get_attribute("data-state") == "ready"
    assert page.evaluate(where) == before


def test_colours_follow_the_system_or_the_reader(open_page, server):
    page = open_page(theme="light", path="")
    page.locator("h1").wait_for()
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(ground)
    assert light != dark
    button = page.get_by_title(WORDS["zh"]["page"]["theme"]["label"])
    button.click()
    assert page.evaluate(ground) == light
    button.click()
    assert page.evaluate(ground) == dark


def test_everything_by_keyboard(open_page, server):
    """Tab alone reaches each control, action, face and picture; arrow keys read a picture; Enter and Space act."""
    page = open_lab(open_page(), server)
    wanted = {"#attention-tokens", "#attention-weight_set", "#attention-causal", ".actions .main", "[data-heatmap=weights]", ".faces button", "#rail a.entry"}
    reached = set()
    for _ in range(160):
        page.keyboard.press("Tab")
        reached |= {where for where in wanted if page.evaluate("(where) => document.activeElement.matches(where)", where)}
        if wanted == reached:
            break
        if page.evaluate("document.activeElement.matches('#attention-causal')"):
            page.keyboard.press("Space")
            settled(page)
            assert page.locator("#attention-causal").is_checked()
        if page.evaluate("document.activeElement.matches('[data-heatmap=weights]')"):
            page.keyboard.press("ArrowDown")
            assert page.locator(".reading .result").count() == 1
    assert wanted == reached
