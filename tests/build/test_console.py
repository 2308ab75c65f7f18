import io

from sitebuild.console import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_gets_one_line_that_moves():
    out = Terminal()
    with Progress("fetching", 4_000_000, stream=out) as progress:
        progress.every = 0
        progress.update(1_000_000)
        progress.update(4_000_000)
    text = out.getvalue()
    assert text.count("\n") == 1 and text.endswith("\n")
    parts = [part.rstrip() for part in text.split("\r")]
    assert parts[1:3] == ["fetching", "fetching: 1.0 of 4.0 MB, 25 %"]
    assert parts[-1] == "fetching: 4.0 of 4.0 MB, 100 %, done"


def test_a_shorter_text_covers_the_longer_one_before_it():
    out = Terminal()
    with Progress("x", stream=out) as progress:
        progress._show("a long line")
        progress._show("short")
    assert out.getvalue().split("\r")[3] == "short      \n"


def test_a_log_gets_whole_lines_now_and_then():
    out = io.StringIO()
    with Progress("fetching", 4_000_000, stream=out, every=3600) as progress:
        for done in range(1, 4_000_001, 100_000):
            progress.update(done)
    assert out.getvalue().splitlines() == ["fetching", "fetching: 3.9 of 4.0 MB, 97 %, done"]


def test_what_failed_is_not_called_done():
    out = io.StringIO()
    try:
        with Progress("fetching", 4_000_000, stream=out, every=0) as progress:
            progress.update(1_000_000)
            raise OSError
    except OSError:
        pass
    assert "done" not in out.getvalue()
