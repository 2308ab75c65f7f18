"""The only file that knows it is called from JavaScript (web/worker.js).

Nothing live crosses: arguments come as text, answers leave as plain objects with one flat array in them, and every
exception is an answer too.
"""

import asyncio
import json
import os
import platform
import sys
from collections.abc import Callable

# Before anything imports matplotlib.
os.environ["MPLBACKEND"] = "module://seeformer.cells.figures"

import numpy as np
import pyodide_js
from js import Object
from pyodide.ffi import JsException, to_js

from seeformer import fast
from seeformer.cells.cells import Cells
from seeformer.cells.output import take_streams
from seeformer.cells.packages import explainer
from seeformer.interrupts import listen
from seeformer.laboratory import Laboratory
from seeformer.mistakes import describe
from seeformer.packing import pack

_laboratory = Laboratory()
_cells = Cells()


def start(network: bool):
    """Prepares cells; `network` says whether packages that the page does not ship may be fetched. Says what runs."""
    global _cells
    take_streams()
    listen()
    _hush(asyncio.get_event_loop())
    packages = pyodide_js.lockfile.packages.to_py()
    shelf = {package["name"]: package["imports"] for package in packages.values()}
    _cells = Cells(explain=explainer(shelf, network=network))
    return _plain({"python": platform.python_version(), "numpy": np.__version__, "fast": fast.enable()})


def keep_to_the_shelf() -> None:
    """What is not on the shelf is refused at once, without a request that would be blocked."""
    import micropip  # only now: no lab waits for it

    micropip.set_index_urls([])


def _hush(loop) -> None:
    """What ends a task of a cell is told in that cell: it must not also go through the event loop into the console."""
    loop._keyboard_interrupt_handler = lambda: None
    loop._system_exit_handler = lambda code: None
    loop.set_exception_handler(_tell_forgotten)


def _tell_forgotten(loop, context: dict) -> None:
    """An exception in a task that nobody awaits."""
    error = context.get("exception")
    if error is None:
        loop.default_exception_handler(context)
    elif not isinstance(error, KeyboardInterrupt | asyncio.CancelledError):
        print(describe(error)["traceback"], end="", file=sys.stderr)


def call(lab: str, params: str, edits: str, on_update: Callable[[object], object]):
    """Run a lab with JSON parameters and edits: {meta, buffer, lines} or {error}."""
    fast_before = fast.status()["enabled"]
    try:
        values, lines = _laboratory.run(
            lab, json.loads(params), json.loads(edits), on_values=lambda *step: on_update(_packed(*step))
        )
        return _packed(values, lines)
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        _put_fast_back(fast_before)
        return _plain({"error": describe(error)})


def archive(lab: str, params: str, edits: str):
    """Every array of a lab as an .npz file: {bytes} or {error}. Arguments as for ``call``."""
    from seeformer.archive import npz  # only now: few readers take it

    try:
        content = npz(_laboratory.arrays(lab, json.loads(params), json.loads(edits)))
        return _plain({"bytes": np.frombuffer(content, np.uint8)})
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        return _plain({"error": describe(error)})


class _File:
    """A file of the reader's, which stays where it is: only what is read is here."""

    def __init__(self, file):
        self.name, self._size, self._read, self._at = file.name, file.size, file.read, 0

    def seek(self, offset, whence=os.SEEK_SET):
        self._at = offset + (self._size if whence == os.SEEK_END else 0)
        return self._at

    def read(self, count):
        try:
            return self._read(self._at, self._at + count).to_bytes()
        except JsException as error:
            raise ValueError(f"the browser can read the file no longer ({error.message})") from None


def bring(name: str, file, texts: str):
    """Opens a checkpoint: {family, parameters} or {error}. `texts` is JSON: config, tokenizer, families."""
    from seeformer import checkpoints  # only now: few readers bring one

    try:
        return _plain(checkpoints.bring(name, _File(file), **json.loads(texts)))
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        return _plain({"error": describe(error)})


def forget(name: str) -> None:
    """Frees the memory of a checkpoint."""
    from seeformer import checkpoints

    checkpoints.forget(name)


def switch_fast(on: bool):
    """The fast loops under `@` for labs and cells, or NumPy's own: seeformer.fast.status()."""
    return _plain(fast.enable() if on else fast.disable())


def _put_fast_back(enabled: bool) -> None:
    """A lab that compares the loops may have been stopped anywhere, even while it put them back. Here no Stop comes."""
    fast.disable()
    if enabled:
        fast.enable()


def note(request: str):
    """A block or a section for a note: {text} or {error}. The request is JSON of what `written` takes."""
    from seeformer.notes.request import written  # only now: many readers never open a Note face

    try:
        return _plain({"text": written(**json.loads(request), accept=_laboratory.accept)})
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        return _plain({"error": describe(error)})


async def run_cell(code: str, name: str, emit: Callable[[object], object]):
    """Run a cell: {result, error}, and what it shows to `emit` on the way."""
    # In a task of its own, which a Stop may cancel; this one stays to answer.
    running = asyncio.ensure_future(_cells.run(code, name, lambda shown: emit(_plain(shown))))
    try:
        return _plain(await running)
    except asyncio.CancelledError:  # a Stop that came after the cell's last line
        return _plain({"result": None, "error": describe(KeyboardInterrupt())})


def cancel() -> bool:
    """Stops a cell that awaits something; False if only an interrupt can stop it."""
    return _cells.stop()


def reset() -> None:
    """Forgets the cells' variables and ends what they left running."""
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    _cells.reset()


def _packed(values: dict, lines: dict):
    meta, buffer = pack(values)
    return _plain({"meta": meta, "buffer": buffer, "lines": lines})


def _plain(value):
    return to_js(value, dict_converter=Object.fromEntries, create_pyproxies=False)
