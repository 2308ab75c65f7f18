"""Fixtures for code cells."""

import pytest
from support.modules import blank_page, mount_cells


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
