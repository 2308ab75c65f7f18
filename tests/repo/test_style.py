"""ruff has nothing to say."""

import subprocess

import pytest

from sitebuild.paths import ROOT, venv_program


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=" ".join)
def test_ruff(command):
    answer = subprocess.run([venv_program("ruff"), *command, "--quiet", "."], cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr
