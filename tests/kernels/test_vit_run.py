"""The ViT lab's run(): every array in its shape, what its prose claims, and what it refuses."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer import attention
from seeformer.drawings import DRAWINGS, drawn, written
from seeformer.labs.vit import START, rollout, run, shuffled
from seeformer.labs.vit_model import LABELS, model_for
from seeformer.model_view import renormalised
from seeformer.models.bert import Bert, BertConfig
from seeformer.norm import layer_norm
from seeformer.trace import see as trace_see
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

SMALL = {"num_layers": 2, "num_heads": 2, "d_model": 8}
OTHER = written(drawn("seven", 8))
ALL_PATCHES = [str(at) for at in range(1, 17)]
SHAPES = {
    "picture": ("size", "size"),
    "overlay": ("size", "size"),
    "cut": ("side", "side", "patch_size", "patch_size"),
    "look": ("side", "side"),
    "rollout": ("side", "side"),
    "weights": ("num_layers", "num_heads", "n", "n"),
    "looks": ("num_layers", "num_heads", "side", "side"),
    "to_class": ("num_layers", "num_heads"),
    **{name: ("n", "d_model") for name in ("embedding", "position", "X")},
    **{name: ("n", "d_k") for name in ("Q", "K", "V", "heads")},
    **{name: ("n", "n") for name in ("dots", "scores", "masked", "exp", "attention")},
    **{name: ("depth", 10) for name in ("lens", "lens_logits")},
    **{name: ("depth", 1) for name in ("lens_peak", "lens_total")},
    "norms": ("depth", "n"),
    "stream": ("depth", "d_model"),
    "logits": (10,),
    "probabilities": (10,),
}


@pytest.mark.parametrize("size", [8, 16])
@pytest.mark.parametrize("patch_size", [2, 4])
def test_every_array_is_there_in_its_shape(size, patch_size):
    result = run(picture=written(drawn("four", size)), patch_size=patch_size, **SMALL)
    result["depth"] = result["num_layers"] + 1
    for name, shape in SHAPES.items():
        assert result[name].shape == tuple(result.get(axis, axis) for axis in shape), name
    patches = (size // patch_size) ** 2
    assert result["patches"].shape == (patches, patch_size**2) and result["projected"].shape == (patches, 8)
    assert result["n"] == patches + 1 == len(result["tokens"]) and result["tokens"][0] == "CLS"
    assert len(result["patch_names"]) == patches and result["patch_names"][-1] == f"{result['side']}·{result['side']}"
    np.testing.assert_allclose(result["weights"].sum(axis=-1), 1)
    np.testing.assert_allclose(result["probabilities"].sum(), 1)


def test_parameters_may_arrive_as_json():
    settings = {"picture": OTHER, "hidden": ("3",), "ablated": ("encoder.0.self.1",), "positional": False, **SMALL}
    plain, crossed = run(**settings), run(**json.loads(json.dumps(settings | {"positional": 0})))
    assert plain.keys() == crossed.keys()
    assert all(np.array_equal(plain[name], crossed[name]) for name in plain)


# What the page says


def test_a_patch_is_a_row_of_its_pixels_and_what_libraries_write_as_a_convolution_is_one_product():
    result = run()
    picture, size = result["picture"], result["patch_size"]
    for at, row in enumerate(result["patches"]):
        down, across = divmod(at, result["side"])
        square = picture[down * size : (down + 1) * size, across * size : (across + 1) * size]
        assert (row == square.ravel()).all() and (result["cut"][down, across] == square).all()
    np.testing.assert_allclose(result["projected"], result["patches"] @ result["W_patch"] + result["b_patch"])
    kernel = result["W_patch"].T.reshape(-1, size, size)
    slid = [
        [(kernel * picture[y : y + size, x : x + size]).sum(axis=(1, 2)) for x in range(0, 8, size)]
        for y in range(0, 8, size)
    ]
    np.testing.assert_allclose(np.reshape(slid, (16, -1)), result["projected"], atol=1e-12)


def test_the_class_token_is_the_same_for_every_picture_and_the_patches_are_not():
    one, other = run(), run(picture=OTHER)
    assert (one["X"][0] == other["X"][0]).all()
    assert (one["X"][1:] != other["X"][1:]).any()
    assert (one["X"] == one["embedding"] + one["position"]).all()


def test_its_layers_are_those_of_bert_with_the_norm_put_first():
    bert = Bert.random(BertConfig(vocab_size=4, hidden_size=8, num_hidden_layers=1, num_attention_heads=2))
    ours, theirs = model_for(8, 2, 1, 2, 8, 0.2, 0, True).layers["encoder"][0], bert.layers["encoder"][0]
    assert type(ours) is type(theirs)
    assert (ours.norm_first, theirs.norm_first) == (True, False)


def test_only_the_vector_of_the_class_token_is_scored():
    model = model_for(8, 2, 2, 2, 8, 0.2, 0, True)
    hidden = model.hidden(np.ones((1, 8, 8)))
    changed = hidden.copy()
    changed[1:] += 1
    assert (model.logits(hidden) == model.logits(changed)).all()
    W = model.weights["classifier.weight"].T
    np.testing.assert_allclose(model.logits(hidden), layer_norm(hidden[0], eps=1e-12) @ W)


@given(st.integers(1, 50), st.sampled_from(DRAWINGS), st.sampled_from([2, 4]))
def test_without_position_vectors_shuffled_patches_are_scored_exactly_the_same(shuffle, name, patch_size):
    settings = {"picture": written(drawn(name, 8)), "patch_size": patch_size, "shuffle": shuffle, **SMALL}
    result = run(positional=False, **settings)
    assert result["logit_change"] < 1e-9 and result["moved"] < 1e-9 and result["top"] == result["top_before"]


def test_with_position_vectors_a_shuffle_changes_the_scores():
    for shuffle in range(1, 8):
        assert run(shuffle=shuffle)["logit_change"] > 1e-3


@pytest.mark.parametrize("patch_size", [2, 4])
def test_a_shuffle_moves_patches_and_nothing_else(patch_size):
    pixels = np.random.default_rng(0).random((8, 8))
    again = shuffled(pixels, patch_size, 1)
    rows = [run(picture=written(each), patch_size=patch_size, **SMALL)["patches"].tolist() for each in (pixels, again)]
    assert rows[0] != rows[1] and sorted(rows[0]) == sorted(rows[1])
    assert (shuffled(pixels, patch_size, 0) == pixels).all()


def test_what_goes_to_the_patches_and_to_the_class_token_sums_to_one():
    for query in (0, 5):
        result = run(query=query)
        np.testing.assert_allclose(result["looks"].sum(axis=(2, 3)) + result["to_class"], 1)
        assert (result["looks"].reshape(4, 4, 16) == result["weights"][:, :, query, 1:]).all()
        assert (result["look"] == result["looks"][0, 0]).all() and result["look_peak"] == result["look"].max()


def test_the_larger_the_weight_the_more_ink_of_that_patch_is_left():
    """The picture as this head sees it: untouched where it looks most, paler elsewhere."""
    result = run(layer=2, head=3)
    share = result["look"] / result["look_peak"]
    assert (result["look"] == result["looks"][1, 2]).all()
    for down in range(4):
        for across in range(4):
            where = np.s_[2 * down : 2 * down + 2, 2 * across : 2 * across + 2]
            np.testing.assert_allclose(result["overlay"][where], result["picture"][where] * share[down, across])


def test_small_weights_look_evenly():
    """At 0.02, where training starts, every weight is close to 1/n; at the lab's own spread it is not."""
    for settings in ({}, {"d_model": 64}, {"picture": written(drawn("zero", 16))}, {"num_layers": 6, "num_heads": 8}):
        result = run(spread=0.02, **settings)
        assert abs(result["weights"] * result["n"] - 1).max() < 0.2
    assert run()["weights"].max() * 17 > 4


def test_other_random_weights_mostly_say_something_else():
    answers = [run(seed=seed, **SMALL)["top"] for seed in range(40)]
    assert sum(one != other for one, other in zip(answers, answers[1:], strict=False)) > 0.7 * 39
    assert len(set(answers)) > 6


def test_the_last_row_of_the_lens_is_what_the_model_says():
    result = run(ablated=["encoder.1.self.0"])
    np.testing.assert_allclose(result["lens"][-1], result["probabilities"])
    np.testing.assert_allclose(
        np.exp(result["lens_logits"] - result["lens_peak"]) / result["lens_total"], result["lens"]
    )
    assert result["top"] == LABELS[result["probabilities"].argmax()]
    assert result["top_share"] == result["probabilities"].max()


def test_hiding_renormalises_exactly_in_the_first_layer_and_no_longer_in_the_last():
    result = run(hidden=["5", "6"])
    assert result["gaps"][0] < 1e-12 and result["gaps"][-1] > 1e-2
    assert (result["weights"][..., [5, 6]] == 0).all()
    np.testing.assert_allclose(result["weights"].sum(axis=-1), 1)
    assert (result["renormalised"] == renormalised(result["unhidden"], [5, 6])).all()
    np.testing.assert_allclose(result["renormalised"], result["attention"])
    later = run(hidden=["5", "6"], layer=4)
    assert abs(later["renormalised"] - later["attention"]).max() > 1e-3


def test_with_all_patches_hidden_every_picture_gets_the_same_scores():
    results = [run(picture=written(drawn(name, 8)), hidden=ALL_PATCHES) for name in DRAWINGS]
    for result in results:
        np.testing.assert_allclose(result["logits"], results[0]["logits"], atol=1e-12)
    assert (results[0]["weights"][:, :, :, 0] == 1).all()


def test_even_the_class_token_may_be_hidden_and_all_of_them():
    assert (run(hidden=["0"])["to_class"] == 0).all()
    nothing = run(hidden=["0", *ALL_PATCHES])
    assert (nothing["weights"] == 0).all() and np.isfinite(nothing["logits"]).all() and (nothing["overlay"] == 0).all()


def test_a_silenced_head_changes_the_answer_but_not_what_it_looks_at():
    whole, quiet = run(), run(ablated=["encoder.0.self.1", "encoder.9.self.0", "decoder.0.self.0"])
    assert (quiet["weights"][0] == whole["weights"][0]).all()
    assert (quiet["weights"][1] != whole["weights"][1]).any()
    assert (quiet["before"] == whole["probabilities"]).all() and quiet["moved"] > 0.01
    assert quiet["moved"] == pytest.approx(abs(quiet["before"] - quiet["probabilities"]).sum() / 2)
    assert quiet["silenced"].tolist() == [[0, 1]]
    assert not {"before", "moved", "gaps"} & whole.keys()


def test_rollout_mixes_and_rows_still_sum_to_one():
    weights = run()["weights"]
    np.testing.assert_allclose(rollout(weights).sum(axis=-1), 1)
    np.testing.assert_allclose(rollout(weights[:1]), (weights[0].mean(axis=0) + np.eye(17)) / 2)
    second = (weights[1].mean(axis=0) + np.eye(17)) / 2
    np.testing.assert_allclose(rollout(weights[:2]), second @ rollout(weights[:1]))


def test_the_pictures_that_are_offered_are_what_the_lab_takes():
    result = run()
    for name, rows in zip(result["drawing_names"], result["drawings"], strict=True):
        assert run(picture=rows.split(","), **SMALL)["picture"].shape == (8, 8), name
    assert tuple(result["drawings"][result["drawing_names"].index("three")].split(",")) == START


# How it is called


def test_what_lies_beyond_the_end_is_the_last():
    result = run(layer=99, head=99, query=99, hidden=["99"], **SMALL)
    assert (result["layer"], result["head"], result["query"]) == (1, 1, 16)
    assert result["hidden_tokens"].size == 0


def test_comparisons_are_not_what_is_shown():
    """An outer trace (the bridge opens one for the lines) ends with the shown pass."""
    with trace() as seen:
        result = run(hidden=["3"], ablated=["encoder.0.self.0"], shuffle=2, **SMALL)
    assert (seen["encoder.1.self.weights"] == result["weights"][1]).all()
    assert (seen["logits"] == result["logits"]).all()
    assert seen.lines["embeddings.patches"][0] == "seeformer.models.vit"


@pytest.mark.parametrize(
    "extreme",
    [
        {"picture": ["0000"] * 4, "patch_size": 4, "num_layers": 1, "num_heads": 1, "d_model": 1},
        {"picture": written(drawn("zero", 16)), "num_layers": 6, "num_heads": 8, "d_model": 64},
        {"spread": 0.0},
        {"spread": 2.0},
        {"picture": ["f" * 8] * 8, "seed": 2**64},
        {"patch_size": 8, "shuffle": 1},
    ],
)
def test_the_ends_of_the_controls(extreme):
    result = run(**extreme)
    assert all(np.isfinite(result[name]).all() for name in ("logits", "weights", "overlay", "norms", "rollout"))


BAD = {
    "patch_size=3 does not divide image_size=8: use a divisor of it": {"patch_size": 3},
    "patch_size=0 is too small: use at least 1": {"patch_size": 0},
    "patch_size=16 is too large: use at most 8": {"patch_size": 16},
    "d_model=10 is not divisible by num_heads=4: use a multiple of 4": {"d_model": 10},
    "d_model=257 is too large: use at most 256": {"d_model": 257},
    "num_layers=0 is too small: use at least 1": {"num_layers": 0},
    "num_layers=13 is too large: use at most 12": {"num_layers": 13},
    "num_heads=0 is too small: use at least 1": {"num_heads": 0},
    "spread=nan is not a finite number: use one such as 1.0": {"spread": float("nan")},
    "spread=-0.1 is too small: use at least 0": {"spread": -0.1},
    "seed=-1 is too small: use at least 0": {"seed": -1},
    "positional='no' is neither true nor false: use True or False": {"positional": "no"},
    "shuffle=-1 is too small: use at least 0": {"shuffle": -1},
    "layer=0 is too small: use at least 1": {"layer": 0},
    "head=0.5 is not a whole number: use one such as 1": {"head": 0.5},
    "query=-1 is too small: use at least 0": {"query": -1},
    "hidden=['a'] is no list of places: use one such as ['0', '3'], counted from 0": {"hidden": ["a"]},
    "ablated='a' is no head: use stack.layer.kind.head, such as 'decoder.0.self.3'": {"ablated": ["a"]},
    "picture=['zz'] is no picture: give a string a row, a sign a pixel, 0 (paper) to f (ink)": {"picture": ["zz"]},
}


@pytest.mark.parametrize(("message", "params"), BAD.items())
def test_refusal(message, params):
    with pytest.raises(ValueError) as refusal:
        run(**params)
    assert str(refusal.value) == message


def test_a_lost_see_is_named(monkeypatch):
    """As when a reader deletes see("weights", …) in the Code face."""
    monkeypatch.setattr(attention, "see", lambda name, value: value if name == "weights" else trace_see(name, value))
    with pytest.raises(ValueError, match="^see='encoder.0.self.weights' is named nowhere"):
        run()
