"""Puts the site together: first as a table {path in the site: file or bytes}, then on the disk.

The table is the whole truth: what it does not name disappears from site/, what has not changed is left alone.
"""

import hashlib
import json
import os
import re
from pathlib import Path

from .boot_files import MODULES, SNAPSHOT, ensure_precompiled, ensure_snapshot, unpacked_size
from .computed import computed
from .console import say
from .downloads import sha256_of
from .generations import PAGE
from .labs import TEXTS, index_module, labs, languages
from .one_at_a_time import one_at_a_time
from .page_bundle import page_bundle
from .paths import PY, ROOT, SITE, WEB, WORK
from .pyodide_files import ensure_files
from .pypi_wheels import ensure_wheels
from .python_env import require
from .shelf import full_lock, shelf_lock
from .stamps import source_files
from .vault.pack import vaults, zipped
from .vendor import BUNDLES, bundle
from .wheel import build_fast_wheel, build_wheel, version, wheel_name

Table = dict[str, Path | bytes]
BOOT_PACKAGES = ["seeformer"]  # there at the start; so is NumPy, in the memory image
LATER_PACKAGES = [
    "numpy",
    "micropip",
    "autograd",
]  # after the first live picture; the rest of the shelf when a cell asks
PACKAGES = BOOT_PACKAGES + LATER_PACKAGES


def build() -> Path:
    """Bring site/ up to date and return it. Takes well under a second when nothing has changed."""
    with one_at_a_time():
        require("build")
        files = ensure_files() | ensure_wheels()
        wheel, fast = build_wheel(), build_fast_wheel()
        core, theirs = [files[name] for name in PAGE.core], tuple(f"{name}-" for name in PACKAGES)
        files |= ensure_precompiled(core, [path for name, path in files.items() if name.startswith(theirs)], "wheels")
        own = ensure_precompiled(core, [wheel], "own wheel")  # alone: it changes at every edit
        numpy = next(path for name, path in files.items() if name.startswith("numpy-"))
        image = ensure_snapshot(core, numpy)
        own[numpy.name] = image.pop(numpy.name)
        bundle()
        made = {f"wheels/{built.name}": built for built in (wheel, fast)}
        made |= {f"pyodide/{name}": path for name, path in image.items()}
        made |= {f"boot/{name}": path for name, path in own.items()}
        table = page_table() | pyodide_table(files) | made | data_table() | vault_table()
        table["manifest.json"] = manifest(table, wheel.name)
        changed = publish(table, SITE)
    say(f"site/ is up to date ({changed} files written)" if changed else "site/ is up to date")
    return SITE


def page_table() -> Table:
    table: Table = {"web/labs/index.js": index_module(version(), f"wheels/{wheel_name()}").encode()}
    for path in source_files(WEB):
        if BUNDLES not in path.parents:
            table.setdefault(path.relative_to(ROOT).as_posix(), path)
    index = (ROOT / "index.html").read_text(encoding="utf-8")
    return table | page_bundle(table, index)


def pyodide_table(files: dict[str, Path]) -> Table:
    table: Table = {f"pyodide/{name}": path for name, path in files.items()}
    official = json.loads(files["pyodide-lock.json"].read_text(encoding="utf-8"))
    table["pyodide/pyodide-lock.json"] = shelf_lock(official, files)
    table["pyodide/pyodide-lock.full.json"] = full_lock(official, files, PAGE.facts["distribution"])
    return table


def data_table() -> Table:
    """The labs' default results and notes."""
    inputs = [PY / "seeformer", TEXTS, Path(__file__).with_name("precompute.py")]
    arguments = [",".join(languages()), *labs()]
    doing = "computing the labs' default pictures"
    folder = computed(WORK / "data", "sitebuild.precompute", arguments, inputs=inputs, doing=doing)
    return {f"data/{path.name}": path for path in source_files(folder) if path.suffix in (".json", ".bin")}


def vault_table() -> Table:
    """The course in each language, to be unpacked as a vault."""
    return {
        f"downloads/seeformer-vault-{language}.zip": zipped(files, f"seeformer-{language}")
        for language, files in vaults().items()
    }


def manifest(table: Table, wheel: str) -> bytes:
    """What the page's loader needs to know; `boot` is every file it checks and hands to Pyodide."""
    paths = {name: _path(table, name) for name in PACKAGES}
    modules = [path for path in table if path.startswith(f"pyodide/{MODULES}")]
    boot = [*(f"pyodide/{name}" for name in [*PAGE.core, SNAPSHOT]), *modules, *(paths[name] for name in BOOT_PACKAGES)]
    facts = {
        "version": version(),
        "pyodide": PAGE.version,
        "wheel": f"wheels/{wheel}",
        "network": False,
        "labs": labs(),
        "runtime": "pyodide/",
        "snapshot": {"path": f"pyodide/{SNAPSHOT}", "size": unpacked_size(table[f"pyodide/{SNAPSHOT}"])},
        "modules": [{"path": path, "file": _file_of(path)} for path in modules],
        "packages": [{"name": name, "path": paths[name]} for name in BOOT_PACKAGES],
        "boot": [entry(table, path) for path in boot],
        "later": {
            "packages": [{"name": name, **entry(table, paths[name])} for name in LATER_PACKAGES],
            "labs": labs_that_need(["autograd"]),
        },
    }
    return json.dumps(facts, indent=1).encode()


def labs_that_need(packages: list[str]) -> list[str]:
    """Labs whose kernels, as stored for the Code face, import one of `packages`."""
    uses = re.compile(rf"^\s*(?:import|from) (?:{'|'.join(packages)})\b", re.MULTILINE)
    stored = {lab: json.loads((WORK / "data" / f"{lab}.sources.json").read_text(encoding="utf-8")) for lab in labs()}
    return [lab for lab, modules in stored.items() if any(uses.search(module["source"]) for module in modules)]


def _file_of(module: str) -> str:
    """How NumPy's wheel names one of the compiled modules that are in the memory image."""
    return module.removeprefix(f"pyodide/{MODULES}").removesuffix(".wasm")


def _path(table: Table, package: str) -> str:
    return next(path for folder in ("boot", "pyodide") for path in table if path.startswith(f"{folder}/{package}-"))


def entry(table: Table, path: str) -> dict:
    content = table[path]
    if isinstance(content, bytes):
        return {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    return {"path": path, "bytes": content.stat().st_size, "sha256": sha256_of(content)}


def publish(table: Table, folder: Path) -> int:
    """Make `folder` hold exactly `table`; returns how many files had to be written.

    Each file appears whole (written aside, then renamed), the manifest last: a page that loads meanwhile finds
    old or new files, never half ones.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for name in sorted(table, key=lambda name: (name == "manifest.json", name)):
        content, target = table[name], folder / name
        data = content if isinstance(content, bytes) else content.read_bytes()
        if target.is_file() and target.stat().st_size == len(data) and target.read_bytes() == data:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(target.name + ".part")
        part.write_bytes(data)
        os.replace(part, target)
        written += 1
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(folder).as_posix() not in table:
            path.unlink()
    return written
