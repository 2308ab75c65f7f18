"""Words for tests of code cells: their names, states and texts, and what a reader does to them."""


def ids(page) -> list[str]:
    return page.eval_on_selector_all("[data-cell]", "cells => cells.map(cell => cell.dataset.cell)")


def states(page) -> list[str]:
    return page.eval_on_selector_all("[data-cell]", "cells => cells.map(cell => cell.dataset.state)")


def cell(page, name):
    return page.locator(f"[data-cell={name}]")


def code(page, name) -> str:
    return "\n".join(cell(page, name).locator(".cm-line").all_text_contents())


def add(page, text, *, run=False) -> str:
    """A new cell at the end; its id."""
    page.click("[data-action=add]")
    page.keyboard.insert_text(text)
    if run:
        page.keyboard.press("Control+Enter")
    return ids(page)[-1]


def wait(page, name, state):
    page.wait_for_selector(f"[data-cell={name}][data-state={state}]")


def only(page, *sources) -> list[str]:
    """Deletes the opening cells and adds these."""
    for name in ids(page):
        cell(page, name).get_by_label("Delete cell").click()
    return [add(page, source) for source in sources]
