"""What a Note face shows, and what it should: the block that the snippet writer makes in CPython."""

import inspect
from importlib import import_module

from support.labs import FIRST, root

from seeformer.notes.block import kernel_block, lab_block
from seeformer.notes.section import section
from sitebuild.labs import text

SHOWN = (
    """async (code) => (await import("./web/vendor/codemirror.js")).EditorView.findFromDOM(code).state.doc.toString()"""
)


def parameters(lab=FIRST, language="zh", **changed) -> dict:
    """All of them, as a page that was opened in this language has them."""
    run = import_module(f"seeformer.labs.{lab}").run
    defaults = {name: parameter.default for name, parameter in inspect.signature(run).parameters.items()}
    return defaults | text(language)["labs"][lab].get("defaults", {}) | changed


def block(changed=None, *, lab=FIRST, language="zh", opened_in="zh", **options) -> str:
    return lab_block(lab, parameters(lab, opened_in, **(changed or {})), words=text(language), **options)


def section_text(changed=None, *, lab=FIRST, language="zh", **options) -> str:
    return section(lab, parameters(lab, language, **(changed or {})), words=text(language), **options)


def of_kernel(kernel: str, *, language="zh", **options) -> str:
    module, _, name = kernel.rpartition(".")
    return kernel_block(module, name, words=text(language), **options)


def wait(page, state="current", lab=FIRST):
    root(page, lab).locator(f".note-code[data-state={state}]").wait_for()


def shown(page, lab=FIRST) -> str:
    """The text of the preview, once it is that of the settings."""
    wait(page, lab=lab)
    return root(page, lab).locator(".note-code .cm-editor").evaluate(SHOWN)


def taken(page, what, lab=FIRST) -> str:
    """Clicks a button that copies; the clipboard."""
    page.evaluate("navigator.clipboard.writeText('nothing')")
    root(page, lab).locator(f"[data-take={what}]").click()
    return copied(page, lab)


def copied(page, lab=FIRST) -> str:
    root(page, lab).locator(".note-actions .status", has_text="已复制").wait_for()
    return page.evaluate("navigator.clipboard.readText()")


def choose(page, *, what=None, form=None, lab=FIRST):
    more = root(page, lab).locator(".note-more")
    if more.get_attribute("open") is None:
        more.locator("summary").click()
    if what:
        page.locator(f"#{lab}-note-what").select_option(what)
    if form:
        page.locator(f"#{lab}-note-form").select_option(form)
