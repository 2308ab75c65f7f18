"""build.py's server: the headers on everything, nothing stale, nothing outside the site."""

import http.client
import json
from urllib.parse import urlsplit

import pytest

from sitebuild.errors import BuildError
from sitebuild.server import Server

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors * app: capacitor: file:"
)
ALWAYS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
MIMES = {
    "index.html": "text/html; charset=utf-8",
    "web/main.js": "text/javascript; charset=utf-8",
    "pyodide/pyodide.mjs": "text/javascript; charset=utf-8",
    "pyodide/pyodide.asm.wasm": "application/wasm",
    "web/style.css": "text/css; charset=utf-8",
    "manifest.json": "application/json; charset=utf-8",
    "wheels/it.whl": "application/zip",
    "data/it.bin": "application/octet-stream",
}


@pytest.fixture
def folder(tmp_path):
    site = tmp_path / "site"
    for name in MIMES:
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text('{"network": false, "version": "1"}' if name == "manifest.json" else f"this is {name}")
    (tmp_path / "secret.txt").write_text("secret")
    return site


@pytest.fixture
def ask(start_server, folder):
    """ask(path, method, headers, **server options) -> (status, headers, body)"""

    def ask(path, method="GET", headers=None, **options):
        connection = http.client.HTTPConnection(urlsplit(start_server(folder, **options)).netloc, timeout=10)
        connection.request(method, path, headers=headers or {})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), body

    return ask


@pytest.mark.parametrize(("name", "mime"), MIMES.items())
def test_every_kind_of_file_has_its_type(ask, name, mime):
    status, headers, body = ask(f"/{name}?v=1")
    assert (status, headers["Content-Type"]) == (200, mime)
    assert int(headers["Content-Length"]) == len(body) > 0


@pytest.mark.parametrize(
    ("path", "method", "extra", "expected"),
    [
        ("/", "GET", {}, 200),
        ("/", "HEAD", {}, 200),
        ("/web/", "GET", {}, 404),
        ("/nothing", "GET", {}, 404),
        ("/nothing", "HEAD", {}, 404),
        ("/%00", "GET", {}, 404),
        ("/wheels/it.whl", "OPTIONS", {"Origin": "app://obsidian.md"}, 204),
        ("/", "POST", {}, 501),
        ("/" + "x" * 70_000, "GET", {}, 414),
        ("/", "GET", {"X-Many": "x" * 70_000}, 431),
    ],
)
def test_every_answer_has_the_headers(ask, path, method, extra, expected):
    status, headers, body = ask(path, method, extra)
    assert status == expected
    assert {name: headers.get(name) for name in ALWAYS} == ALWAYS
    assert method != "HEAD" or body == b""


def test_an_unchanged_file_is_not_sent_again(ask, folder):
    _, first, _ = ask("/web/main.js")
    status, headers, body = ask("/web/main.js", headers={"If-None-Match": first["ETag"]})
    assert (status, body, headers["ETag"]) == (304, b"", first["ETag"])
    assert {name: headers.get(name) for name in ALWAYS} == ALWAYS
    (folder / "web/main.js").write_text("changed")
    assert ask("/web/main.js", headers={"If-None-Match": first["ETag"]})[::2] == (200, b"changed")


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/%2e%2e/secret.txt", "/web/..%2f..%2fsecret.txt", "//../secret.txt"]
)
def test_nothing_outside_the_site_is_given(ask, path):
    status, _, body = ask(path)
    assert status == 404 and b"secret" not in body


def test_a_link_out_of_the_site_is_not_followed(ask, folder):
    try:
        (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    except OSError:
        pytest.skip("this system does not let us make links")
    assert ask("/link.txt")[0] == 404


def test_allow_network_widens_connect_src_and_nothing_else(ask):
    _, headers, body = ask("/manifest.json", network=True)
    assert headers["Content-Security-Policy"] == POLICY.replace("connect-src 'self'", "connect-src 'self' https: http:")
    assert json.loads(body) == {"network": True, "version": "1"}
    assert json.loads(ask("/manifest.json")[2]) == {"network": False, "version": "1"}


def test_one_connection_serves_many(start_server, folder):
    connection = http.client.HTTPConnection(urlsplit(start_server(folder)).netloc, timeout=10)
    sockets = set()
    for name in MIMES:
        connection.request("GET", f"/{name}")
        connection.getresponse().read()
        sockets.add(connection.sock)
    assert len(sockets) == 1 and None not in sockets
    connection.close()


@pytest.mark.parametrize("path", ["/", "/index.html", "/manifest.json"])
def test_a_failing_rebuild_answers_with_a_readable_page(ask, path):
    def refresh():
        raise BuildError("attention.py: <line 3> is broken", "mend it")

    status, headers, body = ask(path, refresh=refresh)
    assert status == 500 and headers["Content-Type"] == "text/html; charset=utf-8"
    assert "attention.py: &lt;line 3&gt; is broken" in body.decode() and "mend it" in body.decode()
    assert {name: headers.get(name) for name in ALWAYS} == ALWAYS


def test_only_pages_look_for_changes(ask):
    asked = []
    for path in ("/web/main.js", "/pyodide/pyodide.asm.wasm", "/"):
        ask(path, refresh=lambda: asked.append(1))
    assert asked == [1]


def test_a_mounted_folder(ask, tmp_path):
    assert ask("/extra/secret.txt", mounts={"extra/": tmp_path})[2] == b"secret"
    assert ask("/extra/secret.txt")[0] == 404


def test_a_taken_port_is_named(folder):
    with Server(folder, 0) as first:
        port = first.server_address[1]
        with pytest.raises(BuildError, match=f"port {port} is taken") as caught:
            Server(folder, port)
        assert "--port" in caught.value.remedy
