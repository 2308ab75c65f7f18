"""All words a reader sees are in web/text/, complete in both languages."""

import re
from html.parser import HTMLParser

import pytest
from javascript import literals
from tracked import name, text_files

from sitebuild.labs import languages, text
from sitebuild.paths import ROOT

CJK = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
HOLE = re.compile(r"\{(\w+)\}")
PAGE_SOURCES = [path for path in text_files(".js") if name(path).startswith("web/")]

# Where a literal would be seen: handed to one of these, or put into one of these.
SHOWN = re.compile(
    r"""(?:\.(?:textContent|innerText|innerHTML|outerHTML|alt|placeholder|ariaLabel|title)\s*\+?=
        |\b(?:alert|confirm|prompt|createTextNode|insertAdjacentText|insertAdjacentHTML|fillText|strokeText)\(
        |\bsetAttribute\(\s*"(?:aria-(?:label|description|roledescription|valuetext)|title|placeholder|alt)",
        |\b(?:title|label|placeholder|alt|text|"aria-label"|"aria-description"):
        |\.(?:append|prepend|replaceChildren|after|before|replaceWith)\()\s*$""",
    re.VERBOSE,
)


def leaves(node, path=()):
    if isinstance(node, dict):
        for key, inner in node.items():
            yield from leaves(inner, (*path, key))
    else:
        yield ".".join(path), node


def test_two_languages():
    assert languages() == ["en", "zh"]


def test_same_keys():
    first, second = (dict(leaves(text(language))) for language in languages())
    assert first.keys() == second.keys()


def test_same_holes():
    first, second = (dict(leaves(text(language))) for language in languages())
    differing = {
        key: (first[key], second[key])
        for key in first.keys() & second.keys()
        if isinstance(first[key], str) and set(HOLE.findall(first[key])) != set(HOLE.findall(second[key]))
    }
    assert not differing


@pytest.mark.parametrize("language", languages())
def test_no_word_is_empty(language):
    empty = [key for key, words in leaves(text(language)) if isinstance(words, str) and not words.strip()]
    assert not empty


def test_chinese_is_chinese():
    """A sentence of the Chinese file that has no Chinese in it was forgotten."""
    english = [
        key
        for key, words in leaves(text("zh"))
        if isinstance(words, str)
        and not CJK.search(words)
        and len(re.findall(r"[A-Za-z]{2,}", HOLE.sub("", words))) > 3
    ]
    assert not english


def test_no_chinese_in_a_script():
    assert [name(path) for path in PAGE_SOURCES if CJK.search(path.read_text("utf-8"))] == []


def shown_literals(source: str) -> list[str]:
    return [literal for before, literal in literals(source) if SHOWN.search(before) and worded(literal)]


def worded(literal: str) -> bool:
    """Two letters in a row outside of ${...} and tags; "×" is no word, nor is a key like "lab.run"."""
    plain = re.sub(r"\$\{[^}]*\}|<[^>]*>", " ", literal)
    return bool(re.search(r"[A-Za-z]{2,}", plain)) and not re.fullmatch(
        r"\w+(\.\w+)+|aria-\w+|title|placeholder", plain
    )


def test_no_literal_words_are_shown_by_a_script():
    found = {name(path): shown_literals(path.read_text("utf-8")) for path in PAGE_SOURCES}
    assert {path: words for path, words in found.items() if words} == {}


def test_the_shell_has_no_words():
    """index.html before any script has run: only the product's name."""

    class Words(HTMLParser):
        def __init__(self):
            super().__init__()
            self.found, self.inside = [], ""

        def handle_starttag(self, tag, attributes):
            self.inside = tag
            self.found += [value for key, value in attributes if key in ("title", "alt", "aria-label", "placeholder")]

        def handle_data(self, data):
            if data.strip() and self.inside not in ("script", "style"):
                self.found.append(data.strip())

    words = Words()
    words.feed((ROOT / "index.html").read_text("utf-8"))
    assert words.found == ["seeformer"]


def test_the_rule_finds_what_it_should():
    guilty = [
        'node.textContent = "Loading";',
        'h("p", { title: "Click me" })',
        "box.append(`Row ${n}`)",
        'e.setAttribute("aria-label", "close it")',
    ]
    innocent = [
        'node.textContent = t("lab.run");',
        'h("p", { title: ["lab.run"] })',
        'box.append("×", `${n}`)',
        'e.setAttribute("type", "button")',
        '// text: "in a comment"',
    ]
    for source in guilty + innocent:
        assert bool(shown_literals(source)) == (source in guilty), source
