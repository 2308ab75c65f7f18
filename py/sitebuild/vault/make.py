"""Writes the raw files of the vaults: python -m sitebuild.vault.make FOLDER LANGUAGE... (by the venv, for NumPy)."""

import sys
from pathlib import Path

from sitebuild.vault.course import course


def main(folder: str, *languages: str) -> None:
    for language in languages:
        for path, content in course(language).items():
            target = Path(folder, language, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
