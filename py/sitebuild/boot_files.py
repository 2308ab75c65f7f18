"""What the page starts faster with, made by Pyodide itself under Node from files whose hash was right.

A memory image of Python as it is after its start and the import of NumPy (snapshot.mjs), and wheels with compiled
modules (precompile.mjs).
Node is asked for only when one of them has to be made.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from .command import run
from .downloads import sha256_of
from .node import find_node
from .paths import WEB, WORK
from .rest_of_numpy import rest_of
from .stamps import Stamp, fingerprint

HERE = Path(__file__).parent
FOLDER = WORK / "boot"
SNAPSHOT = "snapshot.bin"
MODULES = "modules/"


def ensure_snapshot(core: list[Path], numpy: Path) -> dict[str, Path]:
    """Of the Pyodide whose files `core` are: {SNAPSHOT: the image, "modules/…": NumPy's compiled modules in it}.

    And under the wheel's name the rest of NumPy, which a reader gets later.
    """
    folder = FOLDER / "image"
    script = HERE / "snapshot.mjs"
    shared = [WEB / "worker" / f"{name}.mjs" for name in ("sparse", "libraries", "packages", "unzip")]

    def make() -> None:
        _node(script, core[0].parent, numpy, folder, doing="making the memory image that Python starts from")
        (folder / numpy.name).write_bytes(rest_of(numpy, [name.removesuffix(".wasm") for name in _modules(folder)]))

    mark = fingerprint(script, HERE / "rest_of_numpy.py", *shared, *map(sha256_of, [*core, numpy]))
    _once(folder, mark, [folder / SNAPSHOT, folder / numpy.name], make)
    modules = {f"{MODULES}{name}": folder / MODULES / name for name in _modules(folder)}
    return {SNAPSHOT: folder / SNAPSHOT, numpy.name: folder / numpy.name} | modules


def unpacked_size(snapshot: Path) -> int:
    """Of the image, as its first word says (web/worker/sparse.mjs): the memory can be made before it has arrived."""
    with snapshot.open("rb") as file:
        return int.from_bytes(file.read(4), "little")


def _modules(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder / MODULES).as_posix() for path in (folder / MODULES).rglob("*.wasm"))


def ensure_precompiled(core: list[Path], wheels: list[Path], name: str) -> dict[str, Path]:
    """{file name: the wheel with its modules compiled}; `name` is of the folder where they are kept."""
    folder = FOLDER / name
    made = {wheel.name: folder / wheel.name for wheel in wheels}
    scripts = [HERE / "precompile.mjs", HERE / "precompile_in_pyodide.py"]

    def make() -> None:
        doing = f"compiling the modules of {', '.join(wheel.name.split('-')[0] for wheel in wheels)}"
        _node(scripts[0], core[0].parent, folder, *wheels, doing=doing)

    _once(folder, fingerprint(*scripts, *map(sha256_of, [*core, *wheels])), list(made.values()), make)
    return made


def _once(folder: Path, mark: str, made: list[Path], make: Callable[[], None]) -> None:
    stamp = Stamp(folder / "seeformer-boot.stamp")
    if stamp.holds(mark) and all(path.exists() for path in made):
        return
    stamp.drop()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    make()
    stamp.set(mark)


def _node(script: Path, *arguments: Path, doing: str) -> None:
    run(
        [find_node().node, script, *arguments],
        name=script.stem,
        doing=doing,
        remedy="mend what Node names above, or try another Node (20 or newer)",
        show_output=True,
    )
