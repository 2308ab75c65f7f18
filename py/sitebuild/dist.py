"""The page for any static host at any subpath: names that change with their content, brotli and gzip beside each file.

Whole folders carry the hash, not each file: imports between modules stay as they are written, and nothing has to be
rewritten but the addresses in index.html, the manifest and the wheel's in the page. Pyodide's folder has a hash
of its own, so that a new page does not make readers fetch it again. Fixed are index.html, and the wheels: notes name
them by address, and micropip reads the package's name and version from the file's.
"""

import hashlib
import json
import shutil
from pathlib import Path

from .command import run
from .errors import BuildError
from .node import find_node
from .paths import WORK
from .site import build

PYODIDE, WHEELS, INDEX = "pyodide/", "wheels/", "index.html"
LARGE = 50_000  # bytes; smaller files are told together
COMPRESSED = (".html", ".js", ".mjs", ".css", ".json", ".svg", ".wasm", ".bin", ".whl")


def dist(out: Path) -> list[tuple[str, int]]:
    """Write the page to `out`; returns what a first visit fetches: [(path, bytes on the way)]."""
    if out.exists() and any(out.iterdir()) and not all((out / name).exists() for name in (INDEX, "a", "p")):
        raise BuildError(
            f"{out} has other files in it", "choose an empty folder, or one that dist has written: --out DIR"
        )
    site = build()
    files = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    hashed = with_hashes(files)
    shutil.rmtree(out, ignore_errors=True)
    for name, data in hashed.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(data)
    compress([out / name for name in hashed if name.endswith(COMPRESSED)])
    return first_visit(out)


def with_hashes(table: dict[str, bytes]) -> dict[str, bytes]:
    runtime = {path: data for path, data in table.items() if path.startswith(PYODIDE)}
    fixed = {path: data for path, data in table.items() if path.startswith(WHEELS) or path == INDEX}
    there = f"p/{_hash(runtime)}/"
    page = {
        path: data for path, data in table.items() if path not in runtime and path not in fixed and not _is_source(path)
    }
    page["manifest.json"] = page["manifest.json"].replace(b'"pyodide/', f'"../../{there}'.encode())
    for path in page:
        if path.endswith(".js"):
            page[path] = page[path].replace(b'"wheels/', b'"../../wheels/')
    here = f"a/{_hash(page)}/"
    for folder in ("web/", "page/"):
        fixed[INDEX] = fixed[INDEX].replace(f'="{folder}'.encode(), f'="{here}{folder}'.encode())
    moved = {there + path.removeprefix(PYODIDE): data for path, data in runtime.items()}
    return fixed | moved | {here + path: data for path, data in page.items()}


def _is_source(path: str) -> bool:
    """A module or style of web/, which page/ has."""
    return path.startswith("web/") and path.endswith((".js", ".mjs", ".css"))


def _hash(files: dict[str, bytes]) -> str:
    parts = (f"{path} {hashlib.sha256(data).hexdigest()}\n" for path, data in sorted(files.items()))
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


def compress(paths: list[Path]) -> None:
    wanted = WORK / "to-compress.txt"
    wanted.write_text("\n".join(map(str, paths)), encoding="utf-8")
    run(
        [find_node().node, Path(__file__).with_name("compress.mjs"), wanted, WORK / "compressed"],
        name="compress",
        doing="compressing with brotli and gzip",
        remedy="mend what Node names above",
        show_output=True,
    )


def first_visit(out: Path) -> list[tuple[str, int]]:
    """Everything that can be sent to a reader of one language before the first cell asks for more."""
    out = out.resolve()
    (page,) = (out / "a").iterdir()
    manifest = json.loads((page / "manifest.json").read_bytes())
    boot = [(page / entry["path"]).resolve() for entry in manifest["boot"] + manifest["later"]["packages"]]
    rest = [path for path in page.rglob("*") if path.is_file() and _is_sent(path.relative_to(page))]
    return [(path.relative_to(out).as_posix(), _size(path)) for path in sorted({out / INDEX, *boot, *rest})]


def table(visit: list[tuple[str, int]]) -> str:
    """What is large by name, the rest in one line."""
    large = sorted(((size, path) for path, size in visit if size >= LARGE), reverse=True)
    rest = [size for _, size in visit if size < LARGE]
    rows = [*large, (sum(rest), f"{len(rest)} smaller files"), (sum(size for _, size in visit), "together")]
    return "\n".join(f"{size / 1e6:6.2f} MB  {name}" for size, name in rows)


def _is_sent(path: Path) -> bool:
    other_language = ".en." in path.name or path.name == "en.json"
    return path.parts[0] not in ("downloads", "boot") and path.suffix not in (".br", ".gz") and not other_language


def _size(path: Path) -> int:
    compressed = path.with_name(path.name + ".br")
    return (compressed if compressed.exists() else path).stat().st_size
