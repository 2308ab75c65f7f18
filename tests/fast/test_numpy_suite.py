"""NumPy's own tests of matmul, dot and linalg, in the page's Pyodide with seeformer.fast enabled.

The test files come out of numpy 2.4.3's native wheel, the one of the venv: Pyodide's wheel leaves them out, and the C
helpers of some of them too.
"""

from importlib.util import find_spec
from pathlib import Path

import pytest

NUMPY = Path(find_spec("numpy").origin).parent
FILES = [
    *(f"_core/tests/{name}.py" for name in ("test_multiarray", "test_numeric", "test_ufunc", "_locales", "_natype")),
    "linalg/tests/__init__.py",
    *(f"linalg/tests/{name}.py" for name in ("test_linalg", "test_regression", "test_deprecations")),
]

# What lets the test files be imported: modules of which everything can be named and nothing can be used.
CONFTEST = """
import sys, types
import numpy._core
import seeformer.fast

class Missing(types.ModuleType):
    def __getattr__(self, name):
        return type(name, (), {"__init__": lambda *arguments: None})  # a class: some stand as a dtype in parameters

for name in ("_multiarray_tests", "_rational_tests", "_umath_tests", "_operand_flag_tests", "_struct_ufunc_tests"):
    missing = sys.modules[f"numpy._core.{name}"] = Missing(f"numpy._core.{name}")
    setattr(numpy._core, name, missing)

assert seeformer.fast.enable()["enabled"]
def pytest_runtest_logreport(report):
    assert seeformer.fast.status()["enabled"]
"""

MULTIARRAY = "TestVdot", "TestDot", "TestMatmul", "TestMatmulOperator", "TestMatmulInplace", "TestInner"
CHOSEN = [
    *(f"_core/tests/test_multiarray.py::{name}" for name in MULTIARRAY),
    "_core/tests/test_numeric.py::TestTensordot",
    *(f"linalg/tests/{name}.py" for name in ("test_linalg", "test_regression", "test_deprecations")),
]
OF_UFUNC = "matmul or vecdot or matvec or vecmat or linalg or dot or gufunc"
# They test a gufunc of the C helpers (conv1d_full), which Pyodide's NumPy does not have.
DESELECTED = "not TestGUFuncProcessCoreDims"


@pytest.mark.timeout(900)
def test_numpy_s_own_tests(page_pyodide):
    inside = page_pyodide
    inside.install_pytest()
    site = inside.run("import numpy, pathlib; str(pathlib.Path(numpy.__file__).parent)")
    inside.write({"conftest.py": CONFTEST.encode()})
    files = {"_core/tests/__init__.py": b""} | {name: (NUMPY / name).read_bytes() for name in FILES}
    inside.write(files, folder=site)
    options = ["--noconftest", "-p", "conftest"]  # NumPy's own conftest asks the C helpers at every test
    outcome = inside.pytest(*options, *(f"{site}/{name}" for name in CHOSEN))
    assert outcome["code"] == 0 and outcome["passed"] > 700, inside.told[-6000:]
    of_ufunc = f"({OF_UFUNC}) and {DESELECTED}"
    outcome = inside.pytest(*options, f"{site}/_core/tests/test_ufunc.py", "-k", of_ufunc)
    assert outcome["code"] == 0 and outcome["passed"] > 20, inside.told[-6000:]
