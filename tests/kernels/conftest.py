"""Tests that import only pytest, numpy, hypothesis and seeformer: they run inside Pyodide as well, as they are."""

import sys

from hypothesis import settings

# No deadline, and fewer examples in a browser, where one takes ten times as long. Derandomised: red stays red.
settings.register_profile(
    "kernels", deadline=None, derandomize=True, max_examples=10 if sys.platform == "emscripten" else 50
)
settings.load_profile("kernels")
