"""Stop reaches the reader's code and nothing else.

An interrupt can arrive at any bytecode: a moment after the code it was meant for has ended, while the page's own Python
puts things back in order; or inside the event loop, which would then forget whom it was about to wake. So the signal
raises KeyboardInterrupt only under a line of a cell or a kernel. The page repeats it as long as the job runs.
"""

import signal
import time
from types import FrameType

from seeformer.mistakes import is_readers

_NAP = 0.05  # seconds: a sleeping interpreter sees no signal
_TURNS = 60  # Pyodide looks for one only at every 50th turn of a loop
_sleep = time.sleep


def listen() -> None:
    """Takes over SIGINT, which is how a Stop arrives, and lets it wake a sleeper."""
    signal.signal(signal.SIGINT, _on_signal)
    time.sleep = _sleep_lightly


def _on_signal(number: int, frame: FrameType | None) -> None:
    while frame:
        if is_readers(frame.f_code.co_filename):
            raise KeyboardInterrupt
        frame = frame.f_back


def _sleep_lightly(seconds: float, /) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > _NAP:
        _sleep(_NAP)
        for _ in range(_TURNS):
            pass
    _sleep(min(seconds, max(left, 0)))  # `seconds` itself, if it is negative or no number: time.sleep knows what to say
