"""Python from the memory image that the build made; and without it, when Pyodide refuses it or there is none."""

import hashlib
import json
import struct

import pytest
from support.modules import blank_page
from support.python_cells import rejection

HEAD = 6 * 4  # bytes before the runs (web/worker/sparse.mjs)
SUM = "import numpy as np; int(np.arange(10).sum())"

FROM_IMAGE = "import sys; 'csv' in sys.modules"  # which the image has imported, and nothing of ours does


def with_image(page, site, change):
    """Serves what `change` makes of the image, with its right hash in the manifest; None: a manifest without one."""
    manifest = json.loads((site / "manifest.json").read_text())
    path = manifest["snapshot"]
    image = change(bytearray((site / path).read_bytes()))
    if image is None:
        manifest["snapshot"] = None
    else:
        entry = next(entry for entry in manifest["boot"] if entry["path"] == path)
        entry |= {"bytes": len(image), "sha256": hashlib.sha256(image).hexdigest()}
        page.route(f"**/{path}", lambda route: route.fulfill(body=bytes(image)))
    page.route("**/manifest.json", lambda route: route.fulfill(json=manifest))


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
        assert value(page, "import time; time.timezone, time.localtime(0).tm_hour, time.tzname[0]") == (
            "(-28800, 8, 'UTC+0800')"
        )
        assert value(page, "import sys, os; sys.path.count(''), 'PYTHONHASHSEED' in os.environ") == "(1, False)"
    assert codes[0] != codes[1], "every reader would see the same random numbers"


def test_python_may_wait_for_a_promise_as_without_an_image(page, server, site):
    assert start(page, server) == []
    wait = "import asyncio, time; from pyodide.ffi import run_sync; time.sleep(0.01); run_sync(asyncio.sleep(0.01, 5))"
    assert value(page, wait) == "5"


@pytest.mark.allow_errors
def test_an_image_of_another_pyodide_is_refused(page, server, site):
    def move(image):
        struct.pack_into("<I", image, 8, 4096)  # where run_sync would be
        return image

    with_image(page, site, move)
    (warning, *_) = start(page, server)
    assert "not of this Pyodide" in warning
    assert value(page, SUM) == "45"


def test_an_image_larger_than_pyodides_first_memory(page, server, site):
    def enlarge(image):
        struct.pack_into("<I", image, 0, 100 << 20)
        return image

    with_image(page, site, enlarge)
    assert start(page, server) == []
    assert value(page, SUM) == "45"


@pytest.mark.allow_errors
def test_a_refused_image_is_told_in_the_log_and_python_starts_without_it(page, server, site):
    def break_magic(image):
        (runs,) = struct.unpack_from("<I", image, 4)
        image[HEAD + 8 * runs] ^= 255
        return image

    with_image(page, site, break_magic)
    (warning, *_) = start(page, server)
    assert "memory image" in warning and "magic" in warning
    assert value(page, SUM) == "45"


def test_python_starts_without_an_image(page, server, site):
    with_image(page, site, lambda image: None)
    start(page, server)
    assert value(page, FROM_IMAGE) == "False"
    assert value(page, SUM) == "45"
    assert value(page, "import micropip; 'numpy' in micropip.list() and 'autograd' in micropip.list()") == "True"


@pytest.mark.allow_errors
def test_a_damaged_image_is_a_damaged_file_and_named(page, server, site):
    path = json.loads((site / "manifest.json").read_text())["snapshot"]
    damaged = bytearray((site / path).read_bytes())
    damaged[len(damaged) // 2] ^= 1
    page.route(f"**/{path}", lambda route: route.fulfill(body=bytes(damaged)))
    open_engine(page, server)
    error = rejection(page, "engine.boot()")
    assert error["reason"] == "hash" and error["file"] == path and "SHA-256" in error["message"]


def test_with_allow_network_too(browser, start_server):
    page = browser.new_context().new_page()
    assert start(page, start_server(network=True)) == []
    assert value(page, FROM_IMAGE) == "True"
    assert value(page, SUM) == "45"
    page.context.close()


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
