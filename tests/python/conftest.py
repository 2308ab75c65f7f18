"""Cells without a browser."""

import asyncio
import sys
from contextlib import contextmanager

import pytest

from seeformer.cells.cells import Cells
from seeformer.cells.output import take_streams


@contextmanager
def streams_taken():
    """sys.stdout and its like as in the worker; inside a test, because pytest puts its own there before each."""
    before = sys.stdout, sys.stderr, sys.stdin
    take_streams()
    try:
        yield
    finally:
        sys.stdout, sys.stderr, sys.stdin = before


class Reader:
    """Runs cells one after another, as the page does."""

    def __init__(self, cells: Cells):
        self.cells = cells
        self.count = 0

    def run(self, code: str, *, emit=None) -> dict:
        """The cell's answer, and under "shown" what it showed (to `emit` instead, if that is given)."""
        self.count += 1
        shown = []
        with streams_taken():
            answer = asyncio.run(self.cells.run(code, str(self.count), emit or shown.append))
        return answer | {"shown": shown}

    def printed(self, code: str, stream="stdout") -> str:
        return "".join(item["text"] for item in self.run(code)["shown"] if item.get("stream") == stream)


@pytest.fixture
def make_reader(monkeypatch):
    """Factory: make_reader(**options of Cells) -> Reader. Leaves the test's own __main__ in place afterwards."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    return lambda **options: Reader(Cells(**options))


@pytest.fixture
def reader(make_reader):
    return make_reader()
