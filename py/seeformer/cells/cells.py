"""The cells of the page: one set of variables, and what each run gives back."""

import asyncio
import sys
from collections.abc import Callable
from types import ModuleType

import numpy as np

from seeformer.cells.evaluate import Value, evaluate
from seeformer.cells.output import Output, shown_in
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
        self._task: asyncio.Task | None = None
        self._stopping = False
        self._older: set[asyncio.Task] = set()
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
        self._task, self._stopping, self._older = asyncio.current_task(), False, asyncio.all_tasks()
        with shown_in(output):
            try:
                result = _show(await evaluate(code, filename, self._variables), output)
            except (Exception, KeyboardInterrupt, SystemExit, asyncio.CancelledError) as raised:
                error = self._told(raised, filename)
            try:
                _show_open_figures()
            except Exception as raised:
                error = error or self._told(raised, filename)
        self._task = None
        return {"result": result, "error": error}

    def stop(self) -> bool:
        """Cancel the cell that is running, if it awaits something; False if it must be interrupted instead."""
        if self._task is None:
            return False
        self._stopping = True
        if not self._task.get_coro().cr_running:
            return self._task.cancel()
        # In Pyodide a cell can be in the middle of a step while others run: in asyncio.run, which waits for tasks of
        # its own, and in time.sleep, which waits for nobody.
        awaited = asyncio.all_tasks() - self._older
        for task in awaited:
            task.cancel()
        return bool(awaited)

    def _told(self, error: BaseException, filename: str) -> dict:
        if isinstance(error, asyncio.CancelledError) and self._stopping:
            error = KeyboardInterrupt()  # a Stop; any other CancelledError is an error like all others
        return describe(self._explain(error), cell=filename)


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
