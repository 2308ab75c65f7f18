"""Weights of the reader's own in the labs of BERT, of T5 and BART, and of ViT: dropped, they are what the pictures are of."""

import numpy as np
import pytest
from support.axe import serious
from support.checkpoints import CLASSES, drop_files, files, model, told, word_pieces
from support.labs import numbers, restore_defaults, root, set_field, settled

from seeformer.attention import softmax
from seeformer.drawings import pixels_of, resized
from seeformer.labs.vit import START
from sitebuild.labs import text

WORDS = text("zh")["labs"]
EACH = pytest.mark.parametrize(("lab", "family"), [("bert", "bert"), ("seq2seq", "t5"), ("vit", "vit")])


@pytest.fixture
def page(booted):
    yield booted
    for lab in ("bert", "seq2seq", "vit"):
        leave = root(booted, lab).locator(".checkpoint .row-actions button").last
        if leave.is_visible():
            leave.click()
            settled(booted, lab)
        restore_defaults(booted, lab)


def give(page, lab, given):
    """Drops the files on the lab's title, and asks that they are used."""
    assert drop_files(page, given, lab, "h2") == [True, True]
    assert told(page, lab)[::2] == ("used", "")


def ids(page, lab, strip=0):
    shown = root(page, lab).locator(".strip").nth(strip).locator("small")
    return np.array([int(each) for each in shown.all_inner_texts()])


def shares(page, lab, key):
    entries = root(page, lab).locator(f"[data-section={key}] .candidates").first.locator(".amount")
    return [numbers(entry)[-1] for entry in entries.all_inner_texts()]


def names(page, lab, key):
    return root(page, lab).locator(f"[data-section={key}] .candidates").first.locator(".name").all_inner_texts()


@EACH
def test_random_weights_are_claimed_only_where_there_are_any(page, lab, family):
    view = root(page, lab)
    claim, seed = view.locator(".claim"), view.locator(f"#{lab}-seed")
    assert claim.is_visible() and seed.is_visible()
    give(page, lab, files(family=family))
    assert claim.is_hidden() and seed.is_hidden() and view.locator(f"#{lab}-num_layers").is_hidden()
    assert "checkpoint" not in page.evaluate("location.hash") and "ids" not in page.evaluate("location.hash")
    view.get_by_role("button", name="换回随机权重").click()
    assert settled(page, lab) == "ready"
    assert claim.is_visible() and seed.is_visible()


def test_bert_guesses_with_the_readers_words_and_tells_two_sentences_apart(page):
    set_field(page, "tokens", "the cats chase", "bert")
    set_field(page, "second", "a cat", "bert")
    give(page, "bert", files(family="bert"))
    shown = ids(page, "bert")
    assert shown[0] == 2 and shown[2] == 4 and shown[-1] == 3 and (shown == 3).sum() == 2
    ends = int(np.flatnonzero(shown == 3)[0]) + 1
    segments = np.arange(len(shown)) >= ends
    best = np.sort(softmax(model(family="bert").forward(shown, segments=segments.astype(int))[2]))[::-1]
    np.testing.assert_allclose(shares(page, "bert", "guess"), best[:8], rtol=2e-2)
    assert root(page, "bert").locator("canvas[data-heatmap=reach_gpt]").count() == 0
    assert root(page, "bert").locator("canvas[data-heatmap=reach]").count() == 1


def test_bert_takes_an_older_vocabulary_and_a_model_without_a_head(page):
    given = files(family="bert", head=False, prefix="bert.")
    give(page, "bert", {name: data for name, data in given.items() if name != "tokenizer.json"} | word_pieces())
    view = root(page, "bert")
    assert view.locator(".claim").inner_text() == WORDS["bert"]["noHead"]
    assert view.locator(".candidates, .lens").count() == 0
    assert view.locator("canvas[data-multiples=weights]").is_visible()
    assert view.locator("canvas[data-heatmap=pooled]").count() == 1
    view.locator("[data-section=heads] .head-actions button").first.click()
    view.locator("[data-section=tokens] .row-actions button").last.click()
    assert settled(page, "bert") == "ready"
    assert view.locator("canvas[data-heatmap=renormalised]").count() == 1


@pytest.mark.parametrize("family", ["bart", "t5", "t5_gated"])
def test_an_encoder_decoder_reads_and_writes_in_its_own_vocabulary(page, family):
    set_field(page, "source", "a cat ran", "seq2seq")
    set_field(page, "target", "cats", "seq2seq")
    set_field(page, "method", "greedy", "seq2seq")
    set_field(page, "steps", 5, "seq2seq")
    give(page, "seq2seq", files(family=family))
    brought, source, target = model(family=family), ids(page, "seq2seq"), ids(page, "seq2seq", 1)
    assert source[-1] == brought.config.eos_token_id and target[0] == brought.start_token
    best = np.sort(softmax(brought.forward(source, target)[2]))[::-1]
    np.testing.assert_allclose(shares(page, "seq2seq", "next"), best[:8], rtol=2e-2)
    view = root(page, "seq2seq")
    assert view.locator("[data-section=bartPositions]").count() == (family == "bart")
    assert view.locator("#seq2seq-style").is_hidden() and view.locator("#seq2seq-feed_forward").is_hidden()
    view.locator(".actions .button.main").click()
    assert settled(page, "seq2seq") == "ready"
    written = [one.token for one in brought.generate(source, 5)]
    assert view.locator("[data-section=writing] .strip button").count() == len(written)


def test_vit_looks_at_the_drawing_at_its_own_size_and_calls_its_classes_by_name(page):
    give(page, "vit", files(family="vit"))
    grey = 1 - 2 * resized(pixels_of("picture", START), 12)
    expected = softmax(model(family="vit").forward(np.stack([grey] * 3)))
    assert names(page, "vit", "answer") == CLASSES
    np.testing.assert_allclose(shares(page, "vit", "answer"), expected, rtol=2e-2)
    said = root(page, "vit").locator("[data-section=picture] .told").first.inner_text()
    assert said == WORDS["vit"]["told"]["fittedMany"].format(drawn=8, size=12, channels=3)
    assert root(page, "vit").locator("#vit-patch_size").is_hidden()
    assert root(page, "vit").locator("[data-section=tokens] .strip button").count() == 17


def test_vit_without_a_classifier_shows_where_it_looks(page):
    give(page, "vit", files(family="vit", head=False))
    view = root(page, "vit")
    assert view.locator(".claim").inner_text() == WORDS["vit"]["claims"]["noHead"]
    assert view.locator("[data-section=answer], [data-section=lens]").count() == 0
    view.locator("[data-section=tokens] .strip button").nth(3).click()
    view.locator("[data-section=tokens] .picker button").click()
    assert settled(page, "vit") == "ready"
    assert view.locator("canvas[data-heatmap=renormalised]").is_visible()


@EACH
def test_another_family_is_told_beside_the_files_and_the_lab_goes_on(page, lab, family):
    other = files(family="gpt2")
    drop_files(page, other, lab, "h2")
    state, _, error = told(page, lab)
    assert state == "random" and "model_type='gpt2'" in error and "drop it on the lab of its own" in error
    assert root(page, lab).locator(".claim").is_visible()
    assert root(page, lab).get_attribute("data-state") == "ready"
    give(page, lab, files(family=family))  # the error goes with the next good files


def test_a_text_longer_than_the_model_can_read_is_told_at_its_control(page):
    give(page, "bert", files(family="bert"))
    assert set_field(page, "tokens", "a b c d e f g h i j k l m n o p q", "bert") == "error"
    message = root(page, "bert").locator("#bert-tokens-error").inner_text()
    assert "use 1 to 20" in message
    assert set_field(page, "tokens", "a b", "bert") == "ready"
    set_field(page, "source", "a", "seq2seq")
    give(page, "seq2seq", files(family="bart"))
    assert set_field(page, "target", "猫" * 30, "seq2seq") == "error"
    assert "use 1 to 20" in root(page, "seq2seq").locator("#seq2seq-target-error").inner_text()


@EACH
def test_accessible_and_no_wider_than_a_phone(page, lab, family):
    give(page, lab, files(family=family))
    page.set_viewport_size({"width": 360, "height": 800})
    settled(page, lab)
    assert serious(page, f"[data-lab={lab}]") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1280, "height": 900})
