"""What a cell shows, in order and bounded: text as it is printed, arrays, pictures."""

import base64
import codecs
import io
import sys
from collections.abc import Callable
from contextlib import contextmanager

import numpy as np

MAX_LINES, MAX_CHARS, MAX_PICTURES = 10_000, 1_000_000, 50

_current: "Output | None" = None


class Output:
    """Passes each thing shown to `emit` as a dict with `kind`; beyond the bounds, one `truncated` and then no more.

    The program goes on: an endless print must neither fill the page nor hide the result that follows it.
    """

    def __init__(self, emit: Callable[[dict], object]):
        self._emit = emit
        self._lines_left, self._chars_left, self._pictures_left = MAX_LINES, MAX_CHARS, MAX_PICTURES
        self._truncated = False

    def text(self, stream: str, text: str) -> None:
        kept = "".join(text.splitlines(keepends=True)[: self._lines_left])[: self._chars_left]
        self._lines_left -= kept.count("\n")
        self._chars_left -= len(kept)
        if kept:
            self._emit({"kind": "text", "stream": stream, "text": kept})
        if kept != text:
            self._truncate()

    def picture(self, png: bytes) -> None:
        if self._pictures_left == 0:
            return self._truncate()
        self._pictures_left -= 1
        self._emit({"kind": "image", "png": f"data:image/png;base64,{base64.b64encode(png).decode()}"})

    def array(self, array: np.ndarray, name: str | None) -> None:
        with np.errstate(over="ignore"):
            data = array.astype(np.float32).ravel()
        told = {"kind": "array", "data": data, "shape": list(array.shape)}
        self._emit(told | ({"name": name} if name else {}))

    def representation(self, text: str) -> None:
        self._emit({"kind": "repr", "text": text})

    def _truncate(self) -> None:
        if not self._truncated:
            self._truncated = True
            self._emit({"kind": "truncated"})


def current() -> Output | None:
    """The output of the cell that is running."""
    return _current


@contextmanager
def shown_in(output: Output):
    """While this lasts, what is printed goes to `output`, a last line without its newline included."""
    global _current
    before, _current = _current, output
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        _current = before


class _Printed(io.RawIOBase):
    """The bottom of sys.stdout or sys.stderr: to the running cell, else to where it went before."""

    def __init__(self, stream: str, elsewhere: io.TextIOBase):
        self._stream, self._elsewhere = stream, elsewhere
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def writable(self) -> bool:
        return True

    def write(self, data) -> int:
        text = self._decode(bytes(data))
        if _current is not None:
            _current.text(self._stream, text)
        else:
            self._elsewhere.write(text)
        return len(data)


class _NoKeyboard(io.TextIOBase):
    """sys.stdin: `input()` ends here."""

    def readable(self) -> bool:
        return True

    def readline(self, size: int = -1, /) -> str:
        raise RuntimeError("input() cannot ask here, a cell has no keyboard: write the value into the cell instead")

    read = readline


def take_streams() -> None:
    """Replaces the process's streams for good: a logger that keeps sys.stderr must write to the cell that runs now."""
    sys.stdout = _stream("stdout", sys.stdout)
    sys.stderr = _stream("stderr", sys.stderr)
    sys.stdin = _NoKeyboard()


def _stream(name: str, elsewhere: io.TextIOBase) -> io.TextIOWrapper:
    raw = io.BufferedWriter(_Printed(name, elsewhere))
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", newline="\n", line_buffering=True)
