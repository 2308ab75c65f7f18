"""What a reader gets of NumPy once the first picture is there: what the memory image has not and a page may use.

Compiled modules that are in the image come with it; tests, and what only compilers and type checkers read, stay out.
So do compiled sources: most are of modules that the image has already. The whole wheel lies on the shelf.
"""

import io
import re
import zipfile
from pathlib import Path

USELESS = re.compile(r"/tests/|/f2py/|/__pycache__/|\.(pyi|pxd|h|c|a|typed)$")


def rest_of(wheel: Path, modules: list[str]) -> bytes:
    """`modules`: those in the image, as the wheel names them. Not compressed, as precompile_in_pyodide.py does it."""
    out = io.BytesIO()
    with zipfile.ZipFile(wheel) as given, zipfile.ZipFile(out, "w") as made:
        kept = [
            entry for entry in given.infolist() if entry.filename not in modules and not USELESS.search(entry.filename)
        ]
        for entry in kept:
            data = given.read(entry)
            if entry.filename.endswith(".dist-info/RECORD"):
                lines = data.decode().splitlines(keepends=True)
                data = "".join(line for line in lines if not USELESS.search(line.split(",")[0])).encode()
            made.writestr(entry, data)
    return out.getvalue()
