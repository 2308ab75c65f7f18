"""What the page starts faster with, made by Pyodide itself under Node from files whose hash was right.

A memory image of Python as it is after its start (snapshot.mjs), and wheels with compiled modules (precompile.mjs).
Node is asked for only when one of them has to be made.
"""

from collections.abc import Callable
from pathlib import Path

from .command import run
from .downloads import sha256_of
from .node import find_node
from .paths import WEB, WORK
from .stamps import Stamp, fingerprint

HERE = Path(__file__).parent
FOLDER = WORK / "boot"
SNAPSHOT = "snapshot.bin"


def ensure_snapshot(core: list[Path]) -> Path:
    """The image of the Pyodide whose files `core` are."""
    made = FOLDER / "image" / SNAPSHOT
    script = HERE / "snapshot.mjs"

    def make() -> None:
        _node(script, core[0].parent, made, doing="making the memory image that Python starts from")

    _once(made.parent, fingerprint(script, WEB / "worker" / "sparse.mjs", *map(sha256_of, core)), [made], make)
    return made


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
    folder.mkdir(parents=True, exist_ok=True)
    stamp.drop()
    for old in folder.iterdir():
        old.unlink()
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
