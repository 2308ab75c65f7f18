"""Multi-head attention: the article's loop, our kernel on stock and on fast NumPy, onnxruntime-web, OpenBLAS outside.

All give the same numbers, which is checked first. The article's function is taken as it stands: float64, weights drawn
in it, a loop over the heads, no W_O.
"""

import re
from contextlib import contextmanager
from statistics import median
from time import sleep

import numpy as np

from . import heads
from .onnx_file import model, node
from .stage import DATA, HERE, Stage
from .tables import Goal, number, table

SIZES = 128, 512, 1024
TOLERANCE = 1e-4
WHO = {
    "article": "the article's loop, stock NumPy in Pyodide",
    "stock": "our kernel, stock NumPy in Pyodide",
    "fast": "our kernel, seeformer.fast",
    "ort 1": "onnxruntime-web wasm, 1 thread",
    "ort 2": "onnxruntime-web wasm, 2 threads",
    "native": "our kernel, OpenBLAS, 1 thread, no browser",
}


def article() -> str:
    """The function of the article's first block, without the blog's line numbers."""
    text = (HERE.parent / "browser" / "article" / "1-attention.txt").read_text(encoding="utf-8")
    code = re.sub(r"^\d+\n", "", text, flags=re.MULTILINE)
    code = code[code.index("def softmax") : code.index("X = np.random.randn")]
    return code.replace("def multi_head_attention(", "def article_attention(")


def graph() -> bytes:
    """The same operations as ONNX, the weights being part of the model."""
    d_k = heads.D_MODEL // heads.HEADS
    constants = {**heads.WEIGHTS, "scale": np.array(d_k**-0.5, np.float32)}
    constants |= {"split": np.array([0, heads.HEADS, d_k]), "merge": np.array([0, heads.D_MODEL])}
    nodes = []
    for name, order in (("Q", [1, 0, 2]), ("K", [1, 2, 0]), ("V", [1, 0, 2])):
        nodes.append(node("MatMul", ["X", f"W_{name}"], f"{name}_flat"))
        nodes.append(node("Reshape", [f"{name}_flat", "split"], f"{name}_split"))
        nodes.append(node("Transpose", [f"{name}_split"], name, perm=order))
    nodes += [
        node("MatMul", ["Q", "K"], "dots"),
        node("Mul", ["dots", "scale"], "scores"),
        node("Softmax", ["scores"], "weights", axis=-1),
        node("MatMul", ["weights", "V"], "heads"),
        node("Transpose", ["heads"], "turned", perm=[1, 0, 2]),
        node("Reshape", ["turned", "merge"], "concat"),
        node("MatMul", ["concat", "W_O"], "output"),
    ]
    return model(nodes, {"X": [None, heads.D_MODEL]}, {"output": [None, heads.D_MODEL]}, constants)


def inside(stage: Stage):
    pyodide = stage.pyodide()
    sources = [(HERE / "heads.py").read_text(encoding="utf-8"), article()]
    pyodide.run("\n".join([*sources, "None"]))
    return pyodide


@contextmanager
def everybody(stage: Stage, sizes):
    """{name: n -> milliseconds}, after all gave the same numbers."""
    from .native import Native

    stock, fast = inside(stage), inside(stage)
    fast.run("import seeformer.fast; assert seeformer.fast.enable()['enabled']")
    peers = {f"ort {threads}": stage.peer("ort", "wasm", threads) for threads in (1, 2)}
    (DATA / "attention.onnx").write_bytes(graph())
    for n in sizes:
        heads.sequence(n).tofile(DATA / f"X{n}.bin")
        for peer in peers.values():
            peer.ask(
                "prepare", str(n), "/bench-data/attention.onnx", {"X": [f"/bench-data/X{n}.bin", [n, heads.D_MODEL]]}
            )
    agree(stock, fast, peers, min(sizes))
    with Native() as native:
        yield {
            "native": lambda n: native.ask("attention", n),
            "article": lambda n: stock.run(f"turn({n}, lambda X: article_attention(X, HEADS), float)"),
            "stock": lambda n: stock.run(f"turn({n})"),
            "fast": lambda n: fast.run(f"turn({n})"),
            "ort 1": lambda n: median(peers["ort 1"].ask("measure", str(n), 5 if n < 1000 else 3)),
            "ort 2": lambda n: median(peers["ort 2"].ask("measure", str(n), 5 if n < 1000 else 3)),
        }


def agree(stock, fast, peers, n: int) -> None:
    X, step = heads.sequence(n).astype(float), 97
    exact, no_projection = (heads.kernel(X, *more).ravel()[::step] for more in ((), (np.eye(heads.D_MODEL),)))
    kernel = f"kernel(sequence({n})).ravel()[::{step}].tolist()"
    told = {"stock": (stock.run(kernel), exact), "fast": (fast.run(kernel), exact)}
    loop = f"article_with_our_weights(article_attention, sequence({n}, float)).ravel()[::{step}].tolist()"
    told["article"] = stock.run(loop), no_projection
    told |= {name: (peer.ask("look", str(n), step), exact) for name, peer in peers.items()}
    for name, (given, wanted) in told.items():
        apart = abs(np.array(given) - wanted).max()
        if not apart < TOLERANCE:
            raise ValueError(f"attention: {name} differs by {apart:.1e}")


def measure(stage: Stage, rounds: int) -> dict:
    with everybody(stage, SIZES) as all_of_them:
        return {"rounds": rounds, "rows": interleaved(all_of_them, SIZES, rounds)}


def interleaved(all_of_them, sizes, rounds: int) -> list[dict]:
    """A row for each size: {n, name: median of the rounds}; the round before them warms up."""
    told = {n: [] for n in sizes}
    for at in range(-1, rounds):
        for n in sizes:
            one = {}
            for name, milliseconds in all_of_them.items():
                one[name] = milliseconds(n)
                sleep(0.1 if name == "ort 2" else 0)  # until its second thread no longer turns on the spot
            if at >= 0:
                told[n].append(one)
    return [{"n": n, **{name: median(one[name] for one in ones) for name in all_of_them}} for n, ones in told.items()]


def goals(told: dict) -> list[Goal]:
    last = told["rows"][-1]
    return [
        Goal(
            f"attention n={last['n']}: fast / onnxruntime-web, 1 thread",
            last["fast"] / last["ort 1"],
            1.5,
            at_most=True,
        )
    ]


def tables(told: dict, word) -> str:
    lines = [[word(words), *(number(row[who]) for row in told["rows"])] for who, words in WHO.items()]
    return table(
        [word("ms of multi-head attention, d_model = 512, 8 heads, n ="), *(str(row["n"]) for row in told["rows"])],
        lines,
    )
