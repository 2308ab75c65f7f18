"""`build.py bench`: has everything there that is measured (tests/bench), then runs it in the venv."""

import os
import shutil
import subprocess

from .errors import BuildError
from .paths import PY, ROOT, VENV_PYTHON, WORK

PARTS = "matmul", "attention", "growth", "boot", "interaction", "heatmap", "memory", "gpt2"
RESULTS = ROOT / "bench-results.json"
PEERS = ROOT / "tests" / "bench" / "peers"


def bench(parts: list[str], options: list[str]) -> int:
    from .browsers import ensure_browser
    from .python_env import require
    from .site import build

    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        raise BuildError(f"bench has no part {unknown[0]}", f"name some of: {', '.join(PARTS)}")
    require("test")
    env = {
        "CHROMIUM": ensure_browser(),
        "PYTHONUTF8": "1",
        "PYTHONPATH": os.pathsep.join([str(PY), str(ROOT / "tests")]),
    }
    if "--readme" not in options:
        build()
        ensure_peers()
    command = [VENV_PYTHON, "-m", "bench", *parts, *options]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **env}).returncode


def ensure_peers() -> None:
    """Whom we are measured against, from npm, away from what the page is made of."""
    from .one_at_a_time import one_at_a_time
    from .vendor import ensure_node_modules

    folder = WORK / "peers"
    with one_at_a_time():
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(PEERS / name, folder / name)
        ensure_node_modules(folder)
