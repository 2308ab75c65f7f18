"""What `python build.py dist` writes, at a subpath of servers that know nothing of it: a plain one, and one that sends the .br."""

import json
import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support.labs import open_lab
from support.python_cells import run

from sitebuild.dist import dist, with_hashes
from sitebuild.errors import BuildError


class Plain(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


class Brotli(Plain):
    """As many hosts do: the file beside, if there is one and the browser takes it."""

    def send_head(self):
        self.path += "index.html" * self.path.endswith("/")
        file = Path(self.translate_path(self.path))
        beside = file.with_name(file.name + ".br")
        self.server.sent[self.path] = (beside if beside.exists() else file).stat().st_size
        if not beside.exists():
            return super().send_head()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(self.path))
        self.send_header("Content-Encoding", "br")
        self.send_header("Content-Length", str(beside.stat().st_size))
        self.end_headers()
        return beside.open("rb")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """(the folder around, the page's folder in it, what the first visit fetches)"""
    host = tmp_path_factory.mktemp("host")
    return host, host / "some" / "where", dist(host / "some" / "where")


@pytest.fixture
def serve(written):
    servers = []

    def serve(handler):
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=written[0]))
        server.sent = {}
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return server, f"http://127.0.0.1:{server.server_port}/some/where/"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def open_at(browser):
    """open_at(url) -> page with a live lab; it may have complained of nothing, and asked only files that are there."""
    contexts, complaints = [], []

    def open_at(url):
        context = browser.new_context(locale="zh-CN")
        contexts.append(context)
        context.on("response", lambda response: response.status >= 400 and complaints.append(response.url))
        page = context.new_page()
        page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
        page.on("console", lambda message: message.type in ("warning", "error") and complaints.append(message.text))
        return open_lab(page, url)

    yield open_at
    for context in contexts:
        context.close()
    assert not complaints, complaints


def test_on_a_plain_server(serve, open_at):
    server, url = serve(Plain)
    page = open_at(url)
    assert page.locator("[data-lab=attention]").get_attribute("data-source") == "live"
    wheel = page.evaluate("seeformer.wheelURL")
    assert re.fullmatch(re.escape(url) + r"wheels/seeformer-[\d.]+-py3-none-any\.whl", wheel), "notes name it: it stays"
    assert page.request.get(wheel).ok
    told = run(
        page, "import micropip; await micropip.install('matplotlib'); import sys, matplotlib; 'csv' in sys.modules"
    )
    assert told["error"] is None and told["result"] == "True"


def test_on_a_server_that_sends_brotli(serve, open_at, written):
    server, url = serve(Brotli)
    page = open_at(url)
    page.evaluate("seeformer.run('1')")  # what comes later has come
    visit = {f"/some/where/{path}": size for path, size in written[2]}
    sent = server.sent
    assert sent.keys() <= visit.keys(), sent.keys() - visit.keys()
    assert sum(sent.values()) <= sum(visit.values()) <= 16_000_000
    assert sent["/some/where/index.html"] == visit["/some/where/index.html"]


def test_names_change_with_what_is_in_them(written):
    _, folder, _ = written
    assert {path.name for path in folder.iterdir()} == {
        "index.html",
        "index.html.br",
        "index.html.gz",
        "a",
        "p",
        "wheels",
    }
    (page,), (runtime,) = (folder / "a").iterdir(), (folder / "p").iterdir()
    assert re.fullmatch("[0-9a-f]{16}", page.name) and re.fullmatch("[0-9a-f]{16}", runtime.name)
    text = (folder / "index.html").read_text()
    assert text.count(f"a/{page.name}/page/") == text.count("page/") > 5 and "Content-Security-Policy" in text
    assert text.count(f"a/{page.name}/web/") == text.count("web/") == 1
    assert json.loads((page / "manifest.json").read_text())["runtime"] == f"../../p/{runtime.name}/"
    for large in (runtime / "pyodide.asm.wasm", page / "page" / "main.js"):
        sizes = [large.with_name(large.name + suffix).stat().st_size for suffix in ("", ".gz", ".br")]
        assert sizes == sorted(sizes, reverse=True) and sizes[2] < sizes[0] / 2, large.name


def test_a_changed_page_has_another_name_and_pyodide_keeps_its_own():
    files = {"index.html": b"", "manifest.json": b"1", "pyodide/a.wasm": b"1"}
    names = set(with_hashes(files))
    assert {name[:2] for name in names ^ set(with_hashes({**files, "manifest.json": b"2"}))} == {"a/"}
    assert {name[:2] for name in names ^ set(with_hashes({**files, "pyodide/a.wasm": b"2"}))} >= {"p/"}


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(BuildError, match="has other files"):
        dist(tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "mine"
