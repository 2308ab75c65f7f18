"""The Note face: what it shows and copies is what the snippet writer makes of the settings, and it runs where it says."""

import base64
import re

import pytest
from notes.blocks import KERNELS
from support.axe import serious
from support.cells import ids
from support.cells import wait as wait_cell
from support.labs import face, restore_defaults, root, set_field, set_language
from support.note_face import SHOWN, block, choose, copied, of_kernel, section_text, shown, taken, wait
from support.python_cells import run

from seeformer.notes.example import kernels
from sitebuild.labs import labs, text


@pytest.fixture
def note(booted):
    face(booted, "note")
    yield booted
    speak(booted, "zh")
    choose(booted, what="lab", form="note")
    face(booted, "see")
    restore_defaults(booted)


def speak(page, language):
    set_language(page, language)


@pytest.mark.parametrize("lab", labs())
def test_the_block_of_every_lab_is_that_of_the_snippet_writer(booted, lab):
    face(booted, "note", lab)
    assert shown(booted, lab) == block(lab=lab)
    face(booted, "see", lab)


def test_the_block_follows_the_settings_and_the_language(note):
    set_field(note, "causal", True)
    set_field(note, "num_heads", 2)
    changed = {"causal": True, "num_heads": 2}
    assert shown(note) == block(changed)
    speak(note, "en")
    assert shown(note) == block(changed, language="en")
    lines = len(block(changed, language="en").splitlines())
    assert root(note).locator(".note-state").text_content() == f"With the settings above · {lines} lines"


def test_copy_gives_what_is_shown_by_button_and_by_key(note):
    set_field(note, "seed", 5)
    assert taken(note, "copy") == shown(note) == block({"seed": 5})
    set_field(note, "seed", 6)
    assert root(note).locator(".note-actions .status").text_content() == "", "what was copied is not this any more"
    note.keyboard.press("Alt+c")
    assert root(note).locator(".note-actions .status").text_content() == "", "the focus is elsewhere"
    root(note).locator(".note-code .cm-content").focus()
    note.keyboard.press("Alt+c")
    assert copied(note) == block({"seed": 6})
    assert root(note).locator("[data-take=copy]").get_attribute("aria-keyshortcuts") == "Alt+C"


def test_a_click_in_the_middle_of_writing_copies_what_comes(note):
    wait(note)
    note.evaluate(
        """() => {
             const lab = document.querySelector("[data-lab=attention]"), seed = lab.querySelector("#attention-seed");
             seed.value = "11";
             seed.dispatchEvent(new Event("input", { bubbles: true }));
             lab.querySelector("[data-take=copy]").click();
           }"""
    )
    assert copied(note) == block({"seed": 11})


def test_try_it_here_runs_exactly_this_in_a_new_cell(note):
    before = ids(note)
    set_field(note, "num_heads", 2)
    code = shown(note)
    root(note).locator("[data-take=try]").click()
    note.wait_for_function("(n) => document.querySelectorAll('[data-cell]').length === n", arg=len(before) + 1)
    name = ids(note)[-1]
    wait_cell(note, name, "done")
    cell = note.locator(f"[data-cell={name}]")
    assert cell.locator(".cm-editor").evaluate(SHOWN) == code
    assert cell.locator("img").count() == 3 and cell.locator("img").first.evaluate("image => image.naturalWidth") == 9
    assert cell.evaluate("cell => cell.contains(document.activeElement)")
    top = cell.evaluate("cell => cell.getBoundingClientRect().top")
    assert 0 <= top < 900
    cell.locator("[data-action=delete]").click()
    note.locator(".cell-gone .bare").click()


def test_a_section_has_heading_formula_block_and_picture(note):
    set_field(note, "causal", True)
    wait(note)
    copied_text = taken(note, "section")
    told, _, picture = copied_text.partition("\n![")
    assert told == section_text({"causal": True})
    assert told.startswith("## 多头注意力\n") and "\n$$\n" in told
    assert re.search(r"```python\n(.*)```", told, re.DOTALL)[1] == block({"causal": True})
    alt, data = re.fullmatch(r"(.*)\]\(data:image/png;base64,(.*)\)\n", picture).groups()
    assert alt == "多头注意力: weights 1" and base64.b64decode(data).startswith(b"\x89PNG")
    with note.expect_download() as download:
        root(note).locator("[data-take=sectionFile]").click()
    assert download.value.suggested_filename == "attention.md"
    with open(download.value.path(), encoding="utf-8", newline="") as file:
        assert file.read() == copied_text


@pytest.mark.parametrize("form", ["short", "plain", "matplotlib"])
def test_another_form(note, form):
    set_field(note, "num_heads", 2)
    choose(note, form=form)
    wheel = note.evaluate("seeformer.wheelURL")
    assert shown(note) == block({"num_heads": 2}, form=form, wheel=wheel)
    assert root(note).locator(".note-block h3").text_content() == f"{text('zh')['note']['titles'][form]} · 多头注意力"
    if form == "short":  # the other forms are run by tests/notes
        told = run(note, taken(note, "copy"))
        assert told["error"] is None and "<img" in told["stdout"]


def test_each_kernel_behind_the_lab_has_its_block(note):
    set_field(note, "d_model", 10)  # which the lab refuses, and a kernel's own example does not care about
    choose(note)
    offered = note.locator("#attention-note-what option").evaluate_all("options => options.map(({ value }) => value)")
    assert offered == ["lab", *(".".join(kernel) for kernel in kernels("attention"))]
    for kernel in ("seeformer.attention.softmax", "seeformer.mask.causal"):
        choose(note, what=kernel)
        assert shown(note) == of_kernel(kernel)
        assert root(note).locator(".note-block h3 code").text_content() == kernel.removeprefix("seeformer.")


def test_every_kernel_is_offered_somewhere(booted):
    offered = booted.locator("[id$=-note-what] option").evaluate_all("options => options.map(({ value }) => value)")
    assert {".".join(kernel) for kernel in KERNELS} | {"lab"} == set(offered)


def test_only_the_newest_settings_are_asked_for(note):
    wait(note)
    asked = note.evaluate(
        """async () => {
             const asked = [], post = Worker.prototype.postMessage;
             Worker.prototype.postMessage = function (message, ...rest) {
               if (message.path?.[0] === "note") asked.push(JSON.parse(message.argumentList[0].value).params.seed);
               return post.call(this, message, ...rest);
             };
             const lab = document.querySelector("[data-lab=attention]"), seed = lab.querySelector("#attention-seed");
             for (let value = 21; value <= 40; value += 1) {
               seed.value = String(value);
               seed.dispatchEvent(new Event("input", { bubbles: true }));
               await new Promise((done) => setTimeout(done, 5));
             }
             while (lab.querySelector(".note-code").dataset.state !== "current") await new Promise((done) => setTimeout(done, 20));
             Worker.prototype.postMessage = post;
             return asked;
           }"""
    )
    assert asked[-1] == 40 and len(asked) < 10
    assert shown(note) == block({"seed": 40})


def test_python_is_not_asked_while_the_face_is_shut(booted):
    asked = booted.evaluate(
        """async () => {
             let asked = 0;
             const post = Worker.prototype.postMessage;
             Worker.prototype.postMessage = function (message, ...rest) {
               asked += message.path?.[0] === "note";
               return post.call(this, message, ...rest);
             };
             const lab = document.querySelector("[data-lab=attention]"), seed = lab.querySelector("#attention-seed");
             seed.value = "3";
             seed.dispatchEvent(new Event("input", { bubbles: true }));
             while (lab.dataset.state !== "ready") await new Promise((done) => setTimeout(done, 20));
             await new Promise((done) => setTimeout(done, 100));
             Worker.prototype.postMessage = post;
             return asked;
           }"""
    )
    assert asked == 0
    restore_defaults(booted)


def test_refused_settings_leave_the_last_block_and_are_not_copied(note):
    set_field(note, "num_heads", 2)
    last = shown(note)
    set_field(note, "d_model", 11)
    wait(note, "refused")
    assert "d_model=11" in note.locator("#attention-d_model-error").text_content()
    assert "d_model=11" in root(note).locator(".note-block [role=alert]").text_content()
    note.evaluate("navigator.clipboard.writeText('nothing')")
    before = ids(note)
    for button in ("copy", "section", "try", "sectionFile"):
        root(note).locator(f"[data-take={button}]").click()
        root(note).locator(".note-actions .status", has_text="没有对应").or_(
            root(note).locator(".note-actions .status", has_text="还没有")
        ).wait_for()
    assert note.evaluate("navigator.clipboard.readText()") == "nothing" and ids(note) == before
    assert root(note).locator(".note-code .cm-editor").evaluate(SHOWN) == last
    set_field(note, "d_model", 12)
    assert shown(note) == block({"num_heads": 2, "d_model": 12})
    assert root(note).locator(".note-block [role=alert]").is_hidden()


def test_an_edited_kernel_is_not_in_the_note_and_the_face_says_so(note):
    face(note, "code")
    root(note).locator(".code-tabs [data-module='seeformer.attention']").click()
    root(note).locator(".code-editor[data-module='seeformer.attention'] .cm-content").click()
    note.keyboard.press("Control+End")
    note.keyboard.insert_text("\n\ndef softmax(x, axis=-1):\n    return np.full_like(x, 0.5)\n")
    note.keyboard.press("Control+Enter")
    face(note, "note")
    set_field(note, "seed", 2)
    assert shown(note) == block({"seed": 2})
    assert "原来的代码" in root(note).locator(".note-edited").text_content()
    assert root(note).locator(".note-edited").is_visible()
    assert taken(note, "section") == section_text({"seed": 2})
    face(note, "code")
    root(note).get_by_role("button", name="恢复原样").click()
    face(note, "note")
    assert root(note).locator(".note-edited").is_hidden()


def test_before_python_there_is_the_block_of_the_defaults_and_no_other(open_page, server):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    held = []
    page.route("**/pyodide/modules/numpy/_core/*", lambda route: held.append(route))
    page.goto(server)
    root(page).wait_for()
    face(page, "note")
    assert taken(page, "copy") == shown(page) == block()
    page.locator("#attention-seed").fill("4")
    wait(page, "waiting")
    assert root(page).locator(".note-state").text_content() == text("zh")["note"]["states"]["waiting"]
    for button in ("copy", "section"):
        page.evaluate("navigator.clipboard.writeText('nothing')")
        root(page).locator(f"[data-take={button}]").click()
        root(page).locator(".note-actions .status", has_text="Python 还没有就绪").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == "nothing"
    page.locator("#attention-seed").fill("0")
    assert shown(page) == block(), "what the page was built with is there again"
    page.locator("#attention-seed").fill("4")
    wait(page, "waiting")
    for route in held:
        route.continue_()
    assert shown(page) == block({"seed": 4})


def test_the_vault_is_offered_in_the_reader_s_language(note):
    link = root(note).get_by_role("link", name="笔记库")
    assert link.get_attribute("href").endswith("/downloads/seeformer-vault-zh.zip")
    speak(note, "en")
    assert root(note).get_by_role("link", name="vault").get_attribute("href").endswith("-en.zip")
    assert note.request.get(link.or_(root(note).get_by_role("link", name="vault")).get_attribute("href")).ok


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_it_is_accessible_and_fits(note, theme, width):
    note.emulate_media(color_scheme=theme)
    note.set_viewport_size({"width": width, "height": 800})
    set_field(note, "d_model", 11)
    wait(note, "refused")
    choose(note)
    assert serious(note, "[data-lab=attention]") == []
    assert note.evaluate("document.documentElement.scrollWidth") <= width


def test_the_keyboard_walks_through_it(note):
    wait(note)
    reached = []
    root(note).locator(".note-code .cm-content").focus()
    for _ in range(5):
        note.keyboard.press("Tab")
        reached.append(note.evaluate("document.activeElement.dataset.take ?? document.activeElement.localName"))
    assert reached == ["copy", "try", "section", "summary", "select" if choice_open(note) else "link"]


def choice_open(page):
    return root(page).locator(".note-more").get_attribute("open") is not None


def test_the_copied_link_brings_the_settings_back(note, open_page):
    set_field(note, "num_heads", 2)
    link = taken(note, "link")
    page = open_page()
    page.goto(link)
    page.locator("#attention-num_heads").wait_for()
    assert page.locator("#attention-num_heads").input_value() == "2"
