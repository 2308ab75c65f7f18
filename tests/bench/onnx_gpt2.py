"""GPT-2 with a KV cache as ONNX, of the standard's own operators, for a checkpoint in a file beside it.

Inputs: the new tokens' numbers `ids` [n], and of each layer what it has read, `K.0`, `V.0` … [h, past, d_k].
Outputs: `logits` [1, vocab] of what follows, and of each layer what it has read then, `K.0.all` …
"""

import math

import numpy as np

from .onnx_file import Stored, model, node


def stored(tensors, file: str) -> dict[str, Stored]:
    """Where the tensors of an open safetensors file (seeformer.io) lie in it."""
    entries = {name: tensors.entries[name] for name in tensors}
    return {name: Stored(at.shape, file, at.begin, at.end - at.begin) for name, at in entries.items()}


_CACHES = ("", "past"), (".all", "all")


def cache_names(config) -> list[str]:
    return [f"{letter}.{layer}" for layer in range(config.n_layer) for letter in "KV"]


def graph(config, weights: dict) -> bytes:
    """`weights`: Hugging Face's names -> arrays, or where they lie."""
    d_k = config.n_embd // config.n_head
    constants = {
        **weights,
        **{name: np.array(value) for name, value in (("0", 0), ("1", 1), ("[1]", [1]), ("[-1]", [-1]))},
        **{name: np.array(value, np.float32) for name, value in _NUMBERS.items()},
        "scale": np.array(d_k**-0.5, np.float32),
        "split": np.array([0, config.n_head, d_k]),
        "merge": np.array([0, config.n_embd]),
    }
    nodes = [*_places(), *_mask()]
    x = "embedded"
    for layer in range(config.n_layer):
        written, x = _layer(layer, x, config)
        nodes += written
    nodes += [
        node("Gather", [x, "[-1]"], "last", axis=0),
        _norm("last", "transformer.ln_f", "last.normed", config),
        node("Gemm", ["last.normed", "transformer.wte.weight"], "logits", transB=1),
    ]
    old, new = ({f"{name}{end}": [config.n_head, size, d_k] for name in cache_names(config)} for end, size in _CACHES)
    outputs = {"logits": [1, config.vocab_size], **new}
    return model(nodes, {"ids": ["n"], **old}, outputs, constants, whole=["ids"])


def _places() -> list[bytes]:
    """The numbers of all positions and of the new ones; their vectors."""
    return [
        node("Shape", ["ids"], "n", start=0, end=1),
        node("Shape", ["K.0"], "past", start=1, end=2),
        node("Add", ["past", "n"], "all"),
        *(node("Squeeze", [name], f"{name}.one") for name in ("past", "all")),
        node("Range", ["0", "all.one", "1"], "keys"),
        node("Range", ["past.one", "all.one", "1"], "queries"),
        node("Gather", ["transformer.wte.weight", "ids"], "token"),
        node("Gather", ["transformer.wpe.weight", "queries"], "position"),
        node("Add", ["token", "position"], "embedded"),
    ]


def _mask() -> list[bytes]:
    """[n, all]: -inf where the key comes after the query."""
    return [
        node("Unsqueeze", ["queries", "[1]"], "rows"),
        node("Greater", ["keys", "rows"], "hidden"),
        node("Where", ["hidden", "-inf", "0.0"], "mask"),
    ]


def _layer(number: int, x: str, config) -> tuple[list[bytes], str]:
    at, own = f"transformer.h.{number}", f"{number}."
    nodes = [
        _norm(x, f"{at}.ln_1", f"{own}normed", config),
        *_affine(f"{own}normed", f"{at}.attn.c_attn", f"{own}QKV"),
        node("Split", [f"{own}QKV"], [f"{own}{letter}.flat" for letter in "QKV"], axis=1),
    ]
    for letter in "QKV":
        nodes.append(node("Reshape", [f"{own}{letter}.flat", "split"], f"{own}{letter}.split"))
        nodes.append(node("Transpose", [f"{own}{letter}.split"], f"{own}{letter}", perm=[1, 0, 2]))
    for letter in "KV":
        nodes.append(node("Concat", [f"{letter}.{number}", f"{own}{letter}"], f"{letter}.{number}.all", axis=1))
    nodes += [
        node("Transpose", [f"K.{number}.all"], f"{own}turned", perm=[0, 2, 1]),
        node("MatMul", [f"{own}Q", f"{own}turned"], f"{own}dots"),
        node("Mul", [f"{own}dots", "scale"], f"{own}scores"),
        node("Add", [f"{own}scores", "mask"], f"{own}masked"),
        node("Softmax", [f"{own}masked"], f"{own}weights", axis=-1),
        node("MatMul", [f"{own}weights", f"V.{number}.all"], f"{own}heads"),
        node("Transpose", [f"{own}heads"], f"{own}together", perm=[1, 0, 2]),
        node("Reshape", [f"{own}together", "merge"], f"{own}concat"),
        *_affine(f"{own}concat", f"{at}.attn.c_proj", f"{own}attention"),
        node("Add", [x, f"{own}attention"], f"{own}between"),
        _norm(f"{own}between", f"{at}.ln_2", f"{own}between.normed", config),
        *_affine(f"{own}between.normed", f"{at}.mlp.c_fc", f"{own}wide"),
        *_gelu(f"{own}wide", f"{own}bent"),
        *_affine(f"{own}bent", f"{at}.mlp.c_proj", f"{own}ffn"),
        node("Add", [f"{own}between", f"{own}ffn"], f"{own}output"),
    ]
    return nodes, f"{own}output"


def _norm(x: str, weights: str, output: str, config) -> bytes:
    inputs = [x, f"{weights}.weight", f"{weights}.bias"]
    return node("LayerNormalization", inputs, output, axis=-1, epsilon=config.layer_norm_epsilon)


def _affine(x: str, weights: str, output: str) -> list[bytes]:
    product = node("MatMul", [x, f"{weights}.weight"], f"{output}.product")
    return [product, node("Add", [f"{output}.product", f"{weights}.bias"], output)]


_NUMBERS = {
    "0.0": 0.0,
    "-inf": -math.inf,
    "0.5": 0.5,
    "1.0": 1.0,
    "3.0": 3.0,
    "cubed": 0.044715,
    "slope": math.sqrt(2 / math.pi),
}


def _gelu(x: str, output: str) -> list[bytes]:
    """x (1 + tanh(slope (x + cubed x^3))) / 2, in the order in which exporters write it: onnxruntime knows it by that."""
    own = f"{output}."
    return [
        node("Pow", [x, "3.0"], f"{own}cube"),
        node("Mul", ["cubed", f"{own}cube"], f"{own}share"),
        node("Add", [x, f"{own}share"], f"{own}sum"),
        node("Mul", ["slope", f"{own}sum"], f"{own}inner"),
        node("Tanh", [f"{own}inner"], f"{own}tanh"),
        node("Add", ["1.0", f"{own}tanh"], f"{own}gate"),
        node("Mul", ["0.5", x], f"{own}half"),
        node("Mul", [f"{own}half", f"{own}gate"], output),
    ]
