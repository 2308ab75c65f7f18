"""A wheel with its modules compiled beside their sources; run inside Pyodide by precompile.mjs, by nobody else.

The .pyc are of the kind that nobody compares with its source: the wheel is unpacked whole, and its hash was checked.
Nothing is compressed: a browser takes longer to unpack NumPy's 600 files than to read them, and the server compresses
better on the way.
"""

import base64
import hashlib
import importlib.util
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import PurePosixPath

PLACE = "/lib/python3.14/site-packages/"  # where it will lie, for tracebacks
DATE = (2020, 1, 1, 0, 0, 0)  # same wheel in, same bytes out


def precompile(wheel: str, out: str) -> None:
    with zipfile.ZipFile(wheel) as given, zipfile.ZipFile(out, "w") as made:
        files = {name: given.read(name) for name in given.namelist() if not name.endswith("/")}
        compiled = {_pyc_name(name): _compile(name, data) for name, data in files.items() if name.endswith(".py")}
        record = next(name for name in files if name.endswith(".dist-info/RECORD"))
        files[record] += "".join(_line(name, data) for name, data in compiled.items()).encode()
        for name, data in (files | compiled).items():
            made.writestr(zipfile.ZipInfo(name, DATE), data)


def _pyc_name(name: str) -> str:
    return str(PurePosixPath(importlib.util.cache_from_source(name)))


def _compile(name: str, source: bytes) -> bytes:
    code = compile(source, PLACE + name, "exec", dont_inherit=True, optimize=0)
    return bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), checked=False))


def _line(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"
