"""Pages for the tests of one file: the real one with Python up, and code cells alone on a fake engine."""

import pytest
from support.clipboard import CLIPBOARD
from support.labs import open_lab
from support.modules import blank_page, mount_cells
from support.watch import Watch


@pytest.fixture(scope="module")
def booted(browser, server):
    """One Chinese page with Python up for all tests of a file that leave it as they found it; its complaints fail the last."""
    context = browser.new_context(
        locale="zh-CN", color_scheme="light", viewport={"width": 1280, "height": 900}, permissions=CLIPBOARD
    )
    page = context.new_page()
    watch = Watch(page, server)
    yield open_lab(page, server)
    context.close()
    assert not watch.complaints(lenient=False)


@pytest.fixture
def open_cells(open_page, server):
    """Code cells alone on a page, on an engine that answers at once (fake_engine.js)."""

    def open_cells(*, boot=True, **options):
        page = blank_page(open_page(**{"locale": "en-GB", **options}), server)
        mount_cells(page, boot=boot)
        return page

    return open_cells


@pytest.fixture
def live_cells(open_page):
    """The cells of the real page, with Python booted."""

    def live_cells(**options):
        page = open_page(path="", **options)
        page.evaluate("() => seeformer.ready")
        return page

    return live_cells
