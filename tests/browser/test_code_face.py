"""The Code face: what is edited runs in this lab, errors stand at their line, Restore brings the original back."""

import pytest
from support.labs import pixels, root, settled


@pytest.fixture
def lab(booted):
    root(booted).locator(".faces [data-face=code]").click()
    yield booted
    restore(booted)


def restore(page):
    button = root(page).get_by_role("button", name="恢复原样")
    if button.is_enabled():
        button.click()
    assert settled(page) == "ready"


def edit(page, module, old, new):
    """Replaces a text in a module's editor, through the keyboard's own path: select all, insert."""
    root(page).locator(f".code-tabs [data-module='seeformer.{module}']").click()
    editor = root(page).locator(f".code-editor[data-module='seeformer.{module}'] .cm-content")
    source = page.evaluate(
        "async (module) => (await (await fetch('data/attention.sources.json')).json()).find((each) => each.module === module).source",
        f"seeformer.{module}",
    )
    assert old in source
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source.replace(old, new, 1))


def run(page):
    page.keyboard.press("Control+Enter")
    return settled(page)


SOFTMAX = "exp / np.where(total == 0, 1, total)"


def test_an_edit_changes_the_pictures_and_restore_brings_them_back(lab):
    before = pixels(lab, "weights", 0)
    edit(lab, "attention", SOFTMAX, f"0.5 * {SOFTMAX}")
    assert pixels(lab, "weights", 0) == before, "nothing runs before Run"
    assert run(lab) == "ready"
    assert pixels(lab, "weights", 0) != before
    assert lab.evaluate("seeformer.call('attention', {}).then(({row_sums}) => row_sums.data[0])") == pytest.approx(1), (
        "the API has the original"
    )
    restore(lab)
    assert pixels(lab, "weights", 0) == before


def test_an_error_stands_at_its_line_and_the_pictures_stay(lab):
    before = pixels(lab, "weights", 0)
    edit(lab, "attention", SOFTMAX, "exp / nothing_here")
    assert run(lab) == "error"
    mark = root(lab).locator(".code-editor:not([hidden]) .editor-error")
    assert "nothing_here" in mark.first.text_content() and mark.first.is_visible()
    assert pixels(lab, "weights", 0) == before


def test_a_syntax_error_is_shown_too(lab):
    edit(lab, "attention", "def softmax(x, axis=-1):", "def softmax(x, axis=-1)")
    assert run(lab) == "error"
    assert "SyntaxError" in root(lab).locator(".code-editor:not([hidden])").text_content()
    assert "没有跑完" in root(lab).locator(".code-state").text_content()


def test_an_edit_survives_a_reload(lab):
    edit(lab, "attention", SOFTMAX, f"0.5 * {SOFTMAX}")
    run(lab)
    edited = pixels(lab, "weights", 0)
    lab.reload()
    lab.evaluate("() => window.seeformer.ready")
    root(lab).locator(".faces [data-face=code]").click()
    assert pixels(lab, "weights", 0) == edited
    assert root(lab).get_attribute("data-edited") is not None


def test_pointing_at_a_picture_lights_the_line_that_made_it(lab):
    root(lab).locator("canvas[data-heatmap=scores]").hover(position={"x": 5, "y": 5})
    lit = root(lab).locator(".code-editor:not([hidden]) .editor-lit")
    assert 'see("scores"' in lit.text_content()


def test_an_endless_loop_in_an_edit_can_be_stopped(lab):
    edit(lab, "attention", "def softmax(x, axis=-1):", "def softmax(x, axis=-1):\n    while True: pass")
    lab.keyboard.press("Control+Enter")
    root(lab).get_by_role("button", name="停止").first.click()
    assert settled(lab) == "error"


def test_a_softmax_of_ones_own_needs_no_see(lab):
    edit(
        lab,
        "attention",
        "def softmax(x, axis=-1):",
        "def softmax(x, axis=-1):\n    return np.full_like(x, 1 / x.shape[-1])",
    )
    assert run(lab) == "ready"
    root(lab).locator("canvas[data-heatmap=weights]").first.hover(position={"x": 5, "y": 5})
    assert root(lab).locator(".reading .result").text_content() == "0.111111"


def test_a_lost_see_is_named(lab):
    edit(lab, "attention", 'see("weights", softmax(see("masked", scores)))', 'softmax(see("masked", scores))')
    assert run(lab) == "error"
    assert "see='weights'" in root(lab).locator(".lab-error").text_content()
