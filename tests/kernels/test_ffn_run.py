"""The feed-forward lab's run(): every step by its name, every claim of its prose, and what it refuses."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer import feedforward
from seeformer.attention import init_attention
from seeformer.feedforward import feed_forward, gelu, relu
from seeformer.labs.ffn import run
from seeformer.token_vectors import token_vectors
from seeformer.trace import see as trace_see
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

WORDS = ["我", "爱", "猫", "，", "猫", "爱", "我"]
ENGLISH = "the cat chased the mouse and the mouse hid".split()
SETS = ["random", "detectors", "paper"]
NAMES = ["relu", "gelu", "gelu_tanh"]
STEPS = {
    **{name: ("n", "d_model") for name in ("X", "X_changed", "output", "output_changed", "difference", "contribution")},
    **{name: ("n", "d_ff") for name in ("pre_activation", "hidden")},
    **{"difference_attention": ("n", "d_model"), "W_1": ("d_model", "d_ff"), "W_2": ("d_ff", "d_model")},
    **{"firing_positions": ("n",), "firing_units": ("d_ff",), "unit_hidden": ("n",), "unit_pre_activation": ("n",)},
    **{"unit_reads": ("d_model",), "unit_writes": ("d_model",), "curve_x": (161,), "curves": (3, 161)},
}


@pytest.mark.parametrize("weight_set", SETS)
@pytest.mark.parametrize("options", [{}, {"activation": "gelu", "bias": False, "unit": 4, "changed": 1, "shuffle": 2}])
def test_every_step_is_there_in_its_shape(weight_set, options):
    result = run(tokens=WORDS, weight_set=weight_set, d_model=6, multiple=2, **options)
    for name, shape in STEPS.items():
        assert result[name].shape == tuple(result.get(axis, axis) for axis in shape), name
    assert len(result["tokens"]) == result["n"] and len(result["unit_names"]) == result["d_ff"]
    assert ("gate" in result) == (options.get("activation") == "gelu")
    weights = {name: result.get(name) for name in ("W_1", "b_1", "W_2", "b_2")}
    assert (weights["b_1"] is None) == (options.get("bias") is False and weight_set != "detectors")
    again = feed_forward(result["X"], **weights, activation=options.get("activation", "relu"))
    assert (again == result["output"]).all()


@pytest.mark.parametrize("tokens", [{}, {"tokens": ENGLISH}], ids=["zh", "en"])
def test_the_default_picture_shows_relu_silence_about_half_of_the_cells(tokens):
    result = run(**tokens)
    assert 0.4 < result["zeros"] / result["cells"] < 0.6 and result["silent_units"] >= 2
    assert result["fired"] + result["zeros"] == result["cells"] == result["n"] * result["d_ff"]
    assert len(set(result["tokens"])) < result["n"]
    low, high = result["unit_pre_activation"].min(), result["unit_pre_activation"].max()
    assert low < 0 < high  # the unit at which one looks first fires here and is silent there


def test_the_same_word_gets_the_same_row_wherever_it_stands():
    result = run()
    tokens = result["tokens"]
    first, second = (i for i, token in enumerate(tokens) if token == "鼠")
    for name in ("hidden", "output"):
        np.testing.assert_allclose(result[name][first], result[name][second], rtol=1e-12)


@given(st.lists(st.text(max_size=2), min_size=1, max_size=8), st.sampled_from(NAMES), st.data())
def test_change_one_position_and_only_its_row_changes_while_attention_changes_all(tokens, activation, data):
    changed = data.draw(st.integers(1, len(tokens)))
    result = run(tokens=tokens, activation=activation, changed=changed)
    rows = abs(result["difference"]).max(axis=-1) > 1e-9
    assert rows.tolist() == [i + 1 == changed for i in range(len(tokens))] and result["rows_changed"] == 1
    assert (result["difference"] == result["output_changed"] - result["output"]).all()
    assert result["rows_changed_attention"] == len(tokens)
    assert (abs(result["difference_attention"]).max(axis=-1) > 1e-9).all()
    assert [a != b for a, b in zip(result["tokens"], result["tokens_changed"], strict=True)] == rows.tolist()
    moved = abs(result["X_changed"] - result["X"]).max(axis=-1) > 0
    assert moved.tolist() == rows.tolist()


@pytest.mark.parametrize("changed", range(1, 10))
def test_the_replaced_word_stands_where_the_page_shows_it(changed):
    result = run(shuffle=3, changed=changed)
    word, replaced = result["tokens"][changed - 1], result["tokens_changed"][changed - 1]
    assert replaced == f"{word}′"
    assert (result["X"][changed - 1] == token_vectors([word], 16, seed=5)[0]).all()
    assert (result["X_changed"][changed - 1] == token_vectors([replaced], 16, seed=5)[0]).all()


def test_no_position_is_changed_at_0():
    result = run(changed=0)
    gone = ("X_changed", "output_changed", "difference", "difference_attention", "rows_changed")
    assert not set(gone) & result.keys() and result["tokens_changed"] == result["tokens"]


@pytest.mark.parametrize("weight_set", SETS[:2])
@pytest.mark.parametrize("shuffle", range(1, 9))
def test_shuffle_the_positions_and_the_output_only_permutes(weight_set, shuffle):
    plain, shuffled = (run(weight_set=weight_set, shuffle=k, activation="gelu") for k in (0, shuffle))
    assert shuffled["tokens"] != plain["tokens"] and sorted(shuffled["tokens"]) == sorted(plain["tokens"])
    assert shuffled["max_change"] < 1e-9
    assert (shuffled["difference_shuffled"] == shuffled["output"] - shuffled["output_original"]).all()
    order = [plain["tokens"].index(token) for token in shuffled["tokens"]]  # equal words have equal rows
    np.testing.assert_allclose(shuffled["output_original"], plain["output"][order], atol=1e-12)
    assert "max_change" not in plain and "output_original" not in plain


@pytest.mark.parametrize("options", [{}, {"activation": "gelu"}, {"weight_set": "detectors"}], ids=str)
def test_how_many_units_fire(options):
    result = run(**options)
    fires = result["hidden"] > 0
    assert (fires == (result["pre_activation"] > 0)).all() and result["fired"] == fires.sum()
    assert (result["firing_positions"] == fires.sum(axis=1) / result["d_ff"]).all()
    assert (result["firing_units"] == fires.sum(axis=0)).all()
    counts = [int((result["firing_units"] == k).sum()) for k in range(result["n"] + 1)]
    assert result["units_by_count"].tolist() == counts and result["silent_units"] == counts[0]


def test_gelu_leaves_no_cell_at_zero_and_never_falls_below_minus_017():
    for activation in ("gelu", "gelu_tanh"):
        result = run(activation=activation)
        assert result["zeros"] == 0 and -0.171 < result["lowest"] < -0.16
    assert run()["lowest"] == 0


def test_a_unit_on_its_curve():
    result = run(unit=7, activation="gelu")
    assert (result["unit_pre_activation"] == result["pre_activation"][:, 6]).all()
    assert (result["unit_hidden"] == gelu(result["unit_pre_activation"])).all()
    assert (result["unit_reads"] == result["W_1"][:, 6]).all() and (result["unit_writes"] == result["W_2"][6]).all()
    assert (result["contribution"] == np.outer(result["unit_hidden"], result["unit_writes"])).all()
    assert result["curve_names"] == NAMES
    assert (result["curves"][0] == relu(result["curve_x"])).all()
    assert (result["curves"][1] == gelu(result["curve_x"])).all()
    assert result["curve_x"][[0, -1]].tolist() == [-4, 4]
    far = run(weight_set="paper", paper_X=[[9, 0]], changed=0)  # the curve reaches as far as the unit does
    assert far["unit_pre_activation"].tolist() == [9] and far["curve_x"][[0, -1]].tolist() == [-9, 9]


def test_the_output_is_the_sum_of_what_the_units_add():
    total = sum(run(unit=j + 1)["contribution"] for j in range(64)) + run()["b_2"]
    np.testing.assert_allclose(total, run()["output"], atol=1e-12)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(("d_model", "multiple"), [(16, 4), (8, 1), (32, 8)])
def test_parameters_are_counted_on_the_arrays_and_match_the_formulas(bias, d_model, multiple):
    result = run(d_model=d_model, multiple=multiple, bias=bias)
    d_ff = d_model * multiple
    assert result["parameters_ffn"] == 2 * d_model * d_ff + bias * (d_ff + d_model)
    assert result["parameters_attention"] == 4 * d_model**2 + bias * 4 * d_model
    sizes = dict(zip(result["parameter_names"], result["parameter_counts"].tolist(), strict=True))
    assert all(sizes[name] == result[name].size for name in ("W_1", "b_1", "W_2", "b_2") if name in result)
    attention = init_attention(np.random.default_rng(0), d_model)
    assert all(sizes[name] == W.size for name, W in attention.items())
    lengths = result["parameter_spans"][:, 1] - result["parameter_spans"][:, 0]
    assert (lengths == result["parameter_counts"]).all()
    ends = dict(zip(result["parameter_blocks"], result["parameter_spans"][:, 1], strict=True))  # the last of each wins
    assert ends == {"attention": result["parameters_attention"], "ffn": result["parameters_ffn"]}
    assert sum(sizes.values()) == result["parameters_ffn"] + result["parameters_attention"]
    assert result["parameter_blocks"].count("attention") == (8 if bias else 4)


def test_with_d_ff_four_times_d_model_two_thirds_of_the_numbers_are_here():
    result = run(bias=False)
    assert result["parameter_ratio"] == 2
    assert result["parameters_ffn"] * 3 == 2 * (result["parameters_ffn"] + result["parameters_attention"])


@pytest.mark.parametrize("activation", NAMES)
def test_a_detector_fires_for_its_words_and_for_no_other(activation):
    result = run(weight_set="detectors", activation=activation)
    asked = [[token in name.split("/") for name in result["unit_names"]] for token in result["tokens"]]
    assert ((result["hidden"] > 0) == asked).all() and result["misfires"] == 0
    assert run(weight_set="detectors", activation=activation, shuffle=1)["misfires"] == 0
    np.testing.assert_allclose(result["pre_activation"], np.where(asked, 1, -1), atol=1e-9)
    words = ["猫", "追", "老", "鼠", "，", "躲"]
    pairs = [f"{a}/{b}" for i, a in enumerate(words) for b in words[i + 1 :]]
    assert result["unit_names"] == [*words, *pairs, *words, *pairs, *words, *pairs, words[0]]


def test_with_more_words_than_dimensions_detectors_misfire():
    words = [f"w{i}" for i in range(12)]
    crowded = run(weight_set="detectors", tokens=words, d_model=8)
    assert crowded["misfires"] > 0
    assert run(weight_set="detectors", tokens=words, d_model=12)["misfires"] == 0


def test_detectors_keep_their_thresholds():
    result = run(weight_set="detectors", bias=False)
    assert (result["b_1"] == -1).all() and result["misfires"] == 0


def test_paper_mode_by_hand():
    """Three vectors, four hidden units: what a reader gets with a pencil."""
    result = run(weight_set="paper")
    assert result["tokens"] == ["x1", "x2", "x3"] and (result["d_model"], result["d_ff"]) == (2, 4)
    assert result["pre_activation"].tolist() == [[1, -1, -1, 2], [2, -3, -2, 4], [-1, 2, 0, -1]]
    assert result["hidden"].tolist() == [[1, 0, 0, 2], [2, 0, 0, 4], [0, 2, 0, 0]]
    assert result["output"].tolist() == [[2, -2], [3, -4], [3, 4]]
    assert result["silent_units"] == 1 and result["fired"] == 5
    assert run(weight_set="paper", bias=False)["silent_units"] == 0  # without its bias the third unit fires for x3
    assert result["X_changed"].tolist() == [[2, 1], [2, -1], [-1, 1]] and result["tokens_changed"][0] == "x1′"
    ignored = run(weight_set="paper", tokens=[], d_model=-1, multiple=0, seed=-1, shuffle=5)
    assert (ignored["output"] == result["output"]).all() and "max_change" not in ignored


def test_parameters_may_arrive_as_json():
    settings = dict(tokens=tuple(WORDS), weight_set="paper", bias=False, paper_X=((1, 2), (3, 4)), changed=1)
    plain = run(**settings)
    crossed = run(**json.loads(json.dumps(settings | {"bias": 0})))
    assert plain.keys() == crossed.keys()
    assert all(np.array_equal(plain[name], crossed[name]) for name in plain)


def test_the_seed_chooses_words_and_weights():
    for weight_set in SETS[:2]:
        first, again, other = (run(weight_set=weight_set, seed=seed) for seed in (0, 0, 1))
        assert (first["output"] == again["output"]).all() and (first["output"] != other["output"]).any()


def test_the_comparisons_are_not_what_is_shown():
    """An outer trace (the bridge opens one for the lines) ends with the shown pass as well."""
    with trace() as seen:
        result = run(shuffle=1, activation="gelu")
    assert all(seen[name] is result[name] for name in ("pre_activation", "gate", "hidden", "output", "difference"))
    assert seen.lines["hidden"][0] == "seeformer.feedforward" and seen.lines["X"][0] == "seeformer.labs.ffn"


@pytest.mark.parametrize(
    "extreme",
    [
        {"tokens": ["a"], "changed": 1},
        {"tokens": ["a"], "shuffle": 1, "changed": 0},
        {"tokens": ["词"] * 128, "d_model": 128, "multiple": 8, "unit": 1024, "changed": 128},
        {"tokens": [str(i) for i in range(128)], "d_model": 4, "multiple": 1},
        {"d_model": 1, "multiple": 1},
        {"d_model": 256},
        {"seed": 2**64},
    ],
)
@pytest.mark.parametrize("weight_set", SETS[:2])
def test_the_ends_of_the_controls(extreme, weight_set):
    result = run(weight_set=weight_set, **extreme)
    assert np.isfinite(result["output"]).all()


BAD = {
    "weight_set='trained' is unknown: use one of random, detectors, paper": {"weight_set": "trained"},
    "tokens=0 tokens are too few or too many: use 1 to 128": {"tokens": []},
    "tokens='abc' is not a list of strings: use one such as ['我', '爱', '猫']": {"tokens": "abc"},
    "d_model=0 is too small: use at least 1": {"d_model": 0},
    "d_model=257 is too large: use at most 256": {"d_model": 257},
    "multiple=0 is too small: use at least 1": {"multiple": 0},
    "multiple=9 is too large: use at most 8": {"multiple": 9},
    "multiple=1.5 is not a whole number: use one such as 1": {"multiple": 1.5},
    "activation='swish' is unknown: use one of relu, gelu, gelu_tanh": {"activation": "swish"},
    "seed=-1 is too small: use at least 0": {"seed": -1},
    "bias='yes' is neither true nor false: use True or False": {"bias": "yes"},
    "unit=0 is too small: use at least 1": {"unit": 0},
    "unit=65 is too large: use at most 64": {"unit": 65},
    "changed=-1 is too small: use at least 0": {"changed": -1},
    "changed=10 is too large: use at most 9": {"changed": 10},
    "shuffle=-1 is too small: use at least 0": {"shuffle": -1},
}
BAD_PAPER = {
    "paper_X=[[1], [1, 2]] is not a table of numbers: give rows of equal length": {"paper_X": [[1], [1, 2]]},
    "paper_W_1=array of shape (3, 2) does not fit: make it 2 by any number": {"paper_W_1": [[1, 2], [3, 4], [5, 6]]},
    "paper_b_1=array of shape (1, 3) does not fit: make it 1 by 4": {"paper_b_1": [[1, 2, 3]]},
    "paper_W_2=array of shape (4, 3) does not fit: make it 4 by 2": {"paper_W_2": [[1, 2, 3]] * 4},
    "paper_b_2=array of shape (2,) does not fit: make it 1 by 2": {"paper_b_2": [1, 2]},
    "paper_b_2=[[1, 10000000.0]] has an entry that is no number or too large: use -1000000 to 1000000": {
        "paper_b_2": [[1, 1e7]]
    },
    "unit=5 is too large: use at most 4": {"unit": 5},
    "changed=4 is too large: use at most 3": {"changed": 4},
}


@pytest.mark.parametrize(
    ("message", "params"), [*BAD.items(), *((m, {"weight_set": "paper", **p}) for m, p in BAD_PAPER.items())]
)
def test_refusal(message, params):
    with pytest.raises(ValueError) as refusal:
        run(**params)
    assert str(refusal.value) == message


def test_a_lost_see_is_named(monkeypatch):
    """As when a reader deletes see("hidden", …) in the Code face."""
    monkeypatch.setattr(feedforward, "see", lambda name, value: value if name == "hidden" else trace_see(name, value))
    with pytest.raises(ValueError, match=r"^see='hidden' is named nowhere: put see\('hidden', …\) back"):
        run()
