"""Runs another program quietly: progress while it runs, its output in a log, one clear error if it fails."""

import os
import subprocess
from pathlib import Path

from .console import Progress
from .errors import BuildError, DiskFull, NoNetwork
from .paths import ROOT, WORK

UNREACHABLE = (
    "Failed to establish a new connection",  # pip
    "name resolution",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "ProxyError",
    "ENOTFOUND",  # npm
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ETIMEDOUT",
    "ENOTCACHED",
)
FULL = ("No space left on device", "ENOSPC", "not enough space on the disk")


def run(argv, *, name: str, doing: str, remedy: str, env=None, cwd=ROOT, watch: Path | None = None, total=None,
        show_output: bool = False, may_fail: bool = False) -> bool:  # fmt: skip
    """Run `argv` to its end; True, or BuildError.

    `watch` is a folder whose growth is the progress (pip and npm tell theirs to nobody but a terminal);
    `show_output` puts the program's output into the error: for compilers of our own sources;
    with `may_fail` a failure is the answer False (a full disk still is an error: the next attempt would meet it too).
    """
    log_path = WORK / "logs" / f"{name}.txt"
    log_path.parent.mkdir(parents=True, exist_ok=True)
    with log_path.open("wb") as log, Progress(doing, total) as progress:
        try:
            process = subprocess.Popen(
                [str(part) for part in argv],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                env={**os.environ, **(env or {})},
            )
        except OSError as error:
            raise BuildError(f"{doing}: cannot start {argv[0]} ({error.strerror})", remedy) from None
        code = _wait(process, watch, progress)
    if code == 0:
        return True
    output = log_path.read_text(encoding="utf-8", errors="replace")
    if any(sign in output for sign in FULL):
        raise DiskFull(doing)
    if may_fail:
        return False
    if show_output:
        raise BuildError(f"{doing} failed", remedy, details=output)
    if any(sign in output for sign in UNREACHABLE):
        raise NoNetwork(doing, f"{remedy} (log: {log_path})")
    raise BuildError(f"{doing} failed: {last_error(output)}", f"{remedy} (log: {log_path})")


def _wait(process, watch, progress) -> int:
    before = folder_bytes(watch) if watch else 0
    try:
        while True:
            try:
                return process.wait(timeout=0.3)
            except subprocess.TimeoutExpired:
                if watch:
                    progress.update(folder_bytes(watch) - before)
    except BaseException:  # Ctrl-C above all: no child outlives us
        process.terminate()
        process.wait()
        raise


def folder_bytes(folder: Path) -> int:
    """Bytes below `folder`; files may vanish while we look."""
    size = 0
    for base, _, names in os.walk(folder):
        for name in names:
            try:
                size += os.stat(os.path.join(base, name)).st_size
            except OSError:
                continue
    return size


def last_error(output: str) -> str:
    """The line a person would look for first: the last one that says error, else the last one."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower() and "complete log" not in line]
    return (errors or lines or ["it printed nothing"])[-1][:300]
