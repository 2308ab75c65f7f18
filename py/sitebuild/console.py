"""What build.py says while it works: plain lines, and bytes and percent for what takes long."""

import sys
import time

WORTH_TELLING = 100_000  # bytes: fewer are a log or two, not a download


def say(text: str) -> None:
    print(text, flush=True)


def amount(done: int, total: int | None) -> str:
    if not total:
        return f"{done / 1e6:.1f} MB"
    return f"{done / 1e6:.1f} of {total / 1e6:.1f} MB, {min(100, 100 * done // total)} %"


class Progress:
    """One line that moves on a terminal; elsewhere (a log) a line now and then."""

    def __init__(self, title: str, total: int | None = None, *, stream=None, every: float = 5.0):
        self.title, self.total = title, total
        self.stream = stream or sys.stdout
        self.moves = self.stream.isatty()
        self.every = 0.1 if self.moves else every
        self.done = 0
        self.width = 0
        self.shown_at = time.monotonic()

    def __enter__(self):
        self._show(self.title)
        return self

    def update(self, done: int) -> None:
        if done == self.done:
            return
        self.done = done
        if time.monotonic() - self.shown_at >= self.every:
            self.shown_at = time.monotonic()
            self._show(f"{self.title}: {amount(done, self.total)}")

    def __exit__(self, kind, *rest):
        if self.done > WORTH_TELLING and kind is None:
            self._show(f"{self.title}: {amount(self.done, self.total)}, done")
        if self.moves:
            print(file=self.stream, flush=True)

    def _show(self, text: str) -> None:
        if self.moves:
            print(f"\r{text.ljust(self.width)}", end="", file=self.stream, flush=True)
            self.width = len(text)
        else:
            print(text, file=self.stream, flush=True)
