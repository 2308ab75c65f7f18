"""seeformer.fast in real Pyodides, from the wheel that users install."""

from pathlib import Path

import pytest

INSIDE = Path(__file__).parent / "inside"


@pytest.mark.timeout(900)
def test_inside(pyodide):
    pyodide.install_pytest()
    pyodide.write({path.name: path.read_bytes() for path in INSIDE.glob("*.py")})
    outcome = pyodide.pytest(".")
    print(pyodide.version, outcome)
    assert outcome.pop("code") == 0, pyodide.told[-6000:]
    assert outcome.keys() <= {"passed", "skipped"} and outcome["passed"] > 40, pyodide.told
