"""Blocks of the labs and kernels as a reader would copy them."""

import inspect
import json
from importlib import import_module
from pathlib import Path

from seeformer.laboratory import lab_ids
from seeformer.notes.block import kernel_block, lab_block
from seeformer.notes.example import kernels

TEXTS = Path(__file__).resolve().parents[2] / "web" / "text"
LANGUAGES = ("en", "zh")
KERNELS = list(dict.fromkeys(kernel for lab in lab_ids() for kernel in kernels(lab)))

# settings/<lab>.json: parameters that lead into every branch of the lab's note, and how long its block may be.
SETTINGS = {
    file.stem: json.loads(file.read_text()) for file in sorted(Path(__file__).with_name("settings").glob("*.json"))
}
CASES = [(lab, changed) for lab, told in SETTINGS.items() for changed in told["settings"]]


def texts(language: str) -> dict:
    return json.loads((TEXTS / f"{language}.json").read_text(encoding="utf-8"))


WORDS = {language: texts(language) for language in LANGUAGES}


def parameters(lab: str, changed: dict) -> dict:
    """All parameters of a lab."""
    run = import_module(f"seeformer.labs.{lab}").run
    return {name: parameter.default for name, parameter in inspect.signature(run).parameters.items()} | changed


def of_lab(lab: str, changed: dict, language: str = "en", **options) -> str:
    return lab_block(lab, parameters(lab, changed), words=WORDS[language], **options)


def of_kernel(kernel: tuple[str, str], language: str = "en", **options) -> str:
    return kernel_block(*kernel, words=WORDS[language], **options)
