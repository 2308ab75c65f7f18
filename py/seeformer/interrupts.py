"""Stop reaches the reader's code and nothing else.

An interrupt can arrive at any bytecode, also a moment after the code it was meant for has ended, while the page's own
Python puts things back in order. So the signal raises KeyboardInterrupt only inside `with interruptible():`.
"""

import signal
from contextlib import contextmanager

_open = False


def listen() -> None:
    """Takes over SIGINT, which is how a Stop arrives."""
    signal.signal(signal.SIGINT, _on_signal)


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
