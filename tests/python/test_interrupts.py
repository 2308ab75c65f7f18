"""Where a Stop may hit, and where not."""

import signal
import time

import pytest

from seeformer import interrupts
from seeformer.laboratory import Laboratory
from seeformer.sources import source_of

INTERRUPT = "import signal; signal.raise_signal(signal.SIGINT)"


@pytest.fixture(autouse=True)
def listening(monkeypatch):
    monkeypatch.setattr(time, "sleep", time.sleep)
    before = signal.getsignal(signal.SIGINT)
    interrupts.listen()
    yield
    signal.signal(signal.SIGINT, before)


def test_outside_the_readers_code_it_is_dropped():
    signal.raise_signal(signal.SIGINT)


def test_in_a_cell_it_stops_it(reader):
    assert reader.run(f"print('begun')\n{INTERRUPT}\nprint('not reached')\n" * 2)["error"]["type"] == "Stopped"
    assert reader.printed(f"print('begun')\n{INTERRUPT}\nprint('not reached')") == "begun\n"


def test_also_in_a_library_that_a_cell_calls(reader):
    assert reader.run(f"exec(compile({INTERRUPT!r}, '/lib/library.py', 'exec'))")["error"]["type"] == "Stopped"


def test_in_the_middle_of_printing_no_line_is_lost(reader):
    """The signal comes under the streams, before a line has left: it is shown all the same."""
    shown = []

    def emit(item):
        if item["text"] == "once\n" and not interrupted:
            interrupted.append(True)
            signal.raise_signal(signal.SIGINT)
        shown.append(item["text"])

    interrupted = []
    code = "for word in ('before', 'once', 'after', 'after'): print(word)"
    assert reader.run(code, emit=emit)["error"]["type"] == "Stopped"
    assert shown == ["before\n", "once\n"]


def test_in_a_kernel_it_stops_the_lab():
    edits = {"seeformer.mask": f"{source_of('seeformer.mask')}\n{INTERRUPT}\n"}
    with pytest.raises(KeyboardInterrupt):
        Laboratory().run("attention", {}, edits)
    assert Laboratory().run("attention", {})[0]["n"] > 0


def test_sleep_sleeps_as_long_as_before_and_says_what_it_said():
    begun = time.monotonic()
    time.sleep(0.12)
    assert 0.12 <= time.monotonic() - begun < 0.5
    with pytest.raises(ValueError, match="must be non-negative"):
        time.sleep(-1)
    with pytest.raises(TypeError):
        time.sleep("1")
