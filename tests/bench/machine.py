"""The machine that measured, and the versions of all who were measured."""

import json
import os
import platform
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import numpy as np

from sitebuild.generations import PAGE
from sitebuild.wheel import version

from .stage import HERE


def machine(chromium: str) -> dict:
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "os": platform.platform(terse=True),
        "chromium": chromium,
        "date": date.today().isoformat(),
        "versions": versions(),
    }


def _cpu() -> str:
    if sys.platform == "darwin":
        command = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    told = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*: (.+)$", told.read_text(), re.MULTILINE) if told.exists() else None
    return found[1] if found else platform.processor() or platform.machine()


def versions() -> dict[str, str]:
    peers = json.loads((HERE / "peers" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    own = {
        "seeformer": version(),
        "Pyodide": PAGE.version,
        "NumPy": np.__version__,
        "Python": platform.python_version(),
    }
    return {**own, blas["name"]: blas["version"], **peers}
