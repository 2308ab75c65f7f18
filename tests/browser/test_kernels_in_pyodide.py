"""The kernel and reference tests, as they are, inside the page's Python: they test the wheel that it installed."""

import ast
import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

from sitebuild.python_env import wheel_house

TESTS = Path(__file__).parents[1]
FOLDERS = "kernels", "reference"
PACKAGES = "pytest", "hypothesis", "sortedcontainers", "iniconfig", "pluggy", "pygments", "packaging"

RUN = """
import base64, json, micropip, os, sys

given = json.loads({given!r})
await micropip.install(given["wheels"])

import pytest
import seeformer

for name, content in given["files"].items():
    path = os.path.join("/tmp/tests", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(base64.b64decode(content))
os.chdir("/tmp/tests")


class Count:
    def __init__(self):
        self.outcomes = {{}}

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.skipped:
            self.outcomes[report.outcome] = self.outcomes.get(report.outcome, 0) + 1


count = Count()
# No fault handler and no capture of file descriptors: a browser has neither signals nor a second stdout.
options = ["-q", "--color=no", "--capture=sys", "-p", "no:faulthandler", "-p", "no:cacheprovider", "--rootdir=."]
code = pytest.main([*options, *given["folders"]], plugins=[count])
{{"code": int(code), "outcomes": count.outcomes, "seeformer": seeformer.__file__, "platform": sys.platform}}
"""


def wheels(server):
    found = [path.name for path in wheel_house().glob("*-none-any.whl") if path.name.split("-")[0] in PACKAGES]
    assert len(found) == len(PACKAGES), found
    return [f"{server}test-wheels/{name}" for name in found]


def collected():
    """How many tests there are, by CPython's count."""
    listing = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", *FOLDERS], cwd=TESTS, capture_output=True, text=True
    )
    return sum("::" in line for line in listing.stdout.splitlines())


@pytest.mark.timeout(600)  # more than a thousand tests
def test_kernels_in_pyodide(page, server):
    files = [
        path
        for folder in FOLDERS
        for path in (TESTS / folder).glob("*")
        if path.suffix in (".py", ".npz", ".safetensors", ".json", ".txt")
    ]
    given = {
        "wheels": wheels(server),
        "files": {path.relative_to(TESTS).as_posix(): base64.b64encode(path.read_bytes()).decode() for path in files},
        "folders": FOLDERS,
    }
    page.goto(server)
    page.evaluate("() => window.seeformer.ready")
    cell = page.evaluate("code => window.seeformer.run(code)", RUN.format(given=json.dumps(given)))
    assert cell["error"] is None, cell
    result, report = ast.literal_eval(cell["result"]), cell["stdout"]
    assert result["code"] == 0, report
    assert result["platform"] == "emscripten" and "site-packages" in result["seeformer"]
    outcomes = result["outcomes"]
    with_torch = len(list((TESTS / "reference").glob("test_*.py")))  # one test of each file computes its values anew
    assert outcomes.keys() <= {"passed", "skipped"} and outcomes["skipped"] <= 1 + with_torch, report
    assert sum(outcomes.values()) == collected() > 300
