"""Pure-Python wheels that the page carries beside Pyodide's own packages: what lock.json names under "pypi"."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from .downloads import Cache, File
from .generations import PAGE
from .paths import cache_folder
from .python_env import ensure_venv, pip


@dataclass(frozen=True)
class PypiWheel:
    """What a wheel does not tell by itself (its imports, its needs), and the file that it must be."""

    package: str
    version: str
    imports: list[str]
    depends: list[str]
    file: File

    def lock_entry(self) -> dict:
        """The wheel as a package of Pyodide's lock."""
        return {
            "name": self.package,
            "version": self.version,
            "file_name": self.file.name,
            "sha256": self.file.sha256,
            "imports": self.imports,
            "depends": self.depends,
            "install_dir": "site",
            "package_type": "package",
            "unvendored_tests": False,
        }


def _wheel(*, name: str, bytes: int, sha256: str, **facts) -> PypiWheel:
    return PypiWheel(file=File(name, bytes, sha256), **facts)


WHEELS = [_wheel(**entry) for entry in PAGE.facts["pypi"]]


def ensure_wheels() -> dict[str, Path]:
    """{file name: path in the cache}, every one of them verified just now."""
    cache = Cache(cache_folder() / "pypi")
    for wheel in WHEELS:
        if not cache.has(wheel.file):
            fetch(cache, f"{wheel.package}=={wheel.version}", wheel.file)
    return {wheel.file.name: cache.path(wheel.file) for wheel in WHEELS}


def fetch(cache: Cache, pinned: str, file: File) -> None:
    """Have pip download `pinned` (name==version) and put it into the cache, if it is `file`."""
    ensure_venv()
    with tempfile.TemporaryDirectory(prefix="seeformer-") as folder:
        arguments = ["download", "--no-deps", "--only-binary", ":all:", "--dest", folder, pinned]
        pip(arguments, name=pinned.partition("==")[0], doing=f"fetching {pinned}", watch=Path(folder))
        with Path(folder, file.name).open("rb") as source:
            cache.store(file, source)
