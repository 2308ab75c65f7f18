"""A blank page with a Pyodide of any generation on its main thread, for tests inside it."""

import base64
import json
from pathlib import Path

from sitebuild.python_env import wheel_house

PACKAGES = "pytest", "hypothesis", "sortedcontainers", "iniconfig", "pluggy", "pygments", "packaging"

START = """async (folder) => {
  const modern = await fetch(folder + "pyodide.mjs", { method: "HEAD" });
  if (modern.ok) window.loadPyodide = (await import(folder + "pyodide.mjs")).loadPyodide;
  else await new Promise((resolve, reject) => {
    document.head.append(Object.assign(document.createElement("script"), { src: folder + "pyodide.js", onload: resolve, onerror: reject }));
  });
  window.told = [];
  const hear = (line) => told.push(line);
  window.python = await loadPyodide({ indexURL: folder, stdout: hear, stderr: hear });
  await python.loadPackage(["micropip", "numpy"]);
}"""

RUN = """async (code) => {
  told.length = 0;
  try {
    const value = await python.runPythonAsync(code);
    return { value: value?.toJs ? value.toJs({ dict_converter: Object.fromEntries }) : value, error: null, told: told.join("\\n") };
  } catch (error) {
    return { value: null, error: String(error), told: told.join("\\n") };
  }
}"""

PYTEST = """
import os, sys, pytest
class Count:
    def __init__(self):
        self.outcomes = {}
    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.skipped:
            self.outcomes[report.outcome] = self.outcomes.get(report.outcome, 0) + 1
count = Count()
os.chdir("/tmp/tests")
# No fault handler and no capture of file descriptors: a browser has neither signals nor a second stdout.
sys.path.insert(0, ".")
options = ["-q", "--color=no", "--tb=short", "--capture=sys", "-p", "no:faulthandler", "-p", "no:cacheprovider", "--rootdir=."]
code = int(pytest.main([*options, *ARGUMENTS], plugins=[count]))
{"code": code, **count.outcomes}
"""


class Pyodide:
    """On `page`, whose server has a mount <version>/ for each generation and test-wheels/."""

    def __init__(self, page, server: str, version: str):
        self.page, self.server, self.version = page, server, version
        page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
        page.goto(server + "web/style.css")  # a page of this origin with nothing on it
        page.evaluate(START, f"/pyodide-{version}/")

    def run(self, code: str):
        """The value of the last line; an exception fails the test with all that was printed."""
        answer = self.page.evaluate(RUN, code)
        assert answer["error"] is None, answer["told"] + "\n" + answer["error"]
        self.told = answer["told"]
        return answer["value"]

    def install(self, *wheels: str) -> None:
        self.run(f"import micropip\nawait micropip.install({[self.server + wheel for wheel in wheels]!r})")

    def install_pytest(self) -> None:
        found = [path.name for path in wheel_house().glob("*-none-any.whl") if path.name.split("-")[0] in PACKAGES]
        assert len(found) == len(PACKAGES), found
        self.install(*(f"test-wheels/{name}" for name in found))

    def write(self, files: dict[str, bytes], folder: str = "/tmp/tests") -> None:
        given = {name: base64.b64encode(content).decode() for name, content in files.items()}
        self.run(
            f"import base64, json, pathlib\n"
            f"for name, content in json.loads({json.dumps(given)!r}).items():\n"
            f"    path = pathlib.Path({folder!r}, name)\n"
            f"    path.parent.mkdir(parents=True, exist_ok=True)\n"
            f"    path.write_bytes(base64.b64decode(content))\n"
        )

    def pytest(self, *arguments: str) -> dict:
        """Run pytest inside; {code, passed, failed, skipped ...}"""
        return self.run(PYTEST.replace("ARGUMENTS", repr(list(arguments))))


def mounts(generations) -> dict[str, Path]:
    from sitebuild.pyodide_files import ensure_files

    return {
        f"pyodide-{generation.version}/": ensure_files(generation)["pyodide-lock.json"].parent
        for generation in generations
    }
