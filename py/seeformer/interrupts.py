"""Stop reaches the reader's code and nothing else.

An interrupt can arrive at any bytecode, also a moment after the code it was meant for has ended, while the page's own
Python puts things back in order. So the signal raises KeyboardInterrupt only inside `with interruptible():`.
"""

import signal
import time
from contextlib import contextmanager

_NAP = 0.05  # seconds: a sleeping interpreter sees no signal
_TURNS = 60  # Pyodide looks for one only at every 50th turn of a loop
_open = False
_sleep = time.sleep


def listen() -> None:
    """Takes over SIGINT, which is how a Stop arrives, and lets it wake a sleeper."""
    signal.signal(signal.SIGINT, _on_signal)
    time.sleep = _sleep_lightly


@contextmanager
def interruptible():
    global _open
    _open = True
    try:
        yield
    finally:
        _open = False


def _on_signal(number, frame) -> None:
    if _open:
        raise KeyboardInterrupt


def _sleep_lightly(seconds: float, /) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > _NAP:
        _sleep(_NAP)
        for _ in range(_TURNS):
            pass
    _sleep(min(seconds, max(left, 0)))  # `seconds` itself, if it is negative or no number: time.sleep knows what to say
