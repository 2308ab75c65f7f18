"""Serves a built site on this machine, with the headers that static hosts may lack, never a stale build."""

import errno
import hashlib
import html
import json
import os
import posixpath
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from .errors import BuildError
from .headers import MIME, UNKNOWN, headers

DOORS = ("index.html", "manifest.json")  # asking for one of these looks whether sources have changed


class Server(ThreadingHTTPServer):
    """`refresh` is called before a page is given out and may raise BuildError; `mounts` adds folders (for tests)."""

    daemon_threads = True
    allow_reuse_address = os.name != "nt"  # on Windows it would let two servers share a port

    def __init__(self, site: Path, port: int, *, network=False, refresh=None, mounts=None):
        self.site, self.network, self.refresh = site, network, refresh
        self.mounts = mounts or {}
        self.tags: dict[Path, tuple] = {}
        self.refreshing = threading.Lock()
        try:
            super().__init__(("127.0.0.1", port), Handler)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES) and getattr(error, "winerror", 0) != 10048:
                raise
            raise BuildError(
                f"port {port} is taken", "choose another: serve --port 8123 (or --port 0 for any)"
            ) from None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def handle_error(self, request, client_address):
        """A browser that hangs up in mid-file is no news."""

    def locate(self, path: str) -> Path | None:
        """The file that a request path names, or None; nothing outside the site and the mounts."""
        name = posixpath.normpath("/" + unquote(path)).lstrip("/")
        if not name or path.endswith("/"):
            name = posixpath.join(name, "index.html")
        for prefix, folder in {**self.mounts, "": self.site}.items():
            if name.startswith(prefix):
                base = Path(folder).resolve()
                found = (base / name[len(prefix) :]).resolve()
                if found.is_file() and found.is_relative_to(base):
                    return found
        return None

    def tag(self, path: Path) -> str:
        """The file's ETag, without reading again what has not changed: a boot asks for 40 MB at each visit."""
        state = path.stat()
        known = (state.st_mtime_ns, state.st_size, state.st_ino)
        if self.tags.get(path, (None,))[0] != known:
            self.tags[path] = known, f'"{hashlib.sha256(self.content(path)).hexdigest()[:32]}"'
        return self.tags[path][1]

    def content(self, path: Path) -> bytes:
        data = path.read_bytes()
        if self.network and path == self.site.resolve() / "manifest.json":
            return json.dumps({**json.loads(data), "network": True}, indent=1).encode()
        return data


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    server: Server

    def do_GET(self):
        path = urlsplit(self.path).path
        if path.endswith("/") or path.endswith(DOORS):
            try:
                with self.server.refreshing:
                    if self.server.refresh:
                        self.server.refresh()
            except BuildError as error:
                return self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, _error_page(str(error)), MIME[".html"])
        try:
            found = self.server.locate(path)
        except ValueError:  # a NUL in the path
            found = None
        if found is None:
            return self._answer(HTTPStatus.NOT_FOUND, b"not found\n", MIME[".txt"])
        tag = self.server.tag(found)
        if tag in self.headers.get("If-None-Match", ""):
            return self._answer(HTTPStatus.NOT_MODIFIED, None, None, tag)
        data = self.server.content(found)
        self._answer(HTTPStatus.OK, data, MIME.get(found.suffix, UNKNOWN), tag)

    do_HEAD = do_GET

    def do_OPTIONS(self):
        self._answer(HTTPStatus.NO_CONTENT, None, None)

    def send_error(self, code, message=None, explain=None):
        """The base class answers bad requests with this: they get the same headers."""
        self.close_connection = True
        self._answer(HTTPStatus(code), f"{message or HTTPStatus(code).phrase}\n".encode(), MIME[".txt"])

    def _answer(self, status: HTTPStatus, body: bytes | None, mime: str | None, tag: str | None = None) -> None:
        self.send_response(status)
        for name, value in headers(network=self.server.network).items():
            self.send_header(name, value)
        if self.command == "OPTIONS":
            self.send_header("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
            self.send_header("Access-Control-Allow-Headers", "*")
            self.send_header("Access-Control-Allow-Private-Network", "true")
        if tag:
            self.send_header("ETag", tag)
        if body is not None:
            self.send_header("Content-Type", mime)
            self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if body is not None and self.command != "HEAD":
            self.wfile.write(body)

    def version_string(self):
        return "seeformer"

    def log_message(self, *arguments):
        pass


def _error_page(message: str) -> bytes:
    """Shown to whoever edits the sources, in the browser where they look."""
    return f"<!doctype html><title>build failed</title><h1>build failed</h1><pre>{html.escape(message)}</pre>".encode()
