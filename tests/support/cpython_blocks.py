"""Blocks of notes in plain CPython, as Jupyter would run them: top-level await, a micropip that has nothing to do.

As a program it reads {"notes": [[block, ...], ...], "ask": expression} from stdin and writes what each block did;
each note has fresh globals, which its blocks share.
"""

import ast
import asyncio
import contextlib
import inspect
import io
import json
import os
import subprocess
import sys
import traceback
import types
from pathlib import Path


def run_notes(notes: dict[str, list[str]], ask: str, *, packages: Path | None = None) -> dict[str, list[dict]]:
    """{note: [{stdout, stderr, error, asked}, ...]}; `packages` is a folder that goes before the venv's own."""
    path = {"PYTHONPATH": str(packages)} if packages else {}
    env = {**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, "PYTHONUTF8": "1", **path}
    job = json.dumps({"notes": list(notes.values()), "ask": ask})
    done = subprocess.run([sys.executable, __file__], input=job, capture_output=True, text=True, env=env, timeout=200)
    assert done.returncode == 0, done.stderr
    return dict(zip(notes, json.loads(done.stdout), strict=True))


def _run_block(code: str, variables: dict, ask: str) -> dict:
    out, err, error = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            compiled = compile(code, "<block>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
            value = eval(compiled, variables)
            if compiled.co_flags & inspect.CO_COROUTINE:
                asyncio.run(_awaited(value))
        except BaseException:
            error = traceback.format_exc()
    return {"stdout": out.getvalue(), "stderr": err.getvalue(), "error": error, "asked": eval(ask, variables)}


async def _awaited(value):
    return await value


def _stub_micropip() -> types.ModuleType:
    async def install(*packages, **options):
        pass

    micropip = types.ModuleType("micropip")
    micropip.install = install
    return micropip


def _main() -> None:
    job = json.load(sys.stdin)
    sys.modules["micropip"] = _stub_micropip()
    done = []
    for blocks in job["notes"]:
        variables = {"__name__": "__main__"}
        done.append([_run_block(code, variables, job["ask"]) for code in blocks])
    json.dump(done, sys.stdout)


if __name__ == "__main__":
    _main()
