"""Driving a lab on the page as a reader does. Every function takes the lab's id; the first lab is the default."""

import json
import re

import numpy as np

FIRST = "attention"


def open_lab(page, server, address="#attention"):
    """The page with its first live result painted."""
    page.goto(server + address)
    page.evaluate("() => window.seeformer.ready")
    return page


def root(page, lab=FIRST):
    """The lab's element: whatever a test looks for is looked for in there."""
    return page.locator(f"[data-lab={lab}]")


def face(page, name, lab=FIRST):
    """Turns the lab to its face see, code or note."""
    root(page, lab).locator(f".faces [data-face={name}]").click()


def call(page, lab=FIRST, **params):
    """What `seeformer.call` gives, arrays as NumPy arrays. It comes as one text: Playwright is slow with thousands of values."""
    values = page.evaluate(
        """async ([lab, params]) => JSON.stringify(Object.fromEntries(Object.entries(await seeformer.call(lab, params)).map(([name, value]) =>
             [name, value.data ? {shape: value.shape, list: Array.from(value.data, String)} : value])))""",
        [lab, params],
    )
    values = json.loads(values)
    return {
        name: np.array(value["list"], dtype=float).reshape(value["shape"]) if isinstance(value, dict) else value
        for name, value in values.items()
    }


# Looked at when it changes, not at each frame: asking for frames while a lab computes makes the page paint for nothing.
_SETTLED = """(lab) => new Promise((done, fail) => {
  const element = document.querySelector(`[data-lab=${lab}]`);
  const rests = () => ["ready", "error"].includes(element.dataset.state);
  // Pictures in sight are drawn in the next frame, the others when the page is idle.
  const drawn = () => requestAnimationFrame(() => (element.querySelector("[data-stale]") ? drawn() : done(element.dataset.state)));
  if (rests()) return drawn();
  const patience = setTimeout(() => fail(new Error(`${lab} is still ${element.dataset.state} after 60 s`)), 60_000);
  const watch = new MutationObserver(() => {
    if (!rests()) return;
    watch.disconnect();
    clearTimeout(patience);
    drawn();
  });
  watch.observe(element, { attributeFilter: ["data-state"] });
})"""


def settled(page, lab=FIRST):
    """Waits until the lab rests and has drawn; returns its state."""
    return page.evaluate(_SETTLED, lab)


def restore_defaults(page, lab=FIRST):
    root(page, lab).get_by_role("button", name="恢复默认").click()
    return settled(page, lab)


def set_language(page, language):
    """By the button in the rail, if the page speaks the other one."""
    if page.evaluate("document.documentElement.lang.slice(0, 2)") != language:
        page.evaluate("document.querySelector('#rail .switches button').click()")
        page.wait_for_function("(language) => document.documentElement.lang.startsWith(language)", arg=language)


def set_field(page, name, value, lab=FIRST):
    """Types into a control's field, or ticks, or chooses; then waits for the lab."""
    field = page.locator(f"#{lab}-{name}")
    if field.get_attribute("type") == "checkbox":
        field.set_checked(value)
    elif field.evaluate("field => field.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(str(value))
    return settled(page, lab)


def drawn(page):
    """Waits until every picture shows what it has."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_function("() => !document.querySelector('[data-stale]')")


def pixels(page, name, index=None, lab=FIRST):
    """What a heatmap shows, as a data URL: equal pictures are equal texts."""
    where = f"canvas[data-heatmap={name}]" + ("" if index is None else f"[data-index='{index}']")
    drawn(page)
    return root(page, lab).locator(where).evaluate("canvas => canvas.toDataURL()")


def numbers(text):
    """Every number of a reading, the page's minus signs and powers of ten read back."""
    raised = re.sub(
        r"(×?)10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda power: ("e" if power[1] else "1e") + power[2], text.replace("−", "-")
    )
    plain = raised.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", plain)]
