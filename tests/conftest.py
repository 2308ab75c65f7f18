"""What every test can ask for: the built site, its server, a browser, pages that fail when the page misbehaves.

site, server       the real build, served by build.py's own server (base URL with a trailing slash)
browser            one Chromium for the session
open_page          factory: open_page(locale="en-GB", theme="dark", width=360, height=800, path="") -> page
                   lent=True, for tests of single modules: in a context that other tests have used before
page               open_page() in Chinese, not yet navigated: page.goto(server)
ready_page         one page for the session, Python booted; for tests that leave it as they found it
"""

import pytest
from support.clipboard import CLIPBOARD
from support.lending import Lender
from support.serving import Servers
from support.watch import Watch


def pytest_addoption(parser):
    parser.addoption("--reference", action="store_true", help="compute the reference values again with PyTorch")
    parser.addoption("--all-generations", action="store_true", help="seeformer.fast in two more Pyodides")


def pytest_collection_modifyitems(items):
    """Files that need no browser first: they are quick, and once Playwright runs, nobody else can have an event loop.

    Of the others the notes' come first: they take longest, and at the end one process would be left with them.
    """
    with_browser = {item.path for item in items if "browser" in item.fixturenames}
    items.sort(key=lambda item: (item.path in with_browser, item.path.parent.name != "notes"))


@pytest.fixture(scope="session")
def site():
    from sitebuild.site import build

    return build()


@pytest.fixture(scope="session")
def start_server(site):
    """Factory: start_server(folder=site, network=False, refresh=None, mounts=None) -> base URL."""
    with Servers(site) as servers:
        yield servers.start


@pytest.fixture(scope="session")
def server(start_server):
    from sitebuild.python_env import wheel_house

    return start_server(mounts={"test-wheels/": wheel_house()})


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    from sitebuild.browsers import FLAGS, ensure_browser

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=ensure_browser(), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def lender(browser):
    return Lender(browser)


@pytest.fixture
def open_page(browser, lender, server, request):
    """Pages in contexts of their own; whatever they complain about fails the test that opened them."""
    lenient = request.node.get_closest_marker("allow_errors") is not None
    opened = []

    def open_page(*, locale="zh-CN", theme="light", width=1280, height=800, path=None, lent=False, **options):
        make = lender.borrow if lent else browser.new_context
        context = make(locale=locale, color_scheme=theme, viewport={"width": width, "height": height}, **options)
        page = context.new_page()
        opened.append((page, lent, Watch(page, server)))
        if path is not None:
            page.goto(server + path)
        return page

    yield open_page
    complaints = []
    for page, lent, watch in opened:
        complaints += watch.complaints(lenient=lenient)
        watch.stop()
        if lent:
            lender.give_back(page)
        else:
            page.context.close()
    assert not complaints, "the page complained:\n" + "\n".join(complaints)


@pytest.fixture
def page(open_page):
    return open_page()


@pytest.fixture(scope="session")
def _booted(browser, server):
    """One page for the session: Pyodide starts once for all tests that leave the page as they found it."""
    size = {"width": 1280, "height": 900}
    context = browser.new_context(locale="zh-CN", color_scheme="light", viewport=size, permissions=CLIPBOARD)
    page = context.new_page()
    watch = Watch(page, server)
    page.goto(server)
    page.evaluate("() => window.seeformer.ready")
    yield page, watch
    context.close()


@pytest.fixture
def ready_page(_booted, request):
    page, watch = _booted
    watch.clear()
    yield page
    complaints = watch.complaints(lenient=request.node.get_closest_marker("allow_errors") is not None)
    assert not complaints, "the page complained:\n" + "\n".join(complaints)
