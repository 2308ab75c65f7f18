"""build.py as a stranger types it: exit codes and what stands on the screen."""

import ast
import os
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from sitebuild import browsers, cli, older_numpy, pyodide_files, python_env
from sitebuild import site as site_module
from sitebuild.errors import DiskFull
from sitebuild.generations import PAGE
from sitebuild.paths import ROOT

NOWHERE = "http://127.0.0.1:9"  # the discard port: refuses at once


def build_py(*arguments, root=ROOT, **env):
    command = [sys.executable, "build.py", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, env={**os.environ, **env}, timeout=300)


@pytest.fixture
def bare(tmp_path):
    """A clone without anything built or downloaded, and a cache of its own."""
    root = tmp_path / "clone"
    root.mkdir()
    for name in ("build.py", "index.html", "pyproject.toml", "package.json", "package-lock.json", ".npmrc", "LICENSE"):
        shutil.copy(ROOT / name, root)
    ignore = shutil.ignore_patterns("__pycache__", "vendor")
    for name in ("py", "web"):
        shutil.copytree(ROOT / name, root / name, ignore=ignore)
    return root


def test_no_argument_prints_help():
    answer = build_py()
    assert answer.returncode == 0
    assert all(command in answer.stdout for command in ("serve", "build", "test", "clean"))


def test_an_unknown_subcommand_names_the_known_ones():
    answer = build_py("frobnicate")
    assert answer.returncode == 2
    assert "frobnicate" in answer.stderr and "serve" in answer.stderr and "Traceback" not in answer.stderr


def test_an_unknown_option_is_refused():
    assert build_py("build", "--fast").returncode == 2


@pytest.mark.parametrize("port", ["99999", "-1", "http"])
def test_a_port_that_is_none(port):
    answer = build_py("serve", f"--port={port}")
    assert answer.returncode == 2 and "0 to 65535" in answer.stderr


def test_a_taken_port_is_told_in_two_lines():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = build_py("serve", "--no-open", "--port", str(port))
    assert answer.returncode == 1
    first, second = answer.stderr.splitlines()
    assert first == f"error: port {port} is taken" and second.startswith("try:") and "--port" in second


def test_build_py_can_be_read_by_old_pythons():
    ast.parse((ROOT / "build.py").read_text(), feature_version=(3, 6))


def test_an_old_python_is_told_what_it_needs(monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 8, 18, "final", 0))
    with pytest.raises(SystemExit) as caught:
        runpy.run_path(str(ROOT / "build.py"))
    assert caught.value.code == 2
    assert "this is Python 3.8, seeformer needs 3.11 or newer" in capsys.readouterr().err


def test_no_network_and_nothing_cached(bare, tmp_path):
    answer = build_py(
        "build",
        root=bare,
        SEEFORMER_CACHE=str(tmp_path / "cache"),
        PIP_CONFIG_FILE=os.devnull,
        PIP_INDEX_URL=f"{NOWHERE}/simple",
        PIP_FIND_LINKS="",
        PIP_EXTRA_INDEX_URL="",
    )
    assert answer.returncode == 1
    first, second = answer.stderr.splitlines()
    assert first.startswith("error:") and "no network" in first
    assert second.startswith("try:   connect to the network once")
    assert not (bare / "site").exists()


def test_a_full_disk_is_told_in_two_lines(monkeypatch, capsys):
    def fill(*rest):
        raise OSError(28, "No space left on device", "numpy.whl")

    monkeypatch.setattr(cli, "_build", fill)
    assert cli.main(["build"]) == 1
    assert capsys.readouterr().err == f"{DiskFull('numpy.whl')}\n"


def test_ctrl_c_is_no_traceback(monkeypatch, capsys):
    def interrupt(*rest):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_build", interrupt)
    assert cli.main(["build"]) == 130
    assert capsys.readouterr().err.strip() == "stopped"


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_from_start_to_end(site, number):
    command = [sys.executable, "build.py", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        line = next(line for line in process.stdout if "seeformer is at" in line)
        with urllib.request.urlopen(line.split()[3]) as answer:
            assert b"<title>seeformer" in answer.read()
        process.send_signal(number)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130 and errors.strip() == "stopped"


def test_clean_removes_what_was_built_and_keeps_downloads(bare, tmp_path):
    cache = tmp_path / "cache"
    for folder in (bare / ".venv", bare / "node_modules", bare / "web/vendor", bare / "site", bare / ".build", cache):
        folder.mkdir()
    assert build_py("clean", root=bare, SEEFORMER_CACHE=str(cache)).returncode == 0
    left = {path.name for path in bare.iterdir()}
    assert not left & {".venv", "node_modules", "site", ".build"} and not (bare / "web/vendor").exists()
    assert cache.exists()
    assert build_py("clean", "--cache", root=bare, SEEFORMER_CACHE=str(cache)).returncode == 0
    assert not cache.exists()


def test_only_a_test_run_fetches_what_only_tests_need(monkeypatch):
    """Code Emitter's Pyodide and NumPy, also when only the tests of notes are asked for."""
    asked = []
    monkeypatch.setattr(pyodide_files, "ensure_files", lambda generation=PAGE: asked.append(generation.version))
    monkeypatch.setattr(older_numpy, "ensure_older_numpy", lambda: asked.append("numpy"))
    monkeypatch.setattr(python_env, "require", lambda *_, **__: None)
    monkeypatch.setattr(browsers, "ensure_browser", lambda: "chromium")
    monkeypatch.setattr(browsers, "ensure_fonts", lambda: None)
    monkeypatch.setattr(site_module, "build", lambda: None)
    monkeypatch.setattr(cli.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    monkeypatch.setattr(cli.signal, "signal", lambda *_: None)
    assert cli.main(["build"]) == 0 and asked == []
    assert cli.main(["test", "tests/notes"]) == 0 and asked == ["0.26.1", "numpy"]
