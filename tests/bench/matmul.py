"""Matrix products: ours in both builds, stock NumPy, einsum, the peers, the chip's limits, NumPy with OpenBLAS outside.

All in turns, a round over all of them at a time; one works, the others wait in pages of their own. A limit
is measured right before each product of ours and takes as long. Ours have VISITS short turns a round, apart from each
other: where others share the machine, loops that load fall to two thirds for seconds at a time, and loops on registers
alone, which the limits are, do not. Peers do several small products in one run, each with
the one before, so that what JavaScript adds does not count.
"""

from itertools import product
from statistics import median
from time import sleep

import numpy as np

from . import products
from .onnx_file import model, node
from .stage import DATA, HERE, Stage
from .tables import Goal, number, table

BUILDS = "plain", "relaxed"
SIZES = 128, 256, 512, 1024
BATCH = "16 x (128x64 @ 64x64)"
FOR_PEERS = [*(f"float32 {n}" for n in SIZES), BATCH]
VISITS = 3
TOLERANCE = 1e-4


def chain(times: int) -> bytes:
    """A @ B @ B ..."""
    names = ["A", *(f"Y{time}" for time in range(times))]
    nodes = [node("MatMul", [before, "B"], after) for before, after in zip(names, names[1:], strict=False)]
    return model(nodes, {"A": None, "B": None}, {names[-1]: None})


def inside(stage: Stage, build: str):
    from sitebuild.fast_modules import compile_module
    from sitebuild.paths import WORK

    pyodide = stage.pyodide()
    reading = compile_module(HERE / "reading.c", WORK / f"reading-{build}.wasm", build)
    pyodide.write({"reading.wasm": reading.read_bytes()}, folder="/tmp")
    sources = [(HERE / name).read_text(encoding="utf-8") for name in ("products.py", "inside/matmul.py")]
    pyodide.run("\n".join([f"BUILD = {build!r}", *sources, "None"]))
    return pyodide


def start_peers(stage: Stage, cases) -> tuple[dict, dict]:
    """{name: Peer}, each with all cases ready and checked, and {name: why it is not there}."""
    peers = {"ort 1": stage.peer("ort", "wasm", 1), "tfjs 1": stage.peer("tfjs", 1)}
    peers |= {"ort 2": stage.peer("ort", "wasm", 2), "tfjs 2": stage.peer("tfjs", 2)}
    browser, reason = stage.webgpu()
    if not reason:
        peers["webgpu"] = stage.peer("ort", "webgpu", 1, browser=browser)
    missing = {"webgpu": reason} if reason else {}
    missing |= {name: "it stays with one thread" for name, peer in peers.items() if not peer.has_threads}
    for name in missing.keys() & peers.keys():
        peers.pop(name).page.context.close()
    for at, case in enumerate(cases):
        left, right = (np.ascontiguousarray(side) for side in products.PRODUCTS[case])
        left.tofile(DATA / f"A{at}.bin")
        right.tofile(DATA / f"B{at}.bin")
        times = products.times(case)
        (DATA / f"chain{times}.onnx").write_bytes(chain(times))
        inputs = {side: [f"/bench-data/{side}{at}.bin", array.shape] for side, array in (("A", left), ("B", right))}
        wanted = left.astype(float)
        for _ in range(times):
            wanted = wanted @ right.astype(float)
        wanted = wanted.ravel()[::97]
        for name, peer in peers.items():
            peer.ask("prepare", case, times if "tfjs" in name else f"/bench-data/chain{times}.onnx", inputs)
            apart = abs(np.array(peer.ask("look", case, 97)) - wanted).max() / abs(wanted).max()
            if not apart < TOLERANCE:
                raise ValueError(f"{name} differs from NumPy by {apart:.1e} in {case}")
    return peers, missing


def measure(stage: Stage, rounds: int, cases=None) -> dict:
    from .native import Native

    cases = list(products.PRODUCTS) if cases is None else cases
    pages = {build: inside(stage, build) for build in BUILDS}
    for_peers = [case for case in cases if case in FOR_PEERS]
    peers, missing = start_peers(stage, for_peers)
    told = {case: [] for case in cases}
    with Native() as native:
        for at in range(-1, rounds):
            for visit, case in product(range(VISITS), cases):
                one = {} if visit else {"native": native.ask("product", case)}
                for build, page in pages.items():
                    given = page.run(f"round_of({case!r}, {build == 'relaxed' and at >= 0 and not visit})")
                    one |= {build: given["fast"], f"limit {build}": given["limit"], f"share {build}": given["share"]}
                    one |= {name: given[name] for name in ("stock", "einsum") if name in given}
                for name, peer in peers.items() if case in for_peers and not visit else ():
                    amount = products.amount(case) * products.times(case)
                    one[name] = amount / 1e6 / median(peer.ask("measure", case, 5))
                    sleep(0.1 if name.endswith("2") else 0)  # until its second thread no longer turns on the spot
                if at >= 0:
                    told[case].append(one)
    rows = [
        {"case": case, **{name: median(one[name] for one in ones if name in one) for name in ones[0]}}
        for case, ones in told.items()
    ]
    return {"rounds": rounds, "rows": rows, "missing": missing}


OF_LIMIT = {  # case: what part of the limit with FMA, with plain SIMD
    **{f"float32 {n}": (0.75, 0.9) if n == 128 else (0.85, 0.95) for n in SIZES},
    **{f"float64 {n}": (0.8, 0.8) for n in (128, 256, 512)},
    **{name: (0.75, 0.75) for name in (BATCH, "8 heads 64x64, Q K^T", "8 heads 64x64, weights V")},
    "1 row x 768x3072": (0.5, 0.5),
}
WHO = {
    "stock": "stock NumPy in Pyodide",
    "einsum": "the same, einsum",
    "plain": "seeformer.fast, plain SIMD",
    "relaxed": "seeformer.fast, relaxed SIMD",
    "ort 1": "onnxruntime-web wasm, 1 thread",
    "ort 2": "onnxruntime-web wasm, 2 threads",
    "tfjs 1": "TensorFlow.js wasm, 1 thread",
    "tfjs 2": "TensorFlow.js wasm, 2 threads",
    "webgpu": "onnxruntime-web WebGPU",
    "limit plain": "limit in wasm, multiply + add",
    "limit relaxed": "limit in wasm, FMA",
    "native": "NumPy with OpenBLAS, 1 thread, no browser",
}


def share_of_limit(row: dict, build: str) -> float:
    """Each product against the limit right before it. Older results have the medians of both alone."""
    return row.get(f"share {build}", row[build] / row[f"limit {build}"])


def goals(told: dict) -> list[Goal]:
    rows = {row["case"]: row for row in told["rows"]}
    found = []
    for case, needed in OF_LIMIT.items():
        for build, least in zip(("relaxed", "plain"), needed, strict=True):
            if case in rows:
                found.append(Goal(f"{case}: {build} / limit", share_of_limit(rows[case], build), least))
    for case in (f"float32 {n}" for n in SIZES):
        if case in rows:
            best = max(rows[case]["ort 1"], rows[case]["tfjs 1"])
            found.append(Goal(f"{case}: relaxed / the better peer, 1 thread", rows[case]["relaxed"] / best, 1.4))
    for case, least in (
        ("float32 512", 25),
        *((f"{dtype} {n}", 1) for dtype in ("float32", "float64") for n in (8, 16)),
    ):
        if case in rows:
            found.append(Goal(f"{case}: relaxed / stock", rows[case]["relaxed"] / rows[case]["stock"], least))
    return found


def tables(told: dict, word) -> str:
    rows = {row["case"]: row for row in told["rows"]}
    shown = [f"float32 {n}" for n in SIZES if f"float32 {n}" in rows]
    lines = []
    for who, words in WHO.items():
        missing = told["missing"].get(who)
        cells = [f"{word('not available')} ({word(missing)})"] if missing else []
        lines.append([word(words), *(cells or [number(rows[case][who]) for case in shown])])
    first = table([word("GFLOP/s of A @ B, float32, N ="), *(case.split()[1] for case in shown)], lines)
    columns = ["stock", "plain", "limit plain", "relaxed", "limit relaxed", "native"]
    others = [[case, *(number(row[who]) for who in columns)] for case, row in rows.items() if case not in shown]
    head = ["GFLOP/s; of one row GB/s", "stock", "plain SIMD", "its limit", "relaxed SIMD", "its limit", "OpenBLAS"]
    return "\n\n".join([first, table([word(one) for one in head], others)] if others else [first])
