"""GPT-2 in the size of its smallest release, with seeded weights: a text of 64 tokens is read, 20 more are written.

Ours with seeformer.fast, the same on stock NumPy, and onnxruntime-web, all from one safetensors file: they must write
the same tokens out of the same logits, which is checked of every round.
"""

from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from statistics import median
from time import sleep

import numpy as np

from seeformer.io.safetensors import read_safetensors, write_safetensors
from seeformer.models.gpt import GPT2, GPT2Config

from .native import Native
from .onnx_gpt2 import graph, stored
from .renderer import Renderers, memory
from .stage import DATA, HERE, Stage
from .tables import number, table
from .writing import turn

CONFIG = GPT2Config()
PROMPT = np.random.default_rng(64).integers(0, CONFIG.vocab_size, 64).tolist()
STEPS, STRIDE = 20, 97
TOLERANCE = 1e-4
WHO = {
    "stock": "our model, stock NumPy in Pyodide",
    "fast": "our model, seeformer.fast",
    "ort 1": "onnxruntime-web wasm, 1 thread",
    "ort 2": "onnxruntime-web wasm, 2 threads",
    "native": "our model, OpenBLAS, 1 thread, no browser",
}
ONCE = "stock"  # that takes half a minute


def weights(config, seed=0) -> dict[str, np.ndarray]:
    """Biases and gains are drawn too: else nobody would notice that one is left out."""
    found = GPT2.random(config, seed).weights
    random, spread = np.random.default_rng(seed), np.float32(0.5)
    vectors = {name: x for name, x in found.items() if x.ndim == 1}
    drawn = {name: x + spread * random.standard_normal(x.shape, np.float32) for name, x in vectors.items()}
    return {**found, **drawn}


def written(config, folder: Path) -> Path:
    """gpt2.safetensors, and beside it gpt2.onnx, whose weights it holds."""
    file = folder / "gpt2.safetensors"
    write_safetensors(weights(config), file)
    (folder / "gpt2.onnx").write_bytes(graph(config, stored(read_safetensors(file), file.name)))
    return file


def measure(stage: Stage, rounds: int) -> dict:
    file = written(CONFIG, DATA)
    try:
        with Native() as native:
            pages = everybody(stage, file)
            pages["native"] = {"turn": partial(native.ask, "gpt2", str(file), PROMPT, STEPS, STRIDE)}
            told = interleaved({name: page["turn"] for name, page in pages.items()}, rounds)
        for name, page in pages.items():
            told["rows"][name] |= {what: page[what]() for what in ("heap", "memory") if what in page}
        return {"rounds": rounds, **told}
    finally:
        file.unlink()


def everybody(stage: Stage, file: Path) -> dict:
    """{name: {turn, heap, memory}}, functions without arguments; who has not its threads is not there."""
    renderers, url = Renderers(stage.browser), f"/bench-data/{file.name}"
    pyodide = stage.pyodide()
    given = f"CONFIG, WEIGHTS, SIZE = {asdict(CONFIG)!r}, {url!r}, {file.stat().st_size}"
    sources = [(HERE / name).read_text(encoding="utf-8") for name in ("writing.py", "inside/gpt2.py")]
    pyodide.run("\n".join([*sources[:1], given, *sources[1:], "None"]))
    call = f"turn_on({PROMPT}, {STEPS}, {STRIDE}, fast="
    pages = {
        "stock": {"turn": lambda: pyodide.run(f"{call}False)")},
        "fast": {"turn": lambda: pyodide.run(f"{call}True)"), "heap": lambda: pyodide.run("heap()")},
    }
    pages["fast"]["memory"] = partial(memory, renderers.newest())
    for threads in (1, 2):
        peer = stage.peer("gpt2", threads)
        if peer.has_threads:
            empty = [CONFIG.n_head, 0, CONFIG.n_embd // CONFIG.n_head]
            peer.ask("prepare", "/bench-data/gpt2.onnx", url, empty)
            page = {"turn": partial(peer.ask, "turn", PROMPT, STEPS, STRIDE), "heap": partial(peer.ask, "heap")}
            pages[f"ort {threads}"] = {**page, "memory": partial(memory, renderers.newest())}
    return pages


@cache
def loaded(file: str) -> GPT2:
    return GPT2(CONFIG, dict(read_safetensors(file)))


def native_turn(file: str, prompt: list[int], steps: int, stride: int) -> dict:
    """In the Python beside the browser."""
    return turn(loaded(file), np.array(prompt), steps, stride)


def interleaved(turns: dict, rounds: int) -> dict:
    """Of each the medians of the rounds, in ms; and how far apart logits were at most. A round before warms up."""
    told, apart = {name: [] for name in turns}, 0
    for at in range(-1, rounds):
        one = {}
        for name in (name for name in turns if at == 0 or name != ONCE):
            one[name] = turns[name]()
            sleep(0.1 if name == "ort 2" else 0)  # until its second thread no longer turns on the spot
        apart = max(apart, agreement(one))
        for name in one if at >= 0 else ():
            told[name].append(one[name]["times"])
    return {"rows": {name: times(ones) for name, ones in told.items()}, "apart": apart}


def times(rounds: list[list[float]]) -> dict:
    """Of each round: ms until the first token, and from each to the next."""
    return {
        "prompt": median(one[0] for one in rounds),
        "token": median(median(one[1:]) for one in rounds),
        "text": median(sum(one) for one in rounds),
    }


def agreement(told: dict) -> float:
    """The largest difference of any logits from ours."""
    ours, apart = told["fast"], 0.0
    for name, other in told.items():
        if other["tokens"] != ours["tokens"]:
            raise ValueError(f"gpt2: {name} writes {other['tokens']}, ours {ours['tokens']}")
        differs = float(abs(np.array(other["logits"]) - ours["logits"]).max())
        if not differs < TOLERANCE:
            raise ValueError(f"gpt2: the logits of {name} differ by {differs:.1e}")
        apart = max(apart, differs)
    return apart


def goals(told: dict) -> list:
    return []


def tables(told: dict, word) -> str:
    lines, ours = [], told["rows"]["fast"]["text"]
    for who, words in WHO.items():
        row = told["rows"].get(who)
        if row is None:
            lines.append([word(words), f"{word('not available')} ({word('it stays with one thread')})"])
            continue
        process = row.get("memory") or {"now": None, "most": None}
        bytes_held = [row.get("heap"), process["now"], process["most"]]
        cells = [row["prompt"], row["token"], row["text"], row["text"] / ours]
        lines.append([word(words), *map(number, [*cells, *(held and held / 1e6 for held in bytes_held)])])
    head = ["GPT-2, 124 million float32", "ms of 64 tokens", "ms a further token", "ms of 64 + 20", "times ours"]
    head += ["MB of wasm heap", "MB of the process", "at most"]
    return table([word(one) for one in head], lines)
