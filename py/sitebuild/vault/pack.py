"""The raw vaults of a build, and their zip files."""

import io
import zipfile
from pathlib import Path

from ..computed import computed
from ..labs import TEXTS, languages
from ..paths import PY, REQUIREMENTS, ROOT, WORK

LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same files give the same zip


def vaults() -> dict[str, dict[str, bytes]]:
    """{language: {path: content}}"""
    here = Path(__file__).parent  # requirements: Pillow; package.json: the font
    inputs = [PY / "seeformer", TEXTS, here, REQUIREMENTS / "build.txt", ROOT / "package.json"]
    doing = "writing the course as notes"
    folder = computed(WORK / "vault", "sitebuild.vault.make", languages(), inputs=inputs, doing=doing)
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
