"""A Chromium for the tests: an installed one, else Playwright's own, else (root on Debian) the system's package."""

import contextlib
import glob
import os
import shutil
import subprocess
import sys
from pathlib import Path

from .command import run
from .console import say
from .errors import BuildError
from .paths import VENV_PYTHON, cache_folder

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge"]
PLACES = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
]
PLAYWRIGHTS = [
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-win*/chrome.exe",
    "chromium-*/chrome-mac*/*/*/MacOS/*",
]
NO_SANDBOX = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
FLAGS = [
    *NO_SANDBOX,
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_browser() -> str | None:
    named = os.environ.get("CHROMIUM")
    if named:
        found = shutil.which(named)
        if not found:
            raise BuildError(f"CHROMIUM={named} is not a program", "let CHROMIUM name a Chrome, Chromium or Edge")
        return found
    installed = [shutil.which(name) for name in NAMES] + [place for place in PLACES if Path(place).exists()]
    own = [path for pattern in PLAYWRIGHTS for path in sorted(glob.glob(str(playwright_folder() / pattern)))]
    return next(filter(None, installed + own), None)


def playwright_folder() -> Path:
    return cache_folder() / "playwright"


def ensure_browser() -> str:
    return find_browser() or _from_playwright() or _from_debian() or _give_up()


def _from_playwright() -> str | None:
    try:
        run(
            [VENV_PYTHON, "-m", "playwright", "install", "--no-shell", "chromium"],
            name="playwright",
            doing="no Chrome, Chromium or Edge found: fetching Playwright's",
            remedy="install one",
            env={"PLAYWRIGHT_BROWSERS_PATH": str(playwright_folder())},
            watch=playwright_folder(),
        )
    except BuildError as error:
        say(f"Playwright's browser cannot be had here ({error.message})")
        return None
    return find_browser()


def _from_debian() -> str | None:
    if not _is_root_on_debian():
        return None
    _apt_install("chromium", "fonts-noto-cjk")
    return find_browser()


def ensure_fonts() -> None:
    """Chinese must be measurable: a browser without a CJK font draws boxes of another width."""
    if not sys.platform.startswith("linux") or not shutil.which("fc-list"):
        return
    listed = subprocess.run(["fc-list", ":lang=zh"], capture_output=True, text=True).stdout
    if listed.strip():
        return
    if _is_root_on_debian():
        _apt_install("fonts-noto-cjk")
    else:
        say("no Chinese font on this machine: install one (fonts-noto-cjk) for true screenshots")


def _is_root_on_debian() -> bool:
    return sys.platform.startswith("linux") and bool(shutil.which("apt-get")) and bool(NO_SANDBOX)


def _apt_install(*packages: str) -> None:
    with contextlib.suppress(BuildError):  # one unreachable source among several need not matter: install tells
        _apt("update")
    _apt("install", "--yes", "--no-install-recommends", *packages)


def _apt(*arguments: str) -> None:
    run(
        ["apt-get", *arguments],
        name=f"apt-{arguments[0]}",
        doing=f"apt-get {arguments[0]}",
        remedy="install Chromium and fonts-noto-cjk by hand",
        env={"DEBIAN_FRONTEND": "noninteractive"},
    )


def _give_up() -> str:
    raise BuildError(
        "no Chrome, Chromium or Edge here, and none could be installed", "install one, or let CHROMIUM name it"
    )
