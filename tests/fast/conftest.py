"""Pyodides with seeformer.fast from its own wheel, of the page's generation, Code Emitter's, and with
--all-generations the ones between."""

import pytest
from support.generations import Pyodide, mounts

from sitebuild.generations import CODE_EMITTER, OTHERS, PAGE

collect_ignore = ["inside"]  # these run in Pyodide


def pytest_generate_tests(metafunc):
    if "pyodide" in metafunc.fixturenames:
        every = metafunc.config.getoption("--all-generations")
        chosen = [PAGE, CODE_EMITTER, *(OTHERS if every else ())]
        metafunc.parametrize(
            "pyodide", chosen, ids=[generation.version for generation in chosen], indirect=True, scope="module"
        )


@pytest.fixture(scope="session")
def generations_server(start_server, request):
    from sitebuild.python_env import wheel_house

    every = request.config.getoption("--all-generations")
    chosen = [PAGE, CODE_EMITTER, *(OTHERS if every else ())]
    return start_server(mounts={"test-wheels/": wheel_house(), **mounts(chosen)})


@pytest.fixture(scope="module")
def start(browser, generations_server):
    """Factory: a Pyodide of that version with NumPy and the wheel of seeformer.fast, not enabled."""
    from sitebuild.wheel import fast_wheel_name

    contexts = []

    def start(version):
        contexts.append(browser.new_context())
        engine = Pyodide(contexts[-1].new_page(), generations_server, version)
        engine.install(f"wheels/{fast_wheel_name()}")
        return engine

    yield start
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def pyodide(request, start):
    """One for all tests of a file, of each generation."""
    return start(request.param.version)


@pytest.fixture(scope="module")
def page_pyodide(start):
    return start(PAGE.version)
