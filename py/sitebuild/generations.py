"""Pyodide's generations: each is a lock (version, sources, files with their hashes), and no code.

The page runs one. Tests run others: what Obsidian's Code Emitter has, for one. A further generation is a further
lock-<version>.json here.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from .downloads import File

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Generation:
    lock: str  # the lock's file name, for messages
    facts: dict
    files: tuple[File, ...]

    @classmethod
    def read(cls, lock: str) -> "Generation":
        facts = json.loads((FOLDER / lock).read_text(encoding="utf-8"))
        return cls(lock, facts, tuple(File(**entry) for entry in facts["files"]))

    @property
    def version(self) -> str:
        return self.facts["pyodide"]

    @property
    def core(self) -> list[str]:
        """Pyodide itself and its own lock, which has the hash of everything else."""
        return [file.name for file in self.files if not file.name.endswith(".whl")]


PAGE = Generation.read("lock.json")
CODE_EMITTER = Generation.read("lock-0.26.1.json")
OTHERS = tuple(Generation.read(f"lock-{version}.json") for version in ("0.27.7", "0.28.3"))  # --all-generations
