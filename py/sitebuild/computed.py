"""Folders that a module of ours fills in the venv, which has NumPy: anew only when the inputs have changed."""

from pathlib import Path

from .command import run
from .paths import PY, VENV_PYTHON
from .stamps import Stamp, fingerprint


def computed(folder: Path, module: str, arguments: list[str], *, inputs: list, doing: str) -> Path:
    """``folder``, filled by ``python -m module folder *arguments``.

    Parameters
    ----------
    inputs : list of Path or str
        Files, folders and words that the result depends on, beside the arguments.
    """
    name = module.rpartition(".")[2]
    mark, stamp = fingerprint(*inputs, *arguments), Stamp(folder / f"seeformer-{name}.stamp")
    if not stamp.holds(mark):
        stamp.drop()
        for old in sorted(folder.rglob("*"), reverse=True):
            old.rmdir() if old.is_dir() else old.unlink()
        run(
            [VENV_PYTHON, "-m", module, folder, *arguments],
            name=name,
            doing=doing,
            remedy="mend the line that the traceback above names",
            env={"PYTHONPATH": str(PY), "PYTHONUTF8": "1"},
            show_output=True,
        )
        stamp.set(mark)
    return folder
