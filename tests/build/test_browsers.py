"""Which browser the tests take."""

import os
import sys

import pytest

from sitebuild import browsers
from sitebuild.errors import BuildError, NoNetwork


@pytest.fixture
def nothing_installed(monkeypatch, tmp_path):
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("SEEFORMER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(browsers, "PLACES", [])
    return tmp_path


def program(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_chromium_names_it(monkeypatch):
    monkeypatch.setenv("CHROMIUM", sys.executable)
    assert browsers.find_browser() == sys.executable


def test_a_wrong_chromium_is_an_error(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "/no/such/browser")
    with pytest.raises(BuildError, match="CHROMIUM=/no/such/browser"):
        browsers.find_browser()


@pytest.mark.skipif(os.name == "nt", reason="makes programs of shell scripts")
@pytest.mark.parametrize("name", ["google-chrome", "chromium", "microsoft-edge"])
def test_an_installed_one_is_found_by_name(nothing_installed, name):
    installed = program(nothing_installed / name)
    assert browsers.find_browser() == installed


def test_playwrights_own_is_found_in_the_cache(nothing_installed):
    own = program(nothing_installed / "cache/playwright/chromium-1234/chrome-linux/chrome")
    assert browsers.find_browser() == own


def test_nothing_to_be_had_is_told(nothing_installed, monkeypatch):
    def refuse(*rest, **options):
        raise NoNetwork("fetching", "connect")

    monkeypatch.setattr(browsers, "run", refuse)
    with pytest.raises(BuildError, match="no Chrome, Chromium or Edge here, and none could be installed"):
        browsers.ensure_browser()
