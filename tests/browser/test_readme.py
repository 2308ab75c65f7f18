"""The ten lines that both READMEs give for one's own headless test are run as they stand there."""

import re
import subprocess
import sys

import pytest

from sitebuild.browsers import FLAGS, ensure_browser
from sitebuild.paths import ROOT


def example(readme):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / readme).read_text("utf-8"), re.S)
    return next(block for block in blocks if "playwright" in block)


def test_both_readmes_give_the_same_code():
    without_comments = [re.sub(r"#.*", "", example(readme)) for readme in ("README.md", "README.zh.md")]
    assert without_comments[0] == without_comments[1]


@pytest.mark.parametrize("readme", ["README.md", "README.zh.md"])
def test_the_example_runs(readme, server, tmp_path):
    code = example(readme)
    assert "http://127.0.0.1:8000/" in code and "chromium.launch()" in code
    code = code.replace("http://127.0.0.1:8000/", server)
    code = code.replace("chromium.launch()", f"chromium.launch(executable_path={ensure_browser()!r}, args={FLAGS!r})")
    script = tmp_path / "example.py"
    script.write_text(code + '\nprint("done")\n', "utf-8")
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0 and ran.stdout.endswith("done\n"), ran.stderr
