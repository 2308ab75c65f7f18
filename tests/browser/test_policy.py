"""What a cell may reach: this page's own files and nothing else, unless the server was started with --allow-network."""

import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from support.labs import open_lab
from support.python_cells import run
from support.tiny_wheel import write_tiny_wheel


@pytest.fixture(scope="module")
def elsewhere(start_server, tmp_path_factory):
    """The address of a wheel on another origin that answers anybody."""
    folder = tmp_path_factory.mktemp("index")
    name = write_tiny_wheel(folder)
    return start_server(folder) + name


class Spy(BaseHTTPRequestHandler):
    """Answers everybody and remembers who asked."""

    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(b"secret")

    do_OPTIONS = do_GET

    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def foreign():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Spy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/secret"
    server.shutdown()
    server.server_close()


def test_a_cell_reaches_no_foreign_address(browser, server, foreign):
    """Three ways out: each fails, and nothing arrives over there. (No `page` fixture: it would count the attempt itself.)"""
    page = open_lab(browser.new_context().new_page(), server)
    for code in (
        f"from pyodide.http import pyfetch\nawait pyfetch({foreign!r})",
        f"import js\nawait js.fetch({foreign!r})",
        f"import js\nx = js.XMLHttpRequest.new()\nx.open('GET', {foreign!r}, False)\nx.send()",
    ):
        assert run(page, code)["error"] is not None, code
    assert Spy.asked == []
    urllib.request.urlopen(foreign).read()
    assert Spy.asked == ["/secret"], "it would have heard"
    page.context.close()


@pytest.mark.allow_errors
@pytest.mark.parametrize(
    "code",
    [
        "import js\njs.eval('1')",
        "from pyodide.code import run_js\nrun_js('1')",
        "import js\njs.Function.new('return 1')()",
    ],
)
def test_a_cell_evaluates_no_javascript(ready_page, code):
    error = run(ready_page, code)["error"]
    assert error is not None and "Content Security Policy" in error["message"]


@pytest.mark.allow_errors
def test_a_package_from_elsewhere_is_refused_with_the_remedy(ready_page, elsewhere):
    for wanted in (elsewhere, "pandas"):
        error = run(ready_page, f"import micropip\nawait micropip.install({wanted!r})")["error"]
        assert "--allow-network" in error["message"] and wanted in error["message"]


def test_packages_of_the_shelf_install_without_a_network(ready_page):
    told = run(
        ready_page,
        "import micropip\nawait micropip.install('numpy')\nawait micropip.install('matplotlib')\n"
        "import matplotlib.pyplot as plt\nprint(1)\nplt.plot([1, 3, 2])\nplt.show()\nprint(2)",
    )
    assert told["error"] is None and told["stderr"] == ""
    kinds = [output["kind"] for output in told["outputs"]]
    assert kinds == ["text", "image", "text"]
    assert told["outputs"][1]["png"].startswith("data:image/png;base64,")


def test_with_allow_network_it_installs_the_normal_way(browser, start_server, elsewhere):
    page = browser.new_context().new_page()
    open_lab(page, start_server(network=True))
    told = run(page, f"import micropip\nawait micropip.install({elsewhere!r})\nimport tiny\ntiny.answer")
    assert told["error"] is None and told["result"] == "42"
    evaluated = run(page, "import js\njs.eval('1')")
    assert "Content Security Policy" in evaluated["error"]["message"], "nothing else is widened"
    page.context.close()
