"""Obsidian with the Code Emitter plugin, as far as a Python block can tell: a page on an origin of its own.

    with Obsidian(pyodide_files) as obsidian:
        note = obsidian.open(page)      # a fresh engine
        told = note.run("print(1)")
        told.lines, told.error, told.pictures, note.arrays()

The page (obsidian/) does what the plugin does; nothing of the plugin is in it. Its server sends no policy, as
Obsidian has none, and has Pyodide's files as they come, official lock included.
"""

import threading
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from support import block_arrays

NOTE = Path(__file__).parent / "obsidian"


@dataclass(frozen=True)
class Told:
    """What one block did."""

    lines: list[str]  # all that is listed, in its order
    stdout: list[str]
    stderr: list[str]
    error: str | None
    html: list[str]  # the lines that were rendered
    choking: list[str]  # the lines on which the plugin's HTML rule would take for ever
    slowest: float  # milliseconds of that rule on any other line
    pictures: list[dict]  # tag, width, height, shown, bytes, colours
    id: str


class Note:
    def __init__(self, page):
        self.page = page

    def run(self, code: str, *, alone: bool = False) -> Told:
        return Told(**self.page.evaluate("([code, alone]) => emitter.run(code, { alone })", [code, alone]))

    def arrays(self) -> dict:
        """Arrays among the globals of the block that ran last."""
        return block_arrays.read(self.page.evaluate("code => emitter.ask(code)", block_arrays.EXPRESSION))

    def output(self, told: Told):
        """Where a block's output stands: for its text or a screenshot."""
        return self.page.locator(f"#{told.id} .output")

    def clear(self) -> None:
        self.page.evaluate("emitter.clear()")


class Obsidian:
    def __init__(self, pyodide: Path):
        handler = type("Handler", (_Handler,), {"folders": {"pyodide": pyodide, "note": NOTE}})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *error):
        self._server.shutdown()
        self._server.server_close()

    def open(self, page) -> Note:
        """A note with an engine of its own, in which nothing has run yet."""
        page.goto(self.url + "note/note.html")
        page.evaluate("() => emitter.start()")
        return Note(page)


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folders: dict[str, Path]

    def translate_path(self, path):
        folder, _, name = path.split("?")[0].lstrip("/").partition("/")
        return str(self.folders.get(folder, NOTE) / Path(name).name)

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=3600")  # the second engine of a browser finds its files there
        super().end_headers()

    def log_message(self, *words):
        pass
