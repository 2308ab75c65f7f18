"""The start of Python: files that fail are named, and Retry works."""

import pytest
from support.modules import blank_page
from support.python_cells import rejection

NUMPY = "**/pyodide/modules/numpy/_core/*.wasm"


@pytest.fixture
def engine(page, server):
    """An engine of its own on an empty page: engine.boot() has not been called; `stages` collects what it says."""
    blank_page(page, server)
    page.evaluate(
        """async () => {
          const { createEngine } = await load("core/engine/engine.js");
          window.engine = createEngine();
          window.stages = [];
          engine.on("stage", (stage) => stages.push(stage));
        }"""
    )
    return page


def failure(page):
    """Boots, and returns what the failed stage said; the boot's rejection must say the same."""
    error = rejection(page, "engine.boot()")
    (failed,) = [stage for stage in page.evaluate("stages") if stage["state"] == "failed"]
    assert failed["message"] == error["message"]
    return failed


@pytest.mark.allow_errors
def test_a_missing_file_is_named_everybody_is_answered_and_retry_works(engine):
    requests = []
    engine.route(NUMPY, lambda route: (requests.append(route.request.url), route.fulfill(status=404)))
    engine.evaluate(
        """() => {
          window.early = [engine.call("attention"), engine.runCell("1"), engine.ready].map((wait) => wait.catch((error) => error.message));
        }"""
    )
    failed = failure(engine)
    assert failed["id"] == "download" and failed["reason"] == "http" and failed["status"] == 404
    assert (
        failed["file"].startswith("pyodide/modules/numpy/")
        and failed["file"] in failed["message"]
        and "404" in failed["message"]
    )
    assert len(requests) == 3
    assert engine.evaluate("Promise.all(early)") == [failed["message"]] * 3
    assert rejection(engine, "engine.runCell('1')")["message"] == failed["message"], "no new boot by itself"
    engine.unroute(NUMPY)
    engine.evaluate("() => { stages.length = 0; return engine.boot(); }")
    assert engine.evaluate("engine.runCell('6 * 7').then(({ result }) => result)") == "42"
    done = [stage["id"] for stage in engine.evaluate("stages") if stage["state"] == "done"]
    assert sorted(done[:2]) == ["download", "python"] and done[2:] == ["packages", "kernels", "ready"]
    loaded = [stage for stage in engine.evaluate("stages") if stage["id"] == "download" and "loaded" in stage]
    assert [stage["loaded"] for stage in loaded] == sorted(stage["loaded"] for stage in loaded)
    assert loaded[-1]["loaded"] == loaded[-1]["total"] > 15_000_000


@pytest.mark.allow_errors
@pytest.mark.parametrize(
    ("pattern", "file"),
    [
        (NUMPY, "pyodide/modules/numpy/_core/"),
        ("**/pyodide/pyodide.asm.wasm", "pyodide/pyodide.asm.wasm"),
        ("**/pyodide/pyodide.mjs", "pyodide/pyodide.mjs"),
    ],
)
def test_a_damaged_file_is_never_used(engine, pattern, file):
    engine.route(pattern, lambda route: route.fulfill(body=b"damaged"))
    failed = failure(engine)
    assert failed["reason"] == "hash" and failed["file"].startswith(file)
    assert "SHA-256" in failed["message"] and "build the page again" in failed["message"]


@pytest.mark.allow_errors
@pytest.mark.parametrize(
    ("pattern", "answer", "words"),
    [
        ("**/manifest.json", {"status": 500}, ["manifest.json", "500"]),
        ("**/manifest.json", {"body": "<html>"}, ["manifest.json", "not JSON"]),
        ("**/web/worker.js", {"status": 404}, ["worker"]),
        ("**/web/worker/boot.js", {"status": 404}, ["worker"]),
    ],
)
def test_what_comes_before_the_files_can_fail_too(engine, pattern, answer, words):
    engine.route(pattern, lambda route: route.fulfill(**answer))
    failed = failure(engine)
    assert all(word in failed["message"] for word in words)


@pytest.mark.allow_errors
def test_a_connection_that_breaks_twice_is_no_failure(engine):
    attempts = []

    def route(route):
        attempts.append(1)
        route.abort() if len(attempts) < 3 else route.continue_()

    engine.route("**/pyodide/python_stdlib.zip", route)
    engine.evaluate("() => engine.boot()")
    assert len(attempts) == 3


@pytest.mark.allow_errors
def test_the_api_is_ready_anew_after_a_retry(page, server):
    page.route(NUMPY, lambda route: route.fulfill(status=503))
    page.goto(server)
    assert "503" in rejection(page, "seeformer.ready")["message"]
    assert "503" in rejection(page, "seeformer.call('attention')")["message"]
    assert "numpy" in page.get_by_role("alert").inner_text()
    page.unroute(NUMPY)
    page.get_by_role("button", name="重试").click()
    page.wait_for_function("() => document.querySelector('.boot-failure').hidden")
    page.evaluate("() => seeformer.ready")
    assert page.evaluate("seeformer.call('attention').then(({n}) => n)") > 0
    assert page.locator("[data-lab=attention]").get_attribute("data-source") == "live"


@pytest.mark.allow_errors
@pytest.mark.parametrize(
    ("answer", "reason"),
    [(None, "timeout"), ({"abort": True}, "network"), ({"status": 403}, "http"), ({"body": b"short"}, "hash")],
)
def test_why_a_file_did_not_come(page, server, answer, reason):
    blank_page(page, server)

    def route(route):
        if answer is None:
            return  # never
        route.abort() if "abort" in answer else route.fulfill(**answer)

    page.route("**/some.bin", route)
    error = rejection(
        page,
        """load("worker/fetch-file.js").then(({ fetchFile }) =>
             fetchFile({ path: "some.bin", bytes: 9, sha256: "0" }, document.baseURI, () => {}, { attempts: 2, backOff: 10, silence: 300 }))""",
    )
    assert error["reason"] == reason and error["file"] == "some.bin" and error["message"].startswith("some.bin: ")


def test_the_hash_is_the_same_without_the_browsers_own(page, server):
    blank_page(page, server)
    hashes = page.evaluate(
        """async () => {
          const { sha256 } = await load("worker/sha256.js");
          const bytes = new TextEncoder().encode("abc");
          const own = await sha256(bytes);
          Object.defineProperty(crypto, "subtle", { value: undefined });
          return [own, await sha256(bytes)];
        }"""
    )
    assert hashes == ["ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"] * 2
