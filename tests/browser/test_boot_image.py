"""Python from the memory image that the build made; and without it, when Pyodide refuses it or there is none."""

import hashlib
import json
import struct

import pytest
from support.modules import blank_page
from support.python_cells import rejection

HEAD = 3 * 4  # bytes before the runs (web/worker/sparse.mjs)
SUM = "import numpy as np; int(np.arange(10).sum())"

FROM_IMAGE = "import sys; 'csv' in sys.modules"  # which the image has imported, and nothing of ours does


@pytest.fixture
def free_page(browser):
    """A page that may ask another server than most tests have."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def changed(site, start_server, tmp_path):
    """A factory: the address of a server with what `change` makes of the image, its right hash in the manifest.

    None of it: a manifest without one. (Playwright's own way to answer takes long with 20 MB.)
    """

    def serve(change, *, right_hash=True):
        manifest = json.loads((site / "manifest.json").read_text())
        path = manifest["snapshot"]["path"]
        image = change(bytearray((site / path).read_bytes()))
        if image is None:
            manifest["snapshot"] = None
        elif right_hash:
            manifest["snapshot"]["size"] = struct.unpack_from("<I", image)[0]
            entry = next(entry for entry in manifest["boot"] if entry["path"] == path)
            entry |= {"bytes": len(image), "sha256": hashlib.sha256(image).hexdigest()}
        (tmp_path / "image").write_bytes(image or b"")
        (tmp_path / "manifest").write_text(json.dumps(manifest))
        mounts = {path: tmp_path / "image"} if image else {}
        return start_server(mounts={**mounts, "manifest.json": tmp_path / "manifest"})

    return serve


def facts_of(image):
    """Where the facts about the image lie in it."""
    _, runs, length = struct.unpack_from("<3I", image)
    return HEAD + 8 * runs, HEAD + 8 * runs + length


def with_fact(image, change):
    start, end = facts_of(image)
    facts = json.loads(image[start:end])
    change(facts)
    told = json.dumps(facts).encode()
    return image[:8] + struct.pack("<I", len(told)) + image[HEAD:start] + told + image[end:]


def open_engine(page, server):
    """Makes an engine on an empty page; returns a list of what will be warned of."""
    warnings = []
    page.on("console", lambda message: message.type == "warning" and warnings.append(message.text))
    blank_page(page, server)
    page.evaluate("async () => { window.engine = (await load('core/engine/engine.js')).createEngine(); }")
    return warnings


def start(page, server):
    warnings = open_engine(page, server)
    page.evaluate("() => engine.boot()")
    return warnings


def value(page, code):
    told = page.evaluate("(code) => engine.runCell(code)", code)
    assert told["error"] is None, told["error"]
    return told["result"]


def test_the_image_is_used_and_what_it_froze_is_thawed(open_page, server):
    codes = []
    for _ in range(2):
        page = open_page(timezone_id="Asia/Shanghai")
        assert start(page, server) == []
        assert value(page, FROM_IMAGE) == "True"
        codes.append(value(page, "import random; random.random()"))
        codes.append(value(page, "import numpy as np; float(np.random.random())"))
        assert value(page, "import time; time.timezone, time.localtime(0).tm_hour, time.tzname[0]") == (
            "(-28800, 8, 'UTC+0800')"
        )
        assert value(page, "import sys, os; sys.path.count(''), 'PYTHONHASHSEED' in os.environ") == "(1, False)"
    assert len(set(codes)) == 4, "every reader would see the same random numbers"


def test_python_may_wait_for_a_promise_as_without_an_image(page, server, site):
    assert start(page, server) == []
    wait = "import asyncio, time; from pyodide.ffi import run_sync; time.sleep(0.01); run_sync(asyncio.sleep(0.01, 5))"
    assert value(page, wait) == "5"


@pytest.mark.parametrize(
    "change",
    [
        lambda facts: facts.update(place=4096),  # where run_sync would be
        lambda facts: facts["libraries"].update(first=1000),  # the table of functions, before NumPy's
        lambda facts: facts["libraries"]["pointers"].update(PyExc_ValueError=4096),
    ],
    ids=["run_sync", "table", "pointer"],
)
def test_an_image_of_another_pyodide_is_refused(free_page, changed, change):
    (warning, *_) = start(free_page, changed(lambda image: with_fact(image, change)))
    assert "not of this Pyodide" in warning
    assert value(free_page, SUM) == "45"
    assert value(free_page, "float(np.linalg.det(np.eye(3)))") == "1.0"


def test_an_image_larger_than_pyodides_first_memory(free_page, changed):
    def enlarge(image):
        struct.pack_into("<I", image, 0, 100 << 20)
        return image

    assert start(free_page, changed(enlarge)) == []
    assert value(free_page, SUM) == "45"


def test_a_refused_image_is_told_in_the_log_and_python_starts_without_it(free_page, changed):
    def break_magic(image):
        image[facts_of(image)[1]] ^= 255
        return image

    (warning, *_) = start(free_page, changed(break_magic))
    assert "memory image" in warning and "magic" in warning
    assert value(free_page, SUM) == "45"


def test_python_starts_without_an_image(free_page, changed):
    start(free_page, changed(lambda image: None))
    assert value(free_page, FROM_IMAGE) == "False"
    assert value(free_page, SUM) == "45"
    assert value(free_page, "import micropip; 'numpy' in micropip.list() and 'autograd' in micropip.list()") == "True"


def test_a_damaged_image_is_a_damaged_file_and_named(free_page, changed):
    def damage(image):
        image[len(image) // 2] ^= 1
        return image

    open_engine(free_page, changed(damage, right_hash=False))
    error = rejection(free_page, "engine.boot()")
    assert error["reason"] == "hash" and error["file"] == "pyodide/snapshot.bin" and "SHA-256" in error["message"]


def test_with_allow_network_too(free_page, start_server):
    assert start(free_page, start_server(network=True)) == []
    assert value(free_page, FROM_IMAGE) == "True"
    assert value(free_page, SUM) == "45"


def test_numpys_modules_of_the_image_work_and_so_do_those_that_come_later(page, server):
    """Calls through every module's own functions, through pointers into others, and errors that NumPy raises."""
    start(page, server)
    assert (
        value(page, "import sys; 'numpy.random.mtrand' in sys.modules, 'numpy.fft' in sys.modules") == "(True, False)"
    )
    for kind in ("PCG64", "MT19937", "Philox", "SFC64"):
        assert (
            value(page, f"import numpy as np; np.random.Generator(np.random.{kind}(1)).normal(size=3).shape") == "(3,)"
        )
    assert value(page, "np.random.RandomState(0).randint(0, 100, 3).tolist()") == "[44, 47, 64]"  # the same everywhere
    assert value(page, "float(np.linalg.svd(np.diag([3.0, 2.0]))[1][0])") == "3.0"
    assert value(page, "abs(np.fft.fft([1, 2, 3])).round(3).tolist()") == "[6.0, 1.732, 1.732]"
    raised = page.evaluate("engine.runCell('np.linalg.inv(np.zeros((2, 3)))')")["error"]
    assert raised["type"] == "LinAlgError" and "square" in raised["message"]
    assert value(page, "import inspect; 'def inv' in inspect.getsource(np.linalg.inv)") == "True"


@pytest.mark.allow_errors
def test_a_lab_that_waits_for_nothing_needs_nothing_that_comes_later(free_page, site, start_server, tmp_path):
    """On a page where NumPy's rest never comes. (np.unique needs numpy.ma, which np.unique alone knows.)"""
    manifest = json.loads((site / "manifest.json").read_text())
    manifest["later"]["packages"] = [{**package, "path": "nowhere.whl"} for package in manifest["later"]["packages"]]
    (tmp_path / "manifest").write_text(json.dumps(manifest))
    start(free_page, start_server(mounts={"manifest.json": tmp_path / "manifest"}))
    labs = [lab for lab in manifest["labs"] if lab not in manifest["later"]["labs"]]
    assert len(labs) > 3
    for lab in labs:
        answer = "(lab) => engine.call(lab).then(() => null, ({ message, traceback }) => message + traceback)"
        assert free_page.evaluate(answer, lab) is None, lab


def test_a_cell_has_the_packages_that_come_later(page, server):
    start(page, server)
    assert value(page, "import autograd; autograd.__name__") == "'autograd'"
    done = page.evaluate("engine.call('norm').then(({ values }) => Object.keys(values).length)")
    assert done > 0


@pytest.mark.allow_errors
def test_a_restarted_worker_fetches_nothing_of_the_boot_again(page, server, site):
    packages = json.loads((site / "manifest.json").read_text())["later"]["packages"]
    later = {package["path"].rpartition("/")[2] for package in packages}
    start(page, server)
    asked = []
    page.on("request", lambda request: "/pyodide/" in request.url and asked.append(request.url.rpartition("/")[2]))
    page.evaluate("() => engine.runCell('import os; os._exit(3)')")
    assert value(page, SUM) == "45"
    assert set(asked) <= {"pyodide.mjs", "pyodide.asm.mjs"} | later
