"""What a reader sees of the start: stages with bytes, what failed and why, Retry."""

import pytest
from support.labs import root, settled

NUMPY = "**/pyodide/modules/numpy/_core/*.wasm"


@pytest.mark.allow_errors
@pytest.mark.parametrize(
    ("fault", "why"),
    [(lambda route: route.fulfill(status=404), "404"), (lambda route: route.fulfill(body=b"PK" * 1000), "SHA-256")],
    ids=["missing", "corrupt"],
)
def test_a_bad_file_is_named_the_pictures_stay_and_retry_works(page, server, fault, why):
    page.route(NUMPY, fault)
    page.goto(server)
    failure = page.locator(".boot-failure[role=alert]")
    failure.wait_for()
    assert "_multiarray_umath" in failure.text_content() and why in failure.text_content()
    assert root(page).locator("canvas[data-heatmap=output]").count() == 1, "the stored pictures can still be read"
    assert page.locator(".boot progress").is_hidden()
    page.unroute(NUMPY)
    failure.get_by_role("button", name="重试").click()
    page.locator("[data-lab=attention][data-source=live]").wait_for()
    assert settled(page) == "ready" and failure.is_hidden()


def test_bytes_are_counted_while_files_arrive(page, server):
    page.add_init_script(
        """addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
             const words = document.querySelector(".boot")?.textContent;
             if (words) (window.told ??= []).push(words);
           }).observe(document.body, { subtree: true, childList: true, characterData: true }))"""
    )
    page.goto(server)
    page.evaluate("() => window.seeformer.ready")
    told = page.evaluate("told")
    assert any("MB" in words and "/" in words for words in told)
    assert "Python 3.14" in told[-1] and "NumPy 2.4.3" in told[-1]
