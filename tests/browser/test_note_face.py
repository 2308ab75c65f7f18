"""The Note face: what is copied is what it says and runs, and each file that it saves holds the picture's numbers."""

import csv
import io

import numpy as np
import pytest
from support.labs import restore_defaults, root, set_field
from support.python_cells import run


@pytest.fixture
def note(booted):
    root(booted).locator(".faces [data-face=note]").click()
    yield booted
    root(booted).locator(".faces [data-face=see]").click()
    restore_defaults(booted)


def copied(page, button):
    root(page).get_by_role("button", name=button, exact=True).click()
    root(page).locator(".note-actions .status", has_text="已复制").wait_for()
    return page.evaluate("navigator.clipboard.readText()")


def test_the_copied_code_runs_and_has_the_settings(note):
    set_field(note, "causal", True)
    set_field(note, "d_model", 32)
    code = copied(note, "复制代码")
    assert "causal=True" in code and "d_model=32" in code and "wheels/seeformer-" in code
    told = run(note, code)
    assert told["error"] is None and "weights (4, 9, 9)\n" in told["stdout"] and "d_model 32\n" in told["stdout"]


def test_the_copied_link_brings_the_settings_back(note, open_page):
    set_field(note, "num_heads", 2)
    link = copied(note, "复制链接")
    page = open_page()
    page.goto(link)
    page.locator("#attention-num_heads").wait_for()
    assert page.locator("#attention-num_heads").input_value() == "2"


def saved(page, kind):
    page.locator("#attention-picture").select_option(label="weights 3")
    with page.expect_download() as download:
        root(page).locator(f"[data-save={kind}]").click()
    assert download.value.suggested_filename == f"seeformer-attention-weights-3.{kind}"
    return open(download.value.path(), "rb").read()


def test_what_is_saved_is_what_was_computed(note):
    weights = np.array(
        note.evaluate("seeformer.call('attention', {}).then(({ weights }) => [...weights.data])"), np.float32
    )
    weights = weights.reshape(4, 9, 9)[2]
    np.testing.assert_array_equal(np.load(io.BytesIO(saved(note, "npy"))), weights)
    rows = list(csv.reader(io.StringIO(saved(note, "csv").decode("utf-8-sig"))))
    assert rows[0][1:] == [row[0] for row in rows[1:]] == list("猫追老鼠，老鼠躲猫")
    np.testing.assert_array_equal(np.array([row[1:] for row in rows[1:]], np.float32), weights)
    assert saved(note, "png").startswith(b"\x89PNG")
    assert b"<svg" in saved(note, "svg") and "猫".encode() in saved(note, "svg")
