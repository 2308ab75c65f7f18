"""The raw vaults of a build, made again only when what they are made from has changed, and their zip files."""

import io
import shutil
import zipfile
from pathlib import Path

from ..command import run
from ..labs import TEXTS, labs, languages
from ..paths import PY, REQUIREMENTS, VENV_PYTHON, WORK
from ..stamps import Stamp, fingerprint

LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same files give the same zip


def vaults() -> dict[str, dict[str, bytes]]:
    """{language: {path: content}}"""
    folder = WORK / "vault"
    here = Path(__file__).parent
    mark = fingerprint(PY / "seeformer", TEXTS, here, REQUIREMENTS / "build.txt", *labs())
    stamp = Stamp(folder / "seeformer-vault.stamp")
    if not stamp.holds(mark):
        stamp.drop()
        for language in languages():
            shutil.rmtree(folder / language, ignore_errors=True)
        run(
            [VENV_PYTHON, "-m", "sitebuild.vault.make", folder, *languages()],
            name="vault",
            doing="writing the course as notes",
            remedy="mend the line that the traceback above names",
            env={"PYTHONPATH": str(PY), "PYTHONUTF8": "1"},
            show_output=True,
        )
        stamp.set(mark)
    return {language: _files(folder / language) for language in languages()}


def _files(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def zipped(files: dict[str, bytes], root: str) -> bytes:
    """One folder named ``root`` with these files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(f"{root}/{path}", LONG_AGO), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
