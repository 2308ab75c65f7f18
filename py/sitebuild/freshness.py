"""Rebuilds when a source is newer than the build: asked at every page load, so it has to be cheap."""

import os
import sys

from .errors import BuildError
from .paths import PY, ROOT, WEB

SINGLE = ["index.html", "package.json", "package-lock.json", "pyproject.toml", "LICENSE"]
PASSED_OVER = {"vendor", "__pycache__"}


def state_of_sources() -> frozenset:
    """(path, mtime, size) of all that the build reads; about a millisecond."""
    seen = set()
    for folder in (WEB, PY):
        for base, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if name not in PASSED_OVER]
            seen.update(_entry(os.path.join(base, name)) for name in names)
    seen.update(_entry(str(ROOT / name)) for name in SINGLE)
    return frozenset(seen)


def _entry(path: str) -> tuple:
    try:
        status = os.stat(path)
    except OSError:
        return path, 0, 0
    return path, status.st_mtime_ns, status.st_size


class Rebuild:
    """Call it before giving out a page: builds if something changed, raises BuildError if that fails."""

    def __init__(self, build):
        self.build = build
        self.built = state_of_sources()

    def __call__(self) -> None:
        now = state_of_sources()
        if now == self.built:
            return
        try:
            self.build()
        except OSError as error:
            problem = BuildError(f"building failed: {error}", "mend it and reload the page")
        except BuildError as error:
            problem = error
        else:
            self.built = now
            return
        print(problem, file=sys.stderr, flush=True)
        raise problem
