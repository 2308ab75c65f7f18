"""The older NumPy: where this Python has it, in a folder that is not the venv."""

import sys

from sitebuild import older_numpy, python_env
from sitebuild.paths import VENV


def test_a_python_that_is_too_new_has_none(monkeypatch):
    monkeypatch.setattr(older_numpy.sys, "version_info", (3, 13, 0, "final", 0))
    monkeypatch.setattr(older_numpy, "require", lambda *_, **__: (_ for _ in ()).throw(AssertionError("asked")))
    assert older_numpy.ensure_older_numpy() is None


def test_its_folder_names_the_python_it_is_for():
    assert older_numpy.FOLDER.name.endswith(f"py{sys.version_info[0]}{sys.version_info[1]}")


def test_a_folder_is_filled_once_and_the_venv_is_left_alone(monkeypatch, tmp_path):
    calls = []
    monkeypatch.setattr(python_env, "pip", lambda arguments, **_: calls.append(arguments) or True)
    monkeypatch.setattr(python_env, "ensure_venv", lambda: None)
    monkeypatch.setenv("SEEFORMER_CACHE", str(tmp_path / "cache"))
    for _ in range(2):
        python_env.require("numpy-1.26", folder=tmp_path / "older")
    (install,) = calls
    assert install[install.index("--target") + 1] == tmp_path / "older" != VENV
    assert "--require-hashes" in install and install[install.index("--only-binary") + 1] == ":all:"
