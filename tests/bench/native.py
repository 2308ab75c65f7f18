"""NumPy's own OpenBLAS on one thread: a Python beside the browser, asked a line at a time."""

import json
import os
import subprocess
import sys

from sitebuild.paths import PY, ROOT, VENV_PYTHON

SETTINGS_OF_OPENBLAS = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")  # a machine's own would make another library of it


class Native:
    def __init__(self):
        env = {name: value for name, value in os.environ.items() if name not in SETTINGS_OF_OPENBLAS}
        env |= {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join([str(PY), str(ROOT / "tests")])}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([VENV_PYTHON, "-m", __name__], stdin=pipe, stdout=pipe, env=env, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.stdin.close()
        self.process.wait()

    def ask(self, *question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def answer(what: str, *rest):
    if what == "product":
        from bench.products import speed

        return speed(rest[0], turns=5)
    if what == "gpt2":
        from bench.gpt2 import native_turn

        return native_turn(*rest)
    from bench.heads import turn

    return turn(*rest)


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(*json.loads(line))), flush=True)
