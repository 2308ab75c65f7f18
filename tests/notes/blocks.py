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

# Parameters that lead into every branch of the labs' notes.
PARAMETERS = {
    "attention": [
        {},
        {"weight_set": "paper"},
        {"weight_set": "paper", "causal": True, "padding": 1, "paper_X": [[1, 2], [0, 1]]},
        {"weight_set": "random_scaled", "causal": True, "padding": 2, "sharpness": 2.0, "shuffle": 1},
        {"weight_set": "random_001", "positional": False, "scaled": False},
        {"weight_set": "random_001", "padding": 3},
        {"num_heads": 1, "d_model": 5},
        {"num_heads": 1, "d_model": 6, "positional": False, "causal": True},
        {"num_heads": 2, "d_model": 10, "shuffle": 3},
        {"num_heads": 3, "d_model": 12},
        {"num_heads": 8, "causal": True},
        {"num_heads": 8, "positional": False, "sharpness": 0.0},
        {"tokens": ["the", "cat", "<b>", "the cat"], "num_heads": 2, "d_model": 8, "seed": 7},
        {"tokens": ["我"], "num_heads": 2, "d_model": 8},
    ],
    "mask": [
        {},
        {"weight_set": "hand_built", "causal": False, "window": 2},
        {"weight_set": "paper", "padding": 1, "empty_row": 3},
        {"padding": 2, "padding_left": True, "causal": False, "drawn": ["101", "", "111111"]},
        {"drawn": ["1"], "empty_row": 2},
    ],
    "ffn": [
        {},
        {"weight_set": "detectors", "changed": 2},
        {"weight_set": "detectors", "bias": False, "activation": "gelu"},
        {"weight_set": "paper", "bias": False},
        {"weight_set": "paper", "activation": "gelu_tanh", "changed": 0},
        {"bias": False, "activation": "gelu", "shuffle": 2, "changed": 3},
        {"activation": "gelu_tanh", "changed": 0, "multiple": 2},
    ],
    "norm": [
        {},
        {"kind": "batch", "order": "pre", "gamma": 2.0, "beta": 0.5, "eps_exponent": -2},
        {"kind": "rms", "order": "none", "row_scale": 1.0},
        {"input": "paper"},
        {"input": "paper", "kind": "rms", "order": "none"},
        {"input": "paper", "kind": "batch", "order": "pre"},
    ],
    "recurrence": [
        {},
        {"n": 5, "hidden": 3, "recurrent_scale": 3.0},
        {"network": "lstm", "forget_bias": 4.0},
        {"network": "attention"},
        {"network": "attention", "causal": False, "n": 20},
    ],
    "gpt": [
        {},
        {"temperature": 0.0, "steps": 6},
        {"ablated": ["decoder.0.self.1", "decoder.2.self.3"], "hidden": ["2"], "top_k": 5, "temperature": 0.7},
        {"top_p": 0.6, "num_layers": 1, "layer": 3, "num_heads": 2, "d_model": 16, "prompt": "a <b> Ω"},
    ],
    "speed": [
        {},
        {"N": 16, "dtype": "float64", "tile": 12, "step": 24},
        {"N": 100, "tile": 1, "step": 1},
    ],
    "positional": [
        {},
        {"d_model": 7, "seq_len": 5},
        {"layout": "half", "offset": 3, "base": 50.0, "steps": -2},
    ],
}
CASES = [(lab, changed) for lab, changes in PARAMETERS.items() for changed in changes]


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
