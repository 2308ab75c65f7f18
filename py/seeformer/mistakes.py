"""An exception as the page shows it: the reader's own lines, and the kernels' they went through."""

import traceback
from pathlib import Path

from seeformer.worlds import edited_module

_HERE = Path(__file__).parent
_MESSAGE_LIMIT = 10_000
# Frames of these are the machinery under the reader's code. `cells` and `fast` are folders.
_MACHINERY = (
    "bridge.py",
    "laboratory.py",
    "worlds.py",
    "sources.py",
    "packing.py",
    "mistakes.py",
    "interrupts.py",
    "cells",
    "fast",
)


def describe(error: BaseException, *, cell: str | None = None) -> dict:
    """Put an exception into words.

    Parameters
    ----------
    cell : str, optional
        The file name of the cell that ran: `line` is then the deepest line in it.

    Returns
    -------
    dict
        `type`, `message`, `traceback`; `line`, where the reader's text is at fault; `module` too, if that text is an
        edited kernel and not a cell.
    """
    if isinstance(error, KeyboardInterrupt):
        return {"type": "Stopped", "message": "stopped before it had ended", "traceback": ""}
    told = {"type": type(error).__name__, "message": _message(error), "traceback": _readers_traceback(error)}
    for filename, line in reversed([*_places(error)]):
        module = edited_module(filename)
        if module or filename == cell:
            return told | {"line": line} | ({"module": module} if module else {})
    return told


def _message(error: BaseException) -> str:
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except Exception as second:
        text = f"<its message cannot be shown: {type(second).__name__}>"
    return text[:_MESSAGE_LIMIT]


def _places(error: BaseException):
    """(file name, line) of every frame, the deepest last; a syntax error's own place is deeper than any frame."""
    for frame, line in traceback.walk_tb(error.__traceback__):
        yield frame.f_code.co_filename, line
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        yield error.filename, error.lineno


def _readers_traceback(error: BaseException) -> str:
    told = traceback.TracebackException.from_exception(error)
    _keep_readers_frames(told)
    return "".join(told.format())


def _keep_readers_frames(told: traceback.TracebackException) -> None:
    """Filters the frames of an exception and of those that led to it, in place."""
    told.stack = traceback.StackSummary.from_list([frame for frame in told.stack if is_readers(frame.filename)]) or None
    for other in (told.__cause__, told.__context__, *(told.exceptions or ())):
        if other is not None:
            _keep_readers_frames(other)


def is_readers(filename: str) -> bool:
    """Whether a file is a cell, an edited kernel or a kernel, and not what runs them."""
    if filename.startswith("<cell ") or edited_module(filename):
        return True
    path = Path(filename)
    return _HERE in path.parents and path.relative_to(_HERE).parts[0] not in _MACHINERY
