"""The package shelf: Pyodide's own lock, cut down to what the page carries, and a full one for `--allow-network`.

Both also name the wheels from PyPI that Pyodide does not have, and have the hash of what the page gives out.
"""

import json

from .downloads import sha256_of
from .pypi_wheels import WHEELS


def shelf_lock(official: dict, files) -> bytes:
    """Only packages whose file is here: so a cell that asks for another one hears it from micropip at once."""
    packages = {name: entry for name, entry in official["packages"].items() if entry["file_name"] in files}
    return _dump({**official, "packages": _as_they_are(packages | _ours(), files)})


def full_lock(official: dict, files, distribution: str) -> bytes:
    """All packages; those that are not here by their address in Pyodide's distribution."""
    packages = {}
    for name, entry in official["packages"].items():
        here = entry["file_name"] in files
        packages[name] = entry if here else {**entry, "file_name": distribution + entry["file_name"]}
    return _dump({**official, "packages": _as_they_are(packages | _ours(), files)})


def _as_they_are(packages: dict, files) -> dict:
    """With the hash of the file that is here: of some it is the one with compiled modules (boot_files.py)."""
    here = {name: entry for name, entry in packages.items() if entry["file_name"] in files}
    return packages | {name: {**e, "sha256": sha256_of(files[e["file_name"]])} for name, e in here.items()}


def _ours() -> dict:
    return {wheel.package: wheel.lock_entry() for wheel in WHEELS}


def _dump(lock: dict) -> bytes:
    return json.dumps(lock, separators=(",", ":")).encode()
