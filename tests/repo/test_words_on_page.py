"""The page in a made-up language: what is still readable did not come from web/text/.

Every word of en.json is put between two brackets before the page loads it. Whatever letters the page then shows
outside of brackets must be names (of arrays, parameters, functions), the reader's own tokens, or code.
"""

import json
import re

import pytest
from support.watch import Watch

from sitebuild.labs import labs, languages, text

OPEN, CLOSE = "⟦", "⟧"
CODE = "code, pre, math, samp, kbd, textarea, input, select option, .cm-editor, script, style, [translate=no]"
FORMATS = ["PNG", "SVG", "CSV", "NPY"]  # called so in every language
BRACKETED = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")

COLLECT = """(code) => {
  const shown = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.closest(code)) shown.push(node.data);
  }
  for (const element of document.body.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
    if (element.closest(".cm-editor") || element.parentElement.closest("[role=img]")) continue; // nobody hears what is in an image
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      if (element.hasAttribute(name)) shown.push(element.getAttribute(name));
    }
  }
  return shown;
}"""


def bracketed(node):
    """All strings in brackets but a lab's default parameters: those are data, not words."""
    if isinstance(node, dict):
        data = node.get("defaults") if isinstance(node.get("defaults"), dict) else None
        return {name: inner if inner is data else bracketed(inner) for name, inner in node.items()}
    if isinstance(node, list):
        return [bracketed(inner) for inner in node]
    return f"{OPEN}{node}{CLOSE}" if isinstance(node, str) else node


def names(site) -> set[str]:
    """What may stand on the page as it is: names that code and picture share, and the reader's tokens."""
    allowed = {"seeformer", "see", "former", "py", *FORMATS, *languages()}
    for lab in labs():
        head = json.loads((site / f"data/{lab}.en.json").read_text("utf-8"))
        allowed |= {entry["name"] for entry in head["meta"]} | head["params"].keys() | {lab}
        for entry in head["meta"]:
            value = entry.get("value")
            allowed |= {value} if entry["kind"] == "string" else set(value) if entry["kind"] == "strings" else set()
        for source in json.loads((site / f"data/{lab}.sources.json").read_text("utf-8")):
            allowed |= set(source["module"].split(".")) | set(re.findall(r"\bdef (\w+)", source["source"]))
    return {word for name in allowed for word in words(name)}


def words(shown: str) -> list[str]:
    return re.findall(r"[A-Za-z]{2,}|[\u3400-\u9fff]+", shown)


def outside(shown: str) -> str:
    while BRACKETED.search(shown):  # a translated word may stand inside another
        shown = BRACKETED.sub(" ", shown)
    return shown


@pytest.fixture(scope="module")
def page(browser, server):
    """One start of Python for all faces."""
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    watch = Watch(page, server)
    strange = json.dumps(bracketed(text("en")))
    page.route("**/web/text/en.json", lambda route: route.fulfill(body=strange, content_type="application/json"))
    page.goto(server)
    page.wait_for_selector("[data-lab]")
    page.evaluate("() => window.seeformer.ready")
    yield page
    context.close()
    assert not watch.complaints(lenient=False)


@pytest.mark.parametrize("face", ["see", "code", "note"])
def test_every_word_comes_from_the_texts(page, site, face):
    faces = page.locator(f".faces [data-face={face}]")
    assert faces.count() == len(labs())
    for button in faces.all():
        button.click()
    shown = page.evaluate(COLLECT, CODE)
    assert sum(OPEN in one for one in shown) > 20, "the made-up language did not arrive"
    allowed = names(site)
    strangers = {one.strip() for one in shown if set(words(outside(one))) - allowed}
    assert not strangers
