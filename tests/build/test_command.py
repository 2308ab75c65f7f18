"""Other programs: their failures become one clear line, and none outlives us."""

import os
import sys
import time

import pytest

from sitebuild import command
from sitebuild.errors import BuildError, DiskFull, NoNetwork


@pytest.fixture(autouse=True)
def logs(monkeypatch, tmp_path):
    monkeypatch.setattr(command, "WORK", tmp_path)
    return tmp_path / "logs"


def python(code, **options):
    return command.run([sys.executable, "-c", code], name="it", doing="trying", remedy="do this", **options)


def test_success_is_quiet_and_logged(logs, capfd):
    assert python("print('hello')") is True
    assert capfd.readouterr().out == "trying\n"
    assert (logs / "it.txt").read_text() == "hello\n"


def test_failure_names_the_last_error_the_remedy_and_the_log(logs):
    with pytest.raises(BuildError) as caught:
        python("print('ERROR: no such thing'); print('bye'); raise SystemExit(3)")
    assert caught.value.message == "trying failed: ERROR: no such thing"
    assert caught.value.remedy == f"do this (log: {logs / 'it.txt'})"


def test_a_failure_can_be_an_answer():
    assert python("raise SystemExit(1)", may_fail=True) is False


@pytest.mark.parametrize("may_fail", [True, False])
def test_a_full_disk_is_told_apart(may_fail):
    with pytest.raises(DiskFull, match=r"the disk is full \(trying\)"):
        python("raise SystemExit('[Errno 28] No space left on device')", may_fail=may_fail)


@pytest.mark.parametrize(
    "said", ["NewConnectionError: Failed to establish a new connection", "npm error code ENOTFOUND"]
)
def test_a_missing_network_is_told_apart(said):
    with pytest.raises(NoNetwork, match="no network, and the cache has not got all of it"):
        python(f"raise SystemExit({said!r})")


def test_output_of_compilers_is_shown():
    with pytest.raises(BuildError) as caught:
        python("raise SystemExit('kernel.py:3: ECONNREFUSED is not defined')", show_output=True)
    shown = "kernel.py:3: ECONNREFUSED is not defined\nerror: trying failed\ntry:   do this"
    assert str(caught.value) == shown


def test_a_program_that_is_not_there():
    with pytest.raises(BuildError, match="cannot start no-such-program"):
        command.run(["no-such-program"], name="it", doing="trying", remedy="do this")


def test_growth_of_a_folder_is_the_progress(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(command, "Progress", lambda *rest: Eager(*rest))
    (tmp_path / "old").write_bytes(b"x" * 3_000_000)
    grow = f"import time; open({str(tmp_path / 'new')!r}, 'wb').write(b'x' * 5_000_000); time.sleep(1)"
    python(grow, watch=tmp_path, total=10_000_000)
    assert "trying: 5.0 of 10.0 MB, 50 %" in capfd.readouterr().out


class Eager(command.Progress):
    def __init__(self, *rest):
        super().__init__(*rest, every=0)


@pytest.mark.skipif(os.name == "nt", reason="looks into /proc or asks with signal 0")
def test_no_child_outlives_an_interruption(monkeypatch, tmp_path):
    def interrupt(watch):
        if (tmp_path / "pid").exists():
            raise KeyboardInterrupt
        return 0

    monkeypatch.setattr(command, "folder_bytes", interrupt)
    code = f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        python(code, watch=tmp_path)
    assert time.monotonic() - started < 30
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
