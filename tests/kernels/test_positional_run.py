"""The positional lab's run(): every claim of its prose, under the claim as its name, and what it refuses."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer.labs.positional import run
from seeformer.packing import pack
from seeformer.positional import look_up, sinusoidal
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

SETTINGS = [
    {},
    {"offset": 1000, "base": 50.0},
    {"seq_len": 4, "d_model": 4, "base": 100.0, "dims": [0, 1, 2, 3], "pair": 1, "pos": 1, "steps": 1},
    {"seq_len": 100, "d_model": 64, "steps": -7, "layout": "half", "seed": 3},
]
settings = pytest.mark.parametrize("params", SETTINGS, ids=str)


def cosine(table):
    size = np.linalg.norm(table, axis=-1)
    return table @ table.T / np.outer(size, size)


@settings
def test_each_array_in_its_shape(params):
    result = run(**params)
    n, d, words = result["seq_len"], result["d_model"], len(result["tokens"])
    for name in ("PE", "moved", "later", "learned", "queries", "keys", "rotated_queries", "rotated_keys"):
        assert result[name].shape == (n, d), name
    for name in ("similarity", "rope_scores", "learned_similarity"):
        assert result[name].shape == (n, n), name
    assert result["angles"].shape == (n, d // 2) and result["rates"].shape == (d // 2,)
    for order in ("output", "shuffled", "difference"):
        assert result[f"{order}_without"].shape == result[f"{order}_with"].shape == (words, d)
    assert result["concatenated"].shape == (words, 2 * d) and result["added"].shape == (words, d)
    assert result["W_twice"].shape == (2 * d, d)
    assert result["alibi"].shape == result["alibi_weights"].shape == (result["num_heads"], n, n)
    assert result["codes"].shape == (len(result["bases"]), n, d)
    assert result["clock_sweeps"].shape == (len(result["clocks"]), *result["sweep"].shape)
    assert len(result["positions"]) == n and len(result["columns"]) == d
    pack(result)


@settings
def test_even_columns_are_sines_and_odd_ones_cosines_of_position_times_rate(params):
    result = run(**params)
    assert (result["PE"][:, 0::2] == np.sin(result["angles"])).all()
    assert (result["PE"][:, 1::2] == np.cos(result["angles"])).all()
    pos = np.array(result["positions"], dtype=float)
    np.testing.assert_allclose(result["angles"], np.outer(pos, result["rates"]))


def test_the_first_pair_turns_fastest_and_each_next_one_slower_by_the_same_factor():
    rates = run()["rates"]
    assert rates[0] == 1 and (np.diff(rates) < 0).all()
    np.testing.assert_allclose(rates[1:] / rates[:-1], 10000 ** (-1 / 16))


@settings
def test_the_curves_pass_through_the_values_of_pe(params):
    result = run(**params)
    np.testing.assert_allclose(result["curves"][:, ::8], result["points"], atol=1e-9)
    assert (result["points"] == result["PE"][:, result["dims"].astype(int)].T).all()
    assert (result["curve_positions"][::8] == result["point_positions"]).all()
    assert result["dim_names"][0] == "sin 0"


def test_the_default_shuffle_lets_the_man_bite_the_dog():
    assert run()["shuffled"] == ["人", "咬", "狗"]


@given(st.lists(st.text(max_size=2), min_size=1, max_size=12), st.integers(0, 50))
def test_without_positions_a_shuffled_sentence_gives_the_same_vectors_permuted(tokens, shuffle):
    result = run(tokens=tokens, shuffle=shuffle, seq_len=2)
    order = result["order"]
    assert sorted(order) == list(range(len(tokens)))
    assert result["shuffled"] == [tokens[i] for i in order]
    assert result["change_without"] == abs(result["difference_without"]).max() < 1e-9
    np.testing.assert_allclose(result["shuffled_without"], result["output_without"][order], atol=1e-9)


@pytest.mark.parametrize("shuffle", range(1, 9))
def test_with_positions_the_same_words_in_another_order_give_other_outputs(shuffle):
    result = run(shuffle=shuffle)
    assert result["change_with"] == abs(result["difference_with"]).max() > 0.1
    back = result["shuffled_with"] - result["output_with"][result["order"]]
    assert (result["difference_with"] == back).all()


def test_both_outputs_say_nothing_new_where_nothing_was_shuffled():
    result = run(shuffle=0)
    assert result["change_with"] == result["change_without"] == 0


def test_nearby_positions_look_alike():
    result = run()
    row = result["similarity"][0]
    assert row[0] == pytest.approx(16) and (np.diff(row[:4]) < 0).all()
    assert (row[1] > row[2:]).all()


@settings
def test_the_similarity_is_the_same_at_every_position(params):
    result = run(**params)
    assert result["drift"] < 1e-8
    rows = zip(result["profiles"], result["profile_distances"], result["profile_names"], strict=True)
    for profile, distances, place in rows:
        assert (distances == np.arange(result["seq_len"]) - (int(place) - result["offset"])).all()
        np.testing.assert_allclose(profile, result["similarity"][0][abs(distances)], atol=1e-8)


@settings
def test_one_rotation_takes_every_position_to_the_one_k_steps_on(params):
    result = run(**params)
    assert result["rotation_error"] < 1e-8
    np.testing.assert_allclose(result["PE"] @ result["rotation"], result["later"], atol=1e-8)
    np.testing.assert_allclose(result["rotation"] @ result["rotation"].T, np.eye(result["d_model"]), atol=1e-12)


@settings
def test_the_hand_turns_by_an_angle_that_does_not_depend_on_where_it_starts(params):
    result = run(**params)
    angle, columns = result["angle"], [2 * result["pair"], 2 * result["pair"] + 1]
    assert angle == pytest.approx(result["steps"] * result["rates"][result["pair"]])
    assert result["degrees"] == pytest.approx(math.degrees(angle))
    paths = [result["sweep"], *result["start_sweeps"]]
    for path in paths:
        (sine, cosine), (sine_later, cosine_later) = path[0], path[-1]
        assert sine_later == pytest.approx(sine * math.cos(angle) + cosine * math.sin(angle), abs=1e-8)
        assert cosine_later == pytest.approx(cosine * math.cos(angle) - sine * math.sin(angle), abs=1e-8)
    hands = [sinusoidal(1, result["d_model"], base=result["base"], offset=int(start))[0] for start in result["starts"]]
    np.testing.assert_allclose(result["start_sweeps"][:, 0], np.array(hands)[:, columns], atol=1e-9)


@settings
def test_the_drawn_hands_are_pe_and_the_turned_pe(params):
    result = run(**params)
    pair, pos, steps = result["pair"], result["pos"], result["steps"]
    columns = [2 * pair, 2 * pair + 1]
    before, after = (
        sinusoidal(1, result["d_model"], base=result["base"], offset=at)[:, columns] for at in (pos, pos + steps)
    )
    assert (result["hand"] == before).all()
    np.testing.assert_allclose(result["hand_moved"], after, atol=1e-8)
    np.testing.assert_allclose(result["hand"] @ result["turn"], result["hand_moved"])
    np.testing.assert_allclose(result["sweep"][[0, -1]], np.concatenate([before, after]), atol=1e-8)
    chosen = list(result["clocks"]).index(pair)
    assert (result["clock_sweeps"][chosen] == result["sweep"]).all()


def test_a_small_base_repeats_itself():
    """At base 1 all hands turn alike, and 44 steps are 7 rounds but for 0.02 radians."""
    result = run(base=1)
    assert (result["closest_first"], result["closest_second"]) == (0, 44)
    assert result["closest_gap"] < 0.1 < run()["closest_gap"]
    assert abs(44 - 7 * 2 * math.pi) < 0.02


def test_a_large_base_leaves_most_hands_almost_still():
    slow = [run(base=base)["slow_pairs"] for base in (1, 10, 1000, 10000, 1e6, 1e9)]
    assert slow == sorted(slow) and slow[0] == 0 and slow[-1] > 13
    still = run(base=1e6)["PE"][:, -2:]
    assert abs(still - [0, 1]).max() < 0.001


def test_the_slowest_hand_needs_nearly_two_pi_base_steps():
    for base in (10.0, 10000.0):
        result = run(base=base, d_model=256)
        assert 0.9 < result["slowest"] / (2 * math.pi * base) < 1
        assert result["slowest"] == result["wavelengths"][result["chosen"], -1]


@pytest.mark.parametrize("base", [1.0, 10.0, 500.0, 10000.0, 1e9])
def test_the_chosen_base_stands_among_the_others(base):
    result = run(base=base, offset=7)
    assert result["bases"].tolist() == sorted({base, 10, 1000, 10000, 1e6})
    assert result["bases"][result["chosen"]] == base
    assert (result["codes"][result["chosen"]] == result["PE"]).all()
    np.testing.assert_allclose(result["fading"][:, 0], 1)
    np.testing.assert_allclose(result["wavelengths"][result["chosen"]] * result["rates"], 2 * math.pi)


def test_another_base_that_is_almost_the_chosen_one_is_left_out():
    assert run(base=9000)["base_names"] == ["10", "1000", "9000", "1000000"]


def test_the_closest_two_are_the_closest():
    result = run(seq_len=20, base=3.0, offset=100)
    gaps = np.linalg.norm(result["PE"][:, None] - result["PE"], axis=-1) + np.diag([np.inf] * 20)
    assert result["closest_gap"] == pytest.approx(gaps.min())
    assert gaps[result["closest_first"] - 100, result["closest_second"] - 100] == pytest.approx(gaps.min())


@settings
def test_adding_is_concatenating_with_the_same_weights_for_both(params):
    result = run(**params)
    assert (result["added"] == result["embedding"] + result["code"]).all()
    assert (result["concatenated"] == np.hstack([result["embedding"], result["code"]])).all()
    assert result["sum_error"] < 1e-12
    np.testing.assert_allclose(result["Q_added"], result["Q_concatenated"], atol=1e-12)


@settings
def test_concatenating_doubles_the_parameters_of_each_projection(params):
    result = run(**params)
    assert result["parameters_added"] == result["d_model"] ** 2
    assert result["parameters_concatenated"] == 2 * result["parameters_added"]


def test_an_untrained_table_is_noise_in_which_a_neighbour_is_no_nearer_than_others():
    alike = cosine(run(seq_len=128, d_model=256)["learned"])
    near, far = np.diagonal(alike, 1), np.diagonal(alike, 60)
    assert abs(near.mean()) < 0.03 and abs(far.mean()) < 0.03
    assert cosine(run()["PE"])[0, 1] > 0.9


def test_a_learned_table_ends():
    table = run(seq_len=48)["learned"]
    with pytest.raises(ValueError, match="reach past the table's 48 rows"):
        look_up(table, 1, offset=48)


@settings
def test_rope_turns_but_does_not_stretch_and_the_scores_know_only_the_distance(params):
    result = run(**params)
    assert result["rope_stretch"] < 1e-12 and result["rope_drift"] < 1e-8
    assert (result["queries"] == result["queries"][0]).all() and (result["keys"] == result["keys"][0]).all()
    assert abs(np.diff(result["rotated_queries"], axis=0)).max() > 0.1
    np.testing.assert_allclose(result["rope_scores"], result["rotated_queries"] @ result["rotated_keys"].T)


def test_the_layouts_of_rope_draw_other_pictures_of_the_same_idea():
    one, other = run(), run(layout="half")
    assert abs(one["rotated_queries"] - other["rotated_queries"]).max() > 0.1
    assert one["rope_drift"] < 1e-8 and other["rope_drift"] < 1e-8


def test_alibi_sees_near_words_with_steep_heads_and_far_ones_with_flat_heads():
    result = run()
    weights, slopes = result["alibi_weights"], result["slopes"]
    assert (np.diff(slopes) < 0).all()
    last = weights[:, -1]
    assert (np.diff(last, axis=1) > 0).all(), "the nearer the key, the greater its weight"
    assert (np.diff(last[:, -1]) < 0).all(), "the flatter the head, the less it gives to the nearest"
    np.testing.assert_allclose(weights.sum(axis=-1), 1)
    assert (result["alibi"][:, *np.triu_indices(48, 1)] == -np.inf).all()


def test_an_odd_width_has_no_rotation_and_no_rope_but_all_the_rest():
    even, odd = run(), run(d_model=33)
    turned = {
        "rotation",
        "moved",
        "later",
        "rotation_error",
        "hand",
        "turn",
        "hand_moved",
        "angle",
        "degrees",
        "sweep",
        "turns",
        "after",
        "hand_columns",
    }
    turned |= {"clocks", "clock_sweeps", "starts", "start_sweeps", "queries", "keys", "rotated_queries", "rotated_keys"}
    assert even.keys() - odd.keys() == turned | {"rope_scores", "rope_drift", "rope_stretch"}
    assert run(d_model=3, dims=[0], pair=1)["drift"] > 1e-4, "the lone sine breaks the symmetry"
    assert odd["pairs"] == 17


def test_numbers_for_a_pencil():
    """Four positions, four columns, base 100: angles of 0, 1, 2, 3 and 0, 0.1, 0.2, 0.3."""
    result = run(**SETTINGS[2])
    np.testing.assert_allclose(result["angles"], [[0, 0], [1, 0.1], [2, 0.2], [3, 0.3]])
    np.testing.assert_allclose(result["PE"][1], [math.sin(1), math.cos(1), math.sin(0.1), math.cos(0.1)])


def test_parameters_may_arrive_as_json():
    plain = run()
    crossed = run(**json.loads(json.dumps({"dims": (0, 1, 4, 6), "tokens": ("狗", "咬", "人"), "base": 10000})))
    assert plain.keys() == crossed.keys()
    assert all(np.array_equal(plain[name], crossed[name]) for name in plain)


def test_every_picture_knows_the_line_that_made_it():
    with trace() as seen:
        result = run()
    assert seen.lines["angles"][0] == "seeformer.positional"
    for name in ("PE", "similarity", "rotation", "difference_with", "rope_scores", "alibi_weights", "learned"):
        assert seen.lines[name][0] == "seeformer.labs.positional" and seen[name] is result[name], name


@pytest.mark.parametrize(
    "extreme",
    [
        {"seq_len": 1},
        {"seq_len": 128, "d_model": 256, "num_heads": 8, "steps": 64},
        {"d_model": 1, "dims": [0], "pair": 0},
        {"d_model": 2, "dims": [1, 1], "pair": 0},
        {"base": 1},
        {"base": 1e9, "offset": 1_000_000, "pos": 1_000_000},
        {"steps": -64},
        {"steps": 0},
        {"tokens": ["a"], "shuffle": 4},
        {"tokens": ["词"] * 32},
        {"dims": [0, 1, 2, 3, 30, 31], "pair": 15},
        {"seed": 2**64},
    ],
    ids=str,
)
def test_the_ends_of_the_controls(extreme):
    for name, value in run(**extreme).items():
        if name != "alibi" and isinstance(value, np.ndarray) and value.dtype.kind == "f":
            assert np.isfinite(value).all(), name


BAD = {
    "seq_len=0 is too small: use at least 1": {"seq_len": 0},
    "seq_len=129 is too large: use at most 128": {"seq_len": 129},
    "d_model=0 is too small: use at least 1": {"d_model": 0},
    "d_model=257 is too large: use at most 256": {"d_model": 257},
    "d_model=8.5 is not a whole number: use one such as 1": {"d_model": 8.5},
    "base=0.5 is too small: use at least 1": {"base": 0.5},
    "base='x' is not a finite number: use one such as 1.0": {"base": "x"},
    "base=2000000000.0 is too large: use at most 1000000000.0": {"base": 2e9},
    "offset=-1 is too small: use at least 0": {"offset": -1},
    "dims=[] is not a list of 1 to 6 columns: use one such as [0, 1, 4]": {"dims": []},
    "dims=3 is not a list of 1 to 6 columns: use one such as [0, 1, 4]": {"dims": 3},
    "dims=[0, 0, 0, 0, 0, 0, 0] is not a list of 1 to 6 columns: use one such as [0, 1, 4]": {"dims": [0] * 7},
    "dims=32 is too large: use at most 31": {"dims": [0, 32]},
    "dims=-1 is too small: use at least 0": {"dims": [-1]},
    "dims='x' is not a whole number: use one such as 1": {"dims": [0, "x"]},
    "tokens=0 tokens are too few or too many: use 1 to 32": {"tokens": []},
    "tokens=33 tokens are too few or too many: use 1 to 32": {"tokens": ["a"] * 33},
    "shuffle=-1 is too small: use at least 0": {"shuffle": -1},
    "pair=16 is too large: use at most 15": {"pair": 16},
    "pos=-1 is too small: use at least 0": {"pos": -1},
    "steps=65 is too large: use at most 64": {"steps": 65},
    "layout='halves' is unknown: use one of interleaved, half": {"layout": "halves"},
    "num_heads=9 is too large: use at most 8": {"num_heads": 9},
    "seed=-1 is too small: use at least 0": {"seed": -1},
}


@pytest.mark.parametrize("message", BAD)
def test_what_it_refuses(message):
    with pytest.raises(ValueError) as refusal:
        run(**BAD[message])
    assert str(refusal.value) == message
