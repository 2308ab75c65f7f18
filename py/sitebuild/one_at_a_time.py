"""Two builds in one folder wait for each other (a `serve` in one terminal, a `test` in the next)."""

import contextlib
import os
import time

from .console import say
from .paths import WORK

if os.name == "nt":
    import msvcrt

    def _try_lock(file) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try_lock(file) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def one_at_a_time():
    """Hold the lock of this work tree; the system frees it even if the process dies."""
    WORK.mkdir(exist_ok=True)
    with (WORK / "lock").open("w") as file:
        waiting = False
        while True:
            try:
                _try_lock(file)
                break
            except OSError:
                if not waiting:
                    say("another build is running in this folder: waiting for it")
                waiting = True
                time.sleep(0.2)
        yield
