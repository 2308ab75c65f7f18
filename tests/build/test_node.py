"""Node: the machine's if it is new enough, else PyPI's, else a clear word."""

import os
import stat

import pytest

from sitebuild import node
from sitebuild.errors import BuildError, NoNetwork


@pytest.fixture
def path(monkeypatch, tmp_path):
    """A PATH with nothing on it but what a test puts there."""
    if os.name == "nt":
        pytest.skip("makes programs of shell scripts")
    monkeypatch.setenv("PATH", str(tmp_path))

    def program(name, says):
        file = tmp_path / name
        file.write_text(f"#!/bin/sh\necho {says}\n")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return file

    node.find_node.cache_clear()
    yield program
    node.find_node.cache_clear()


@pytest.fixture
def required(monkeypatch):
    asked = []
    monkeypatch.setattr(node, "require", asked.append)
    monkeypatch.setattr(node, "bundled_node", lambda: "the venv's node")
    return asked


def test_the_machines_own_is_taken(path, required):
    own, npm = path("node", "v22.1.0"), path("npm", "10")
    assert node.find_node() == node.Node(own, npm)
    assert required == []


@pytest.mark.parametrize(
    "found", [{}, {"node": "v18.20.0", "npm": "9"}, {"node": "v22.1.0"}, {"node": "nonsense", "npm": "9"}]
)
def test_too_old_incomplete_or_absent_means_the_bundled_one(path, required, found):
    for name, says in found.items():
        path(name, says)
    assert node.find_node().node == "the venv's node"
    assert required == ["node"]


def test_none_here_and_none_installable(path, monkeypatch):
    def unreachable(name):
        raise NoNetwork("pip", "connect")

    monkeypatch.setattr(node, "require", unreachable)
    with pytest.raises(BuildError, match="no Node 20 or newer here, and none could be installed") as caught:
        node.find_node()
    assert "install Node 20" in caught.value.remedy
