"""site/ on a server that knows nothing of our headers, under a path of its own: everything works, Stop by restarting."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from support.labs import open_lab, settled
from support.python_cells import run


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def plain(site, tmp_path_factory):
    folder = tmp_path_factory.mktemp("host")
    (folder / "some").mkdir()
    (folder / "some" / "where").symlink_to(site, target_is_directory=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/some/where/"
    server.shutdown()
    server.server_close()


def test_it_works_and_stop_restarts_python(browser, plain):
    page = browser.new_context(locale="zh-CN").new_page()
    open_lab(page, plain)
    assert page.evaluate("crossOriginIsolated") is False
    assert run(page, "kept = 1\nkept")["result"] == "1"
    page.evaluate("() => { window.endless = seeformer.run('print(7)\\nwhile True: pass'); }")
    page.wait_for_timeout(300)
    page.evaluate("seeformer.stop()")
    told = page.evaluate("endless.then(({ stdout, error }) => ({ stdout, type: error.type }))")
    assert told == {"stdout": "7\n", "type": "Stopped"}
    assert run(page, "kept")["error"]["type"] == "NameError"
    assert "变量" in page.locator("[data-note=restart]").text_content()
    page.locator("#attention-causal").check()
    assert settled(page) == "ready"
    page.context.close()
