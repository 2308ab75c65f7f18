"""The attention lab's run(): every step by its name, for every set of weights, and what it refuses."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer import attention
from seeformer.attention import multi_head_attention
from seeformer.labs.attention import run
from seeformer.positional import sinusoidal
from seeformer.trace import see as trace_see
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

WORDS = ["我", "爱", "猫", "，", "猫", "爱", "我"]
SETS = ["hand_built", "random_scaled", "random_001", "paper"]
STEPS = {
    **{name: ("n", "d_model") for name in ("embedding", "positions", "X", "concat", "output")},
    **{name: ("d_model", "d_model") for name in ("W_Q", "W_K", "W_V", "W_O")},
    **{name: ("num_heads", "n", "d_k") for name in ("Q", "K", "V", "heads")},
    **{name: ("num_heads", "n", "n") for name in ("dots", "scores", "masked", "exp", "weights")},
    **{name: ("num_heads", "n", 1) for name in ("peak", "total")},
    **{"mask": ("n", "n"), "row_sums": ("num_heads", "n")},
}


@pytest.mark.parametrize("weight_set", SETS)
@pytest.mark.parametrize("options", [{}, {"causal": True, "padding": 2, "scaled": False, "positional": False}])
def test_every_step_is_there_in_its_shape(weight_set, options):
    result = run(tokens=WORDS, weight_set=weight_set, num_heads=2, d_model=6, **options)
    for name, shape in STEPS.items():
        assert result[name].shape == tuple(result.get(axis, axis) for axis in shape), name
    assert ("b_Q" in result) == (weight_set == "hand_built")
    assert len(result["head_names"]) == result["num_heads"] and len(result["tokens"]) == result["n"]
    assert result["num_heads"] * result["d_k"] == result["d_model"]
    np.testing.assert_allclose(result["row_sums"], 1)
    weights = {name: result[name] for name in ("W_Q", "W_K", "W_V", "W_O", "b_Q") if name in result}
    again = multi_head_attention(
        result["X"], **weights, num_heads=result["num_heads"], mask=result["mask"], scale=result["scale"]
    )
    assert (again == result["output"]).all()


def test_what_the_page_promises():
    result = run(tokens=["我", "爱", "猫"], num_heads=2, d_model=8, seed=0, causal=True)
    assert result["weights"].shape == (2, 3, 3)
    np.testing.assert_allclose(result["weights"].sum(axis=-1), 1)
    assert (np.triu(result["weights"], 1) == 0).all()
    with pytest.raises(ValueError, match="^d_model=10 is not divisible by num_heads=4: use a multiple of 4$"):
        run(d_model=10, num_heads=4)


def test_the_default_sentence_shows_what_each_head_does():
    result = run()
    tokens, weights = result["tokens"], dict(zip(result["head_names"], result["weights"], strict=True))
    assert 8 <= len(tokens) <= 10 and len(set(tokens)) < len(tokens)
    i, n = np.arange(1, len(tokens)), len(tokens)
    assert (weights["previous"][i, i - 1] > 0.9).all() and (weights["next"][i - 1, i] > 0.9).all()
    assert (weights["first"][:, 0] > 0.9).all()
    equal = np.array([[a == b for b in tokens] for a in tokens])
    assert (weights["same"][equal] > 3 / n).all()


def test_parameters_may_arrive_as_json():
    settings = dict(tokens=tuple(WORDS), causal=True, positional=False, sharpness=2.0, paper_X=((1, 2), (3, 4)))
    plain = run(**settings)
    crossed = run(**json.loads(json.dumps(settings | {"causal": 1, "positional": 0, "sharpness": 2})))
    assert plain.keys() == crossed.keys()
    assert all(np.array_equal(plain[name], crossed[name]) for name in plain)


@given(st.lists(st.text(max_size=2), min_size=1, max_size=12), st.sampled_from(SETS[:3]), st.integers(0, 50))
def test_without_positions_shuffling_only_permutes(tokens, weight_set, shuffle):
    result = run(tokens=tokens, weight_set=weight_set, positional=False, shuffle=shuffle)
    assert sorted(result["tokens"]) == sorted(tokens)
    if shuffle:
        assert result["max_change"] < 1e-9
        assert (result["difference"] == result["output"] - result["output_original"]).all()
    else:
        assert result["tokens"] == tokens
        assert not {"difference", "output_original", "max_change"} & result.keys()


@pytest.mark.parametrize("shuffle", range(1, 20))
def test_a_shuffle_moves_something_and_compares_with_the_unshuffled_run(shuffle):
    """With positions the same words in another order give other outputs."""
    distinct = [f"w{i}" for i in range(4)]
    plain, shuffled = run(tokens=distinct), run(tokens=distinct, shuffle=shuffle)
    assert shuffled["tokens"] != distinct
    order = [distinct.index(token) for token in shuffled["tokens"]]
    assert (shuffled["output_original"] == plain["output"][order]).all()
    assert shuffled["max_change"] == abs(shuffled["output"] - plain["output"][order]).max() > 0.01
    assert (shuffled["output"] == run(tokens=shuffled["tokens"])["output"]).all()


def test_padding_stays_at_the_end_and_nobody_looks_at_it():
    distinct = [f"w{i}" for i in range(6)]
    result = run(tokens=distinct, padding=2, shuffle=3, positional=False)
    assert result["tokens"][4:] == distinct[4:]
    assert (result["weights"][:, :, 4:] == 0).all()
    assert result["max_change"] < 1e-9
    all_hidden = run(tokens=distinct, padding=6)
    assert (all_hidden["weights"] == 0).all() and (all_hidden["output"] == 0).all()


def test_scale():
    on, off = run(), run(scaled=False)
    assert (on["scale"], off["scale"]) == (0.25, 1.0)
    assert (off["scores"] == off["dots"]).all() and (on["scores"] == on["dots"] / 4).all()
    assert run(sharpness=3)["scale"] == 0.75
    np.testing.assert_allclose(run(sharpness=0, tokens=WORDS)["weights"], 1 / 7)
    assert run(sharpness=1e6)["weights"].max() == 1


def test_001_is_uniform_and_scaled_is_not():
    """Why the article's pictures are grey: scores of size 0.01 * 0.01 * d_model can hardly differ."""
    n = len(run()["tokens"])
    assert abs(run(weight_set="random_001")["weights"] * n - 1).max() < 0.15
    assert run(weight_set="random_scaled")["weights"].max() * n > 2


@pytest.mark.parametrize("weight_set", SETS[:2])
def test_positions_are_added_or_left_out(weight_set):
    on, off = (run(weight_set=weight_set, positional=positional) for positional in (True, False))
    assert (on["embedding"] == off["embedding"]).all() and (off["positions"] == 0).all()
    assert (on["X"] == on["embedding"] + on["positions"]).all() and (off["X"] == off["embedding"]).all()
    start = 0 if weight_set == "random_scaled" else on["d_k"]  # hand-built: beside the identity
    width = on["d_model"] if weight_set == "random_scaled" else on["d_k"]
    assert (on["positions"][:, start : start + width] == sinusoidal(on["n"], width)).all()


def test_the_seed_chooses_words_and_weights():
    for weight_set in SETS[:3]:
        first, again, other = (run(weight_set=weight_set, seed=seed) for seed in (0, 0, 1))
        assert (first["output"] == again["output"]).all() and (first["output"] != other["output"]).any()
    same_word = run(weight_set="random_scaled", tokens=["猫", "b", "猫"])["embedding"]
    assert (same_word[0] == same_word[2]).all() and (same_word[0] != same_word[1]).all()


def test_paper_mode_by_hand():
    """Three tokens, two columns, unscaled: what a reader gets with a pencil."""
    result = run(weight_set="paper", scaled=False)
    assert result["tokens"] == ["x1", "x2", "x3"] and (result["d_model"], result["num_heads"], result["d_k"]) == (
        2,
        1,
        2,
    )
    assert result["Q"][0].tolist() == [[1, 1], [0, 1], [1, 2]]
    assert result["K"][0].tolist() == [[2, 0], [1, 1], [3, 1]]
    assert result["V"][0].tolist() == [[1, 2], [3, 0], [4, 2]]
    assert result["dots"][0].tolist() == [[2, 2, 4], [0, 1, 1], [2, 3, 5]]
    e = np.e
    np.testing.assert_allclose(result["weights"][0, 1], np.array([1, e, e]) / (1 + 2 * e))
    np.testing.assert_allclose(result["concat"][1], np.array([1 + 7 * e, 2 + 2 * e]) / (1 + 2 * e))
    np.testing.assert_allclose(result["output"][1], np.array([3 + 9 * e, 2 + 2 * e]) / (1 + 2 * e))
    ignored = run(
        weight_set="paper", scaled=False, tokens=[], d_model=10, num_heads=4, seed=-1, positional=False, shuffle=5
    )
    assert (ignored["output"] == result["output"]).all()


def test_paper_mode_takes_other_numbers_and_masks():
    result = run(weight_set="paper", paper_X=[[0.5, -1], [2, 0]], causal=True, padding=1, scaled=True)
    assert result["n"] == 2 and result["scale"] == pytest.approx(2**-0.5)
    assert result["weights"][0].tolist() == [[1, 0], [1, 0]]


def test_the_comparison_is_not_what_is_shown():
    """An outer trace (the bridge opens one for the lines) ends with the shown pass as well."""
    with trace() as seen:
        result = run(shuffle=1)
    assert all(seen[name] is result[name] for name in seen)
    assert seen.lines["weights"][0] == "seeformer.attention" and seen.lines["X"][0] == "seeformer.labs.attention"


@pytest.mark.parametrize(
    "extreme",
    [
        {"tokens": ["a"]},
        {"tokens": ["词"] * 128, "d_model": 256, "num_heads": 8},
        {"tokens": [str(i) for i in range(128)], "causal": True, "padding": 127},
        {"d_model": 1, "num_heads": 1},
        {"d_model": 64, "num_heads": 64},
        {"tokens": ["a"], "shuffle": 1},
        {"sharpness": 1e6, "scaled": False},
        {"padding": 9, "shuffle": 2},
        {"seed": 2**64},
    ],
)
@pytest.mark.parametrize("weight_set", SETS[:3])
def test_the_ends_of_the_controls(extreme, weight_set):
    result = run(weight_set=weight_set, **extreme)
    assert np.isfinite(result["output"]).all()


BAD = {
    "weight_set='trained' is unknown: use one of hand_built, random_scaled, random_001, paper": {
        "weight_set": "trained"
    },
    "tokens=0 tokens are too few or too many: use 1 to 128": {"tokens": []},
    "tokens=129 tokens are too few or too many: use 1 to 128": {"tokens": ["a"] * 129},
    "tokens='abc' is not a list of strings: use one such as ['我', '爱', '猫']": {"tokens": "abc"},
    "tokens=[1] is not a list of strings: use one such as ['我', '爱', '猫']": {"tokens": [1]},
    "d_model=0 is too small: use at least 1": {"d_model": 0},
    "d_model=1025 is too large: use at most 1024": {"d_model": 1025},
    "d_model=8.5 is not a whole number: use one such as 1": {"d_model": 8.5},
    "num_heads=0 is too small: use at least 1": {"num_heads": 0},
    "num_heads=128 is too large: use at most 64": {"num_heads": 128},
    "seed=-1 is too small: use at least 0": {"seed": -1},
    "causal='false' is neither true nor false: use True or False": {"causal": "false"},
    "scaled=2 is neither true nor false: use True or False": {"scaled": 2},
    "positional=None is neither true nor false: use True or False": {"positional": None},
    "padding=-1 is too small: use at least 0": {"padding": -1},
    "padding=4 is too large: use at most 3": {"padding": 4, "tokens": ["a", "b", "c"]},
    "sharpness=-0.5 is too small: use at least 0": {"sharpness": -0.5},
    "sharpness=inf is not a finite number: use one such as 1.0": {"sharpness": float("inf")},
    "sharpness=10000000.0 is too large: use at most 1000000": {"sharpness": 1e7},
    "shuffle=-1 is too small: use at least 0": {"shuffle": -1},
    "shuffle=1.5 is not a whole number: use one such as 1": {"shuffle": 1.5},
}
BAD_PAPER = {
    "paper_X=[[1], [1, 2]] is not a table of numbers: give rows of equal length": {"paper_X": [[1], [1, 2]]},
    "paper_X=[['a', 'b']] is not a table of numbers: give rows of equal length": {"paper_X": [["a", "b"]]},
    "paper_X=array of shape (0,) does not fit: make it any number by any number": {"paper_X": []},
    "paper_X=array of shape (1, 0) does not fit: make it any number by any number": {"paper_X": [[]]},
    "paper_X=array of shape (2,) does not fit: make it any number by any number": {"paper_X": [1, 2]},
    "paper_W_Q=array of shape (3, 2) does not fit: make it 2 by 2": {"paper_W_Q": [[1, 2], [3, 4], [5, 6]]},
    "paper_W_K=array of shape (2, 2) does not fit: make it 3 by 3": {"paper_X": [[1, 2, 3]], "paper_W_Q": np.eye(3)},
    "paper_W_V=[[1, nan], [0, 1]] has an entry that is no number or too large: use -1000000 to 1000000": {
        "paper_W_V": [[1, float("nan")], [0, 1]]
    },
    "paper_W_O=[[1, 0], [0, 10000000.0]] has an entry that is no number or too large: use -1000000 to 1000000": {
        "paper_W_O": [[1, 0], [0, 1e7]]
    },
    "padding=4 is too large: use at most 3": {"padding": 4},
}


@pytest.mark.parametrize(
    ("message", "params"), [*BAD.items(), *((m, {"weight_set": "paper", **p}) for m, p in BAD_PAPER.items())]
)
def test_refusal(message, params):
    with pytest.raises(ValueError) as refusal:
        run(**params)
    assert str(refusal.value) == message


def test_a_lost_see_is_named(monkeypatch):
    """As when a reader deletes see("weights", …) in the Code face."""
    monkeypatch.setattr(attention, "see", lambda name, value: value if name == "weights" else trace_see(name, value))
    with pytest.raises(ValueError, match=r"^see='weights' is named nowhere: put see\('weights', …\) back"):
        run()
