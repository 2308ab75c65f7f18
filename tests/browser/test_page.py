"""The page around the labs: languages, colours, sizes, keyboard, accessibility, addresses."""

import json

import pytest
from support.axe import serious
from support.labs import root, set_field, set_language, settled

from sitebuild.paths import ROOT

WORDS = {
    language: json.loads((ROOT / "web" / "text" / f"{language}.json").read_text("utf-8")) for language in ("zh", "en")
}


FACES = ("code", "note", "see")


def speak(page, language):
    set_language(page, language)


def show_everywhere(page, face):
    for tab in page.locator(f".faces [data-face={face}]").all():
        tab.click()


@pytest.mark.parametrize(("language", "theme", "faces"), [("en", "dark", FACES), ("zh", "light", ("see",))])
def test_axe_finds_nothing_serious(booted, language, theme, faces):
    """A look at a page of five labs takes many seconds: all of it once in each theme, of the other faces what they add."""
    speak(booted, language)
    booted.emulate_media(color_scheme=theme)
    for face in faces:
        show_everywhere(booted, face)
        assert serious(booted, "body" if face == "see" else f".lab > header, .face.{face}") == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_wider_than_a_small_screen(booted, language):
    speak(booted, language)
    booted.set_viewport_size({"width": 360, "height": 740})
    for weights in ("paper", "hand_built"):
        set_field(booted, "weight_set", weights)
        for face in FACES:
            show_everywhere(booted, face)
            assert booted.evaluate("document.documentElement.scrollWidth") <= 360
    booted.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.parametrize(("locale", "language"), [("zh-CN", "zh"), ("zh-TW", "zh"), ("en-GB", "en"), ("fr-FR", "en")])
def test_the_browsers_language_chooses_the_words(open_page, server, locale, language):
    page = open_page(locale=locale, path="")
    page.locator("h1").wait_for()
    assert page.locator("h1").text_content() == WORDS[language]["page"]["title"]


def test_switching_the_language_changes_every_word_and_keeps_the_state(booted):
    set_field(booted, "num_heads", 2)
    root(booted).locator("canvas[data-heatmap=weights]").first.hover(
        position={"x": 5, "y": 5}
    )  # the reading line follows too
    booted.evaluate("seeformer.run('kept = 41')")
    booted.get_by_role("button", name="English").click()
    booted.wait_for_function(
        """() => {
             const own = [...document.querySelectorAll(":is(.control.tokens, .control.text) :is(input, textarea)")].map(({ value }) => value).join(""); // the readers' words stay
             const foreign = (text) => [...text].some((sign) => /[\\u4e00-\\u9fff]/.test(sign) && !own.includes(sign));
             return [...document.querySelectorAll("#rail, .intro, .lab h2, .lab h3, .lab p, .lab label, .lab option, .lab button")]
               .filter((element) => element.checkVisibility() && !element.closest("[lang=zh], [translate=no]") && !element.querySelector("[lang=zh]"))
               .every((element) => !foreign(element.textContent));
           }"""
    )
    assert booted.locator("h1").text_content() == WORDS["en"]["page"]["title"]
    assert booted.locator("#attention-num_heads").input_value() == "2"
    assert booted.evaluate("seeformer.run('kept + 1').then((told) => told.result)") == "42"
    assert booted.evaluate("localStorage.getItem('seeformer:language')") == '"en"'
    booted.get_by_role("button", name="中文").click()
    set_field(booted, "num_heads", 4)


def visit(page, address):
    page.evaluate("(address) => { location.hash = address; }", address)


def test_the_address_holds_the_state(booted):
    visit(booted, "#attention?tokens=%E6%88%91,%E7%88%B1,%E7%8C%AB&num_heads=2&d_model=8&causal=1&v=1")
    booted.wait_for_function("() => document.querySelector('#attention-tokens').value === '我爱猫'")
    assert booted.locator("#attention-d_model").input_value() == "8"
    assert booted.locator("#attention-causal").is_checked()
    booted.locator("#attention-seed").fill("7")
    booted.wait_for_function("() => location.hash.includes('seed=7')")
    address = booted.evaluate("location.hash")
    root(booted).get_by_role("button", name="恢复默认").click()
    booted.wait_for_function("() => location.hash === '#attention'")
    visit(booted, address)
    booted.wait_for_function("() => document.querySelector('#attention-seed').value === '7'")
    assert booted.locator("#attention-tokens").input_value() == "我爱猫"
    root(booted).get_by_role("button", name="恢复默认").click()
    assert settled(booted) == "ready"


def test_a_link_with_nonsense_says_what_is_wrong(booted):
    visit(booted, "#attention?d_model=abc&nonsense=1&v=1")
    booted.locator("[data-lab=attention][data-state=error]").wait_for()
    assert "'abc'" in booted.locator("#attention-d_model-error").text_content()
    assert "nonsense" in booted.locator("[data-lab=attention]").text_content()
    root(booted).get_by_role("button", name="恢复默认").click()
    assert settled(booted) == "ready"
    assert root(booted).locator(".lab-unknown").is_hidden()


def test_stored_pictures_first_then_live_ones_in_the_same_place(open_page, server):
    page = open_page()
    page.route("**/pyodide.asm.wasm", lambda route: (page.wait_for_timeout(1500), route.continue_()))
    page.goto(server)
    lab = root(page)
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


def test_everything_by_keyboard(booted):
    """Tab alone reaches each control, action, face and picture; arrow keys read a picture; Enter and Space act."""
    page = booted
    page.locator("#rail .brand").focus()
    wanted = {
        "#attention-tokens",
        "#attention-weight_set",
        "#attention-causal",
        ".actions .main",
        "[data-heatmap=weights]",
        ".faces button",
        "#rail a.entry",
    }
    reached = set()
    for _ in range(160):
        page.keyboard.press("Tab")
        reached |= {
            where for where in wanted if page.evaluate("(where) => document.activeElement.matches(where)", where)
        }
        if wanted == reached:
            break
        if page.evaluate("document.activeElement.matches('#attention-causal')"):
            page.keyboard.press("Space")
            settled(page)
            assert page.locator("#attention-causal").is_checked()
        if page.evaluate("document.activeElement.matches('[data-heatmap=weights]')"):
            page.keyboard.press("ArrowDown")
            assert root(page).locator(".reading .result").count() == 1
    assert wanted == reached
