"""A reader's own checkpoint in a lab: dropped or chosen, opened in the worker, told when wrong, kept while it lives."""

import numpy as np
import pytest
from support.axe import serious
from support.checkpoints import TOKENIZER, choose_files, drop_files, files, model, rests, told, vocabulary
from support.labs import settled
from support.probe_lab import mounted, probe, shown
from support.watch import Watch

from seeformer.tokenizers.bpe import BytePairs

TEXT = "ab 猫"
LAB = "[data-lab=probe]"


def expected(seed=3, text=TEXT):
    parts = vocabulary()
    ids = BytePairs.from_files(parts["vocab.json"].decode(), parts["merges.txt"].decode()).encode(text)
    return model(seed).forward(np.array(ids)), len(ids)


def choose(page, given):
    return choose_files(page, given, "probe")


def drop(page, given, within=""):
    return drop_files(page, given, "probe", within)


def is_of(page, seed, text=TEXT):
    """The lab shows what the model of that seed says of the text; returns what its parameter ``checkpoint`` is."""
    logits, n = expected(seed, text)
    values, tokens, name, shape = shown(page)
    assert shape == [n, 700] and len(tokens) == n and tokens[0] == text[: len(tokens[0])]
    np.testing.assert_allclose(np.reshape(values, shape), logits, rtol=1e-4, atol=1e-4)
    return name


@pytest.fixture(scope="module")
def started(browser, server):
    """One Python for all tests of the file; its page's complaints fail the last one."""
    with browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        watch = Watch(page, server)
        yield probe(page, server)
        assert not watch.complaints(lenient=False)


@pytest.fixture
def page(started):
    started.emulate_media(color_scheme="light")
    started.set_viewport_size({"width": 1280, "height": 900})
    mounted(started).locator("#probe-text").fill(TEXT)
    settled(started, "probe")
    return started


def test_three_chosen_files_are_what_the_pictures_are_of(page):
    state, status, error = choose(page, files())
    assert state == "used" and error == ""
    assert status == f"The pictures are of model.safetensors: gpt2, {model().parameter_count():,} parameters."
    assert is_of(page, 3)
    assert page.locator(f"{LAB} .checkpoint summary").inner_text() == "Weights: model.safetensors"


def test_files_may_be_dropped_one_by_one_anywhere_on_the_lab(page):
    parts = files()
    assert drop(page, {"config (1).json": parts["config.json"]}, "h2") == [True, True]
    assert (
        told(page, "probe")[1]
        == "Still missing: model.safetensors and tokenizer.json (or vocab.txt, or vocab.json with merges.txt)."
    )
    assert not page.locator(LAB).get_attribute("data-files-over")
    drop(page, {"gpt.safetensors": parts["model.safetensors"]}, "h2")
    older = vocabulary()
    drop(page, {"vocab.json": older["vocab.json"]}, "h2")
    assert told(page, "probe")[1] == "Still missing: merges.txt."
    drop(page, {"merges.txt": older["merges.txt"]}, "h2")
    assert told(page, "probe")[0] == "used"
    is_of(page, 3)


def test_nothing_is_sent_anywhere(page):
    sent = []
    page.context.on("request", lambda request: sent.append((request.method, request.url)))
    choose(page, files())
    page.locator("#probe-text").fill("b")
    settled(page, "probe")
    is_of(page, 3, "b")
    assert all(method == "GET" and "/web/vendor/tokenizers.js" in url for method, url in sent), sent
    assert page.evaluate("() => Object.keys(localStorage).join() + location.hash") == ""
    assert page.evaluate("() => hashes.join()").count("checkpoint") == 0


def test_random_weights_come_back(page):
    choose(page, files())
    held = (
        "async () => (await engine.runCell('import seeformer.brought; sorted(seeformer.brought.checkpoints)')).result"
    )
    name = shown(page)[2]
    assert name in page.evaluate(held)
    page.get_by_role("button", name="Use random weights again").click()
    settled(page, "probe")
    assert told(page, "probe")[0] == "random" and shown(page)[2] == ""
    assert name not in page.evaluate(held)


WRONG = {
    "broken": ("model.safetensors", lambda data: data[:-9], "is not a whole safetensors file"),
    "no weights": ("model.safetensors", lambda data: b"<html>", "'model.safetensors' is not a whole safetensors file"),
    "family": ("config.json", lambda data: data.replace(b'"gpt2"', b'"bert"'), "drop it on the lab of its own"),
    "sizes": ("config.json", lambda data: data.replace(b'"n_layer": 2', b'"n_layer": 3'), "is missing"),
    "no json": ("config.json", lambda data: data[1:], "give the text of config.json"),
    "tokenizer": ("tokenizer.json", lambda data: b"{}", "tokenizer.json was not opened: it has no"),
    "words": (
        "tokenizer.json",
        lambda data: data.replace(b'"added_tokens":[', b'"added_tokens":[' + ADDED),
        "are more than the 700",
    ),
}
ADDED = (
    b'{"id":700,"content":"<new>","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true},'
)


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_wrong_is_told_and_the_weights_in_use_stay(page, kind):
    choose(page, files())
    name = is_of(page, 3)
    part, broken, words = WRONG[kind]
    parts = files(4)
    changed = broken(parts[part])
    assert changed != parts[part]
    state, _, error = choose(page, {**parts, part: changed})
    assert state == "used" and words in error, error
    assert is_of(page, 3) == name
    state, _, error = choose(page, {part: parts[part]})  # the one file alone mends it
    assert (state, error) == ("used", "")
    assert is_of(page, 4) != name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("model-00001-of-00002.safetensors", "is one part of several"),
        ("pytorch_model.bin", "choose the model.safetensors beside it"),
        ("generation_config.json", "is not needed"),
        ("photo.jpg", "is no file of a checkpoint"),
    ],
)
def test_other_files_are_told(page, name, words):
    choose(page, {name: b"x"})
    assert (
        words in page.locator(f"{LAB} .checkpoint-zone").inner_text()
        and name in page.locator(f"{LAB} .checkpoint-zone").inner_text()
    )


def test_after_a_stop_that_ended_python_it_is_handed_over_again(page):
    choose(page, files())
    page.evaluate("""async () => {
      const running = engine.runCell("while True:\\n    try:\\n        while True: pass\\n    except BaseException: pass");
      setTimeout(() => engine.stop(), 300);
      await running;
      await placeProbe();
    }""")
    page.locator("#probe-text").fill("b a")
    assert settled(page, "probe") == "ready"
    is_of(page, 3, "b a")


def test_a_file_that_changed_on_disk_is_told_and_python_lives(page, tmp_path):
    parts = files()
    for name, data in parts.items():
        (tmp_path / name).write_bytes(data)
    page.locator(f"{LAB} input[type=file]").set_input_files(
        [tmp_path / name for name in parts if name != "tokenizer.json"]
    )
    rests(page, "probe")
    (tmp_path / "model.safetensors").write_bytes(parts["model.safetensors"][:-8])
    state, _, error = choose(page, {"tokenizer.json": parts["tokenizer.json"]})
    assert state == "random" and "can read the file no longer" in error and "model.safetensors" in error
    assert page.evaluate("async () => (await engine.runCell('1 + 1')).result") == "2"


def test_an_edited_kernel_runs_on_it(page):
    choose(page, files())
    before = shown(page)[0]
    page.locator(".faces [data-face=code]").click()
    page.locator("[data-module='seeformer.norm']").first.click()
    editor = page.locator(".code-editor[data-module='seeformer.norm'] .cm-content")
    editor.click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\n\ndef layer_norm(x, gamma=None, beta=None, eps=1e-5):\n    return x\n")
    page.locator(".code-actions .main").click()
    assert settled(page, "probe") == "ready"
    after = shown(page)[0]
    assert len(after) == len(before) and not np.allclose(after, before)


def test_restored_defaults_and_another_address_keep_it(page):
    choose(page, files())
    page.locator(f"{LAB} .actions").get_by_role("button", name="Defaults").click()
    settled(page, "probe")
    is_of(page, 3, "ab")
    page.evaluate("() => probe.set({ text: 'b', checkpoint: 'foreign' })")
    settled(page, "probe")
    is_of(page, 3, "b")


def test_by_keyboard_alone(page):
    with page.expect_file_chooser() as chooser:  # before the keys: the browser must have heard that a test chooses
        page.locator(f"{LAB} .checkpoint summary").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.id") == "probe-checkpoint-choose"
        page.keyboard.press("Enter")
    given = [{"name": name, "mimeType": "", "buffer": data} for name, data in files().items()]
    chooser.value.set_files(given)
    rests(page, "probe")
    is_of(page, 3)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    settled(page, "probe")
    assert told(page, "probe")[0] == "random"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_accessible_and_narrow(page, theme):
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": 360, "height": 800})
    choose(page, {"config.json": b"{}", "model.safetensors": b"", "photo.jpg": b""})
    assert serious(page, ".checkpoint") == []
    choose(page, {"tokenizer.json": TOKENIZER})
    assert told(page, "probe")[2]
    assert serious(page, ".checkpoint") == []
    assert page.evaluate("() => document.querySelector('.checkpoint').scrollWidth <= 360")
