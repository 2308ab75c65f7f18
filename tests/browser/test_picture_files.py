"""Each file that the Note face saves of a picture holds the picture's numbers."""

import csv
import io

import numpy as np
import pytest
from support.labs import call, face, restore_defaults, root, set_field


@pytest.fixture
def note(booted):
    face(booted, "note")
    yield booted
    face(booted, "see")
    restore_defaults(booted)


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


def test_all_arrays_of_the_computation_in_one_file(note):
    set_field(note, "causal", True)
    with note.expect_download() as download:
        root(note).locator("[data-save=npz]").click()
    assert download.value.suggested_filename == "seeformer-attention.npz"
    shown = call(note, causal=True)
    with np.load(download.value.path()) as arrays:
        for name in ("X", "scores", "masked", "exp", "weights", "output"):
            np.testing.assert_allclose(arrays[name], shown[name], rtol=1e-6)
        assert arrays["tokens"].tolist() == shown["tokens"]
    assert "seeformer-attention.npz" in root(note).locator(".note-actions .status").text_content()
