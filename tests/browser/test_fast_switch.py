"""The switch that turns the fast path off for the whole page: what runs then, what it says, what it remembers."""

import ast

import pytest
from support.labs import root, set_field, settled
from support.modules import blank_page

from sitebuild.labs import languages, text

SWITCH = ".fast-switch"


def enabled(page):
    cell = page.evaluate("() => seeformer.run('import seeformer.fast; seeformer.fast.status()')")
    return ast.literal_eval(cell["result"])["enabled"]


def told(page):
    return page.locator(f"{SWITCH} [role=status]").text_content()


def flip(page):
    page.locator(f"{SWITCH} input").click()
    page.evaluate("() => seeformer.run('')")  # comes after it


def booted(page, server):
    page.goto(server)
    page.evaluate("() => seeformer.ready")
    return page


@pytest.mark.timeout(300)
@pytest.mark.allow_errors  # a Python that ends tells the console too
def test_off_for_all_that_runs_and_remembered_until_the_tab_is_closed(page, server):
    words = text("zh")["fast"]
    booted(page, server)
    assert enabled(page) and page.locator(f"{SWITCH} input").is_checked()
    assert told(page) == words["relaxed"]

    flip(page)
    assert not enabled(page) and told(page) == words["off"]
    assert set_field(page, "seed", 7) == "ready"  # a lab runs, and changes nothing of that
    assert not enabled(page)

    page.reload()
    page.evaluate("() => seeformer.ready")
    assert not enabled(page) and not page.locator(f"{SWITCH} input").is_checked()
    page.evaluate("() => seeformer.run('import os; os._exit(0)')")  # ends Python; another one starts
    page.evaluate("() => seeformer.run('')")
    assert not enabled(page) and told(page) == words["off"]

    flip(page)
    assert enabled(page) and told(page) == words["relaxed"]
    page.reload()
    page.evaluate("() => seeformer.ready")
    assert enabled(page)


def test_the_labs_that_wait_run_on_the_loops_that_were_chosen(page, server):
    """It goes before them, also at the start."""
    page.add_init_script("sessionStorage.setItem('seeformer:fast', 'false')")
    booted(page, server)
    assert settled(page) == "ready"
    assert not enabled(page)
    assert root(page).get_attribute("data-source") == "live"


def test_it_works_where_nothing_can_be_kept(page, server):
    page.add_init_script(
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    booted(page, server)
    assert enabled(page)
    flip(page)
    assert not enabled(page)


FAKE = """async ([status, answers]) => {
  const { createFastSwitch } = await load("core/page/fast-switch.js");
  window.asked = [];
  let hear;
  const engine = { on: (event, listener) => (hear = listener), fast: async (on) => (asked.push(on), answers) };
  root.replaceChildren(createFastSwitch(engine));
  window.ready = () => hear({ id: "ready", state: "done", versions: { fast: status } });
  hear({ id: "download", state: "running" });
}"""
REFUSED = {"enabled": False, "build": None, "loops": [], "reason": "this engine has no WebAssembly SIMD"}
PLAIN = {"enabled": True, "build": "plain", "loops": [], "reason": None}


@pytest.mark.parametrize("language", languages())
def test_it_says_why_it_is_not_enabled_and_which_build_is(open_page, server, language):
    words = text(language)["fast"]
    page = blank_page(open_page(lent=True, locale={"zh": "zh-CN", "en": "en-GB"}[language]), server)
    page.evaluate(FAKE, [REFUSED, REFUSED])
    assert page.locator(SWITCH).is_hidden()  # nothing is known yet
    page.evaluate("() => ready()")
    assert told(page) == words["refused"].format(reason=REFUSED["reason"])
    assert page.locator(f"{SWITCH} input").is_disabled()
    page.evaluate(FAKE, [PLAIN, PLAIN])
    page.evaluate("() => ready()")
    assert told(page) == words["plain"] and page.locator(f"{SWITCH} input").is_checked()
    assert page.evaluate("asked") == []


def test_a_python_that_is_not_there_leaves_it_as_it_was(open_page, server):
    page = blank_page(open_page(lent=True), server)
    page.evaluate(FAKE, [PLAIN, PLAIN])
    page.evaluate("() => ready()")
    page.evaluate(
        """async () => {
          const { createFastSwitch } = await load("core/page/fast-switch.js");
          let hear;
          const engine = { on: (event, listener) => (hear = listener), fast: () => Promise.reject(new Error("gone")) };
          root.replaceChildren(createFastSwitch(engine));
          hear({ id: "ready", versions: { fast: { enabled: true, build: "plain", reason: null } } });
          root.querySelector("input").click();
        }"""
    )
    page.wait_for_function("() => root.querySelector('input').checked")
