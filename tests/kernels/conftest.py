"""Tests that import only pytest, numpy, hypothesis and seeformer: they run inside Pyodide as well, as they are."""

from hypothesis import settings

# No deadline: the same example takes ten times as long in a browser. Derandomised: a red test stays red.
settings.register_profile("kernels", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("kernels")
