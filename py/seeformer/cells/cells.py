"""The cells of the page: one set of variables, and what each run gives back."""

import asyncio
import sys
from collections.abc import Callable
from types import ModuleType

import numpy as np

from seeformer.cells.evaluate import Value, evaluate
from seeformer.cells.output import Output, shown_in
from seeformer.interrupts import interruptible
from seeformer.mistakes import describe

_REPR_LIMIT = 100_000
_ARRAY_LIMIT = 2048  # a side; beyond it a heatmap has more cells than any screen has pixels


class Cells:
    """Runs cells one after another in shared variables.

    Parameters
    ----------
    explain : callable
        Gets an exception that ended a cell and returns it, or one of the same type that says more.
    """

    def __init__(self, *, explain: Callable[[BaseException], BaseException] = lambda error: error):
        self._explain = explain
        self.reset()

    def reset(self) -> None:
        """Forgets all variables. They live in a real `__main__` module, which pickle and dataclasses look up."""
        main = sys.modules["__main__"] = ModuleType("__main__")
        self._variables = main.__dict__

    async def run(self, code: str, name: str, emit: Callable[[dict], object]) -> dict:
        """Run one cell.

        Parameters
        ----------
        name : str
            The cell's name in tracebacks, as in `<cell 3>`.
        emit : callable
            Gets what the cell shows, while it runs.

        Returns
        -------
        dict
            `result`: the last expression's value as text, or None; `error`: None, or see `mistakes.describe`.
        """
        filename, output = f"<cell {name}>", Output(emit)
        result = error = None
        with shown_in(output):
            try:
                with interruptible():
                    result = _show(await evaluate(code, filename, self._variables), output)
            except asyncio.CancelledError as cancelled:
                error = _ended(cancelled, filename)
            except (Exception, KeyboardInterrupt, SystemExit) as raised:
                error = describe(self._explain(raised), cell=filename)
            _show_open_figures()
        return {"result": result, "error": error}


def _ended(cancelled: asyncio.CancelledError, filename: str) -> dict:
    """A Stop cancels the cell's task; a CancelledError of the reader's own tasks is an error like any other."""
    stopped = asyncio.current_task().cancelling()
    return describe(KeyboardInterrupt() if stopped else cancelled, cell=filename)


def _show(last: Value, output: Output) -> str | None:
    value = last.value
    if value is None:
        return None
    text = repr(value)
    if len(text) > _REPR_LIMIT:
        text = f"{text[:_REPR_LIMIT]}… ({len(text):,} characters)"
    if _is_picture(value):
        output.array(value, last.name)
    else:
        output.representation(text)
    return text


def _is_picture(value) -> bool:
    """Subclasses (masked arrays, matrices) mean more than their numbers: those stay text."""
    return (
        type(value) is np.ndarray
        and value.dtype.kind in "biuf"
        and value.ndim in (1, 2)
        and 0 < value.size
        and max(value.shape) <= _ARRAY_LIMIT
    )


def _show_open_figures() -> None:
    if "matplotlib.pyplot" in sys.modules:
        from seeformer.cells.figures import show_all

        show_all()
