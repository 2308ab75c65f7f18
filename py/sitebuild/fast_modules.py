"""The compiled modules of seeformer.fast: same source, same bytes. They are committed, so this runs on request only.

Two builds of one source: plain SIMD, and relaxed SIMD, which has the chip's multiply-add in one instruction.
"""

from pathlib import Path

from .command import run
from .paths import PY, VENV_PYTHON, WORK
from .python_env import require

FOLDER = PY / "seeformer" / "fast"
SOURCE = FOLDER / "src" / "loops.c"
BUILDS = {
    "plain": ["-mcpu=generic+simd128"],
    "relaxed": ["-mcpu=generic+simd128+relaxed_simd", "-DRELAXED"],
}
# What shall be unrolled or stay in registers the source says itself; clang's own ideas made it slower or large.
COMPILE = "-target wasm32-emscripten -O3 -g0 -fPIC -fno-builtin -nostdlib -Wall -Wno-unused-function -Werror".split()
COMPILE += ["-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize"]
LINK = "--experimental-pic -shared --no-entry --unresolved-symbols=import-dynamic --strip-all".split()


def module_name(build: str) -> str:
    return f"loops-{build}.wasm"


def compile_fast(folder: Path = FOLDER) -> list[Path]:
    """Compile both modules into `folder`, with the pinned compiler."""
    return [compile_module(SOURCE, folder / module_name(build), build) for build in BUILDS]


def compile_module(source: Path, target: Path, build: str) -> Path:
    """A C file as a module that Pyodide's loader can put beside NumPy."""
    require("compiler")
    item = WORK / "fast" / f"{target.stem}.o"
    item.parent.mkdir(parents=True, exist_ok=True)
    for tool, arguments in (
        ("cc", [*COMPILE, *BUILDS[build], "-c", source.name, "-o", item]),
        ("wasm-ld", [*LINK, item, "-o", target]),
    ):
        run(
            [VENV_PYTHON, "-m", "ziglang", tool, *arguments],
            name=f"fast-{tool}",
            doing=f"compiling {target.name}",
            remedy="mend the line that the compiler names above",
            env={"ZIG_GLOBAL_CACHE_DIR": str(WORK / "zig"), "ZIG_LOCAL_CACHE_DIR": str(WORK / "zig")},
            cwd=source.parent,  # so that no folder of this machine gets into the module
            show_output=True,
        )
    target.chmod(0o644)
    return target
