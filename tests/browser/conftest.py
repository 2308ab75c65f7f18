"""Pages for the tests of one file: the real one with Python up, and code cells alone on a fake engine."""

import pytest
from support.labs import face, restore_defaults, set_language
from support.modules import blank_page, mount_cells


@pytest.fixture(scope="module")
def booted(_booted):
    """The Chinese page with Python up, at its defaults, for all tests of a file; its complaints fail the file's last one."""
    page, watch = _booted
    watch.clear()
    yield as_it_was(page)
    assert not watch.complaints(lenient=False)


def as_it_was(page):
    """Language, colours, window, faces and parameters of a page that was just opened."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
    set_language(page, "zh")
    for lab in page.evaluate("seeformer.labs"):
        face(page, "see", lab)
        restore_defaults(page, lab)
    page.evaluate("scrollTo(0, 0)")
    return page


@pytest.fixture
def open_cells(open_page, server):
    """Code cells alone on a page, on an engine that answers at once (fake_engine.js)."""

    def open_cells(*, boot=True, **options):
        page = blank_page(open_page(**{"locale": "en-GB", "lent": True, **options}), server)
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
