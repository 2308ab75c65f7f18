"""What holds for each lab, whichever labs there are: at its defaults, at the ends of its controls, by keyboard."""

import pytest
from support.labs import restore_defaults, root, set_language, settled

from sitebuild.labs import labs

ALL = pytest.mark.parametrize("lab", labs())


def speak(page, language):
    set_language(page, language)


@pytest.fixture
def page(booted):
    yield booted
    speak(booted, "zh")


@ALL
@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_is_ready_and_says_so(page, lab, language):
    speak(page, language)
    assert settled(page, lab) == "ready"
    assert root(page, lab).get_attribute("data-source") == "live"
    assert root(page, lab).locator("canvas[data-heatmap]").count() > 0
    status = root(page, lab).locator(".lab-status").text_content()
    assert "ms" in status or "毫秒" in status


@ALL
def test_the_picture_that_stands_for_it_in_a_note_is_on_its_board(page, lab):
    cover = page.evaluate("async (lab) => (await import(`./web/labs/${lab}.js`)).default.cover", lab)
    assert root(page, lab).locator(f"canvas[data-heatmap={cover}]").count() > 0


def ends(page, lab):
    """[name, value] for both ends of every slider, every choice and both states of every tick box that is on show."""
    return page.evaluate(
        """(lab) => [...document.querySelectorAll(`[data-lab=${lab}] [data-control]`)].filter((control) => control.checkVisibility()).flatMap((control) => {
             const field = control.querySelector("select, input");
             if (!field) return []; // a grid to draw on has no ends
             if (field.tagName === "SELECT") return [...field.options].map(({ value }) => [field.id, value]);
             if (field.type === "checkbox") return [[field.id, !field.checked], [field.id, field.checked]];
             return field.type === "number" && field.max !== "" ? [[field.id, field.min], [field.id, field.max]] : [];
           })""",
        lab,
    )


@ALL
def test_each_control_at_its_ends(page, lab):
    restore_defaults(page, lab)
    found = ends(page, lab)
    assert len(found) >= 4
    for at, (name, value) in enumerate(found):
        field = page.locator(f"#{name}")
        if isinstance(value, bool):
            field.set_checked(value)
        elif field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
        told = root(page, lab).locator(".lab-error, .control-error").all_text_contents()
        assert settled(page, lab) == "ready", (name, value, told)
        if name not in (name for name, _ in found[at + 1 : at + 2]):  # the control's last value
            restore_defaults(page, lab)


@ALL
def test_everything_in_it_is_reached_by_tab(page, lab):
    restore_defaults(page, lab)
    page.evaluate(
        """(lab) => {
             const visible = [...document.querySelectorAll(`[data-lab=${lab}] :is(input, select, button, a, [tabindex='0'])`)]
               .filter((element) => element.checkVisibility() && !element.disabled && element.tabIndex >= 0);
             window.unreached = new Set(visible);
             window.asked = visible.length;
             visible[0].focus();
             window.reach = () => unreached.delete(document.activeElement);
             document.addEventListener("focusin", reach);
             reach();
           }""",
        lab,
    )
    asked = page.evaluate("asked")
    assert asked > 10
    for _ in range(asked + 5):
        page.keyboard.press("Tab")
    page.evaluate("document.removeEventListener('focusin', reach)")
    assert page.evaluate("[...unreached].map((element) => element.outerHTML.slice(0, 120))") == []
