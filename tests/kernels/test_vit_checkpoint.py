"""The ViT lab on a model of the reader's: the picture at its size, its classes by name, with a classifier or without."""

from dataclasses import replace

import numpy as np
import pytest
from brought import brought

from seeformer.attention import softmax
from seeformer.drawings import drawn, pixels_of, resized, written
from seeformer.labs.vit import run
from seeformer.labs.vit_model import choose
from seeformer.models.vit import ViT, ViTConfig

pytestmark = pytest.mark.filterwarnings("error")

PICTURE = written(drawn("four", 8))
CONFIG = ViTConfig(12, 2, 3, 10, image_size=12, patch_size=4, num_channels=3, num_labels=4)
NAMES = {"id2label": {"0": "cat", "1": "dog", "2": "ox", "3": "hen"}}


def model(head=True, **changes):
    return ViT.random(replace(CONFIG, **changes), 2, spread=0.4, head=head)


def shown(given=None, names=NAMES, **params):
    return run(**{"picture": PICTURE, "checkpoint": brought(given or model(), **names)} | params)


def test_it_is_the_readers_model_and_its_classes_have_their_names():
    result = shown()
    grey = 1 - 2 * resized(pixels_of("picture", PICTURE), 12)
    shares = softmax(model().forward(np.stack([grey] * 3).astype(np.float32)))
    np.testing.assert_allclose(result["probabilities"], shares, rtol=1e-4)
    assert result["labels"] == ["cat", "dog", "ox", "hen"] and result["top"] == result["labels"][shares.argmax()]
    sizes = [result[name] for name in ("drawn", "size", "side", "n", "patch_size", "num_channels", "num_layers")]
    assert sizes == [8, 12, 3, 10, 4, 3, 2] and result["num_heads"] == 3
    assert result["picture"].shape == (12, 12) and result["patches"].shape == (9, 48)
    np.testing.assert_allclose(
        result["patches"] @ result["W_patch"] + result["b_patch"], result["projected"], rtol=1e-3, atol=1e-5
    )


def test_one_channel_is_ink_and_more_are_white_1_and_black_minus_1():
    paper = ["0" * 8] * 8
    assert (shown(picture=paper)["patches"] == 1).all()
    assert (shown(picture=["f" * 8] * 8)["patches"] == -1).all()
    one = shown(model(num_channels=1), picture=paper)
    assert (one["patches"] == 0).all() and one["num_channels"] == 1


def test_a_picture_is_resized_by_what_each_new_pixel_covers():
    np.testing.assert_allclose(resized(np.array([[0.0, 1.0], [0.0, 1.0]]), 3), [[0, 0.5, 1]] * 3)
    np.testing.assert_allclose(resized(np.arange(16.0).reshape(4, 4), 2), [[2.5, 4.5], [10.5, 12.5]])
    picture = np.random.default_rng(0).random((8, 8))
    assert (resized(picture, 8) == picture).all()
    np.testing.assert_allclose(resized(picture, 24), picture.repeat(3, 0).repeat(3, 1))
    for size in (3, 5, 28, 224):
        assert resized(picture, size).mean() == pytest.approx(picture.mean())


def test_of_many_classes_the_likeliest_are_shown_and_shares_are_of_all():
    result = shown(model(num_labels=40), names={})
    assert len(result["labels"]) == 10 and result["num_labels"] == 40
    assert (np.diff(result["probabilities"]) <= 0).all() and result["probabilities"].sum() < 1
    assert result["top"] == result["labels"][0] and result["lens"].shape == (3, 10)
    np.testing.assert_allclose(result["lens"][-1], result["probabilities"], rtol=1e-4)
    np.testing.assert_allclose(
        np.exp(result["lens_logits"] - result["lens_peak"]) / result["lens_total"], result["lens"], rtol=1e-4
    )


def test_without_a_classifier_there_is_attention_and_no_score():
    result = shown(model(head=False), hidden=["2"], shuffle=1, ablated=["encoder.0.self.1"])
    assert not {"labels", "probabilities", "lens", "moved", "unmoved"} & result.keys()
    assert (result["weights"][..., 2] == 0).all() and "renormalised" in result


def test_without_position_vectors_a_shuffle_changes_nothing_in_float32_too():
    for seed in range(1, 6):
        assert shown(shuffle=seed, positional=False)["unmoved"]
    assert not shown(shuffle=1)["unmoved"] and shown(shuffle=1)["logit_change"] > 0


def test_the_readers_weights_stay_as_they_are():
    before = shown()["probabilities"]
    shown(positional=False)
    name = brought(model(), **NAMES)
    first, second = (choose(np.zeros((8, 8)), name, 2, 4, 4, 32, 0.2, 0, positional) for positional in (False, True))
    table = "vit.embeddings.position_embeddings"
    assert not first.model.weights[table].any() and second.model.weights[table].any()
    assert first.model.weights["classifier.weight"] is second.model.weights["classifier.weight"]
    np.testing.assert_array_equal(shown()["probabilities"], before)


def test_a_tiny_drawing_on_a_large_model():
    result = shown(model(image_size=64, patch_size=8), picture=["0f0f"] * 4)
    assert result["n"] == 65 and result["cut"].shape == (8, 8, 8, 8)
    assert (result["picture"][:, :16] == 0).all() and (result["picture"][:, 16:32] == 1).all()
