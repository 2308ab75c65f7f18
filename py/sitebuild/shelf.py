"""The package shelf: Pyodide's own lock, cut down to what the page carries, and a full one for `--allow-network`.

Both also name the wheels from PyPI that Pyodide does not have.
"""

import json

from .pypi_wheels import WHEELS


def shelf_lock(official: dict, files) -> bytes:
    """Only packages whose file is here: so a cell that asks for another one hears it from micropip at once."""
    packages = {name: entry for name, entry in official["packages"].items() if entry["file_name"] in files}
    return _dump({**official, "packages": packages | _ours()})


def full_lock(official: dict, files, distribution: str) -> bytes:
    """All packages; those that are not here by their address in Pyodide's distribution."""
    packages = {}
    for name, entry in official["packages"].items():
        here = entry["file_name"] in files
        packages[name] = entry if here else {**entry, "file_name": distribution + entry["file_name"]}
    return _dump({**official, "packages": packages | _ours()})


def _ours() -> dict:
    return {wheel.package: wheel.lock_entry() for wheel in WHEELS}


def _dump(lock: dict) -> bytes:
    return json.dumps(lock, separators=(",", ":")).encode()
