"""The mask lab's run(): the masked pass, the four experiments around it, and what it refuses."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer import attention
from seeformer.attention import scaled_dot_product_attention
from seeformer.labs.mask import naive_softmax, run
from seeformer.trace import see as trace_see
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

WORDS = ["我", "爱", "猫", "，", "猫", "爱", "我"]
SETS = ["random_scaled", "hand_built", "paper"]
PAIRS = ["scores", "mask", "masked", "weights", "weights_unmasked", "zeroed", "emptied_scores", "naive_weights", "emptied_weights"]  # fmt: skip
VECTORS = ["output", "output_alone", "prefix_difference", "naive_output", "naive_next", "emptied_output", "emptied_next"]  # fmt: skip
WAYS = ["masked", "unmasked", "zeroed"]
MASKS = {
    "none": dict(causal=False),
    "causal": dict(),
    "window": dict(causal=False, window=2),
    "padding": dict(causal=False, padding=2),
    "left padding": dict(padding=2, padding_left=True),
    "drawn": dict(causal=False, drawn=["1011", "0000", "1101"]),
    "all": dict(window=3, padding=1, drawn=["111", "101"]),
}
every_mask = pytest.mark.parametrize("masks", MASKS.values(), ids=MASKS)
every_set = pytest.mark.parametrize("weight_set", SETS)


def visible(result):
    return result["mask"] == 0


@every_set
@every_mask
def test_every_step_is_there_in_its_shape(weight_set, masks):
    result = run(tokens=WORDS, weight_set=weight_set, **masks)
    n, d_v = result["n"], result["V"].shape[1]
    assert n == len(result["tokens"]) == (4 if weight_set == "paper" else 7)
    assert {name: result[name].shape for name in PAIRS} == dict.fromkeys(PAIRS, (n, n))
    differences = [f"{what}_{way}" for what in ("difference", "before", "after") for way in WAYS]
    assert {result[name].shape for name in VECTORS + differences} == {(n, d_v)}
    assert result["row_sums"].shape == result["zeroed_sums"].shape == (n, 1) and result["moved"].shape == (n, 3)
    assert result["visible"] == visible(result).sum() and result["cells"] == n * n
    assert (result["masked"] == result["scores"] + result["mask"]).all()
    again = scaled_dot_product_attention(*(result[name] for name in "QKV"), mask=result["mask"], scale=result["scale"])
    assert (again == result["output"]).all()
    assert (result["X"] @ result["W_Q"] == result["Q"]).all()


def test_the_default_picture_teaches():
    for tokens in ("猫坐在垫子上", ["the", "cat", "sat", "on", "the", "mat"]):
        result = run(tokens=list(tokens))
        assert (visible(result) == np.tril(np.ones((6, 6), bool))).all()
        assert [result[f"moved_{way}"] for way in WAYS] == [0, 5, 5]
        assert (
            result["moved"][:, 2] > 0.05 * result["moved"].max()
        ).all()  # the shortcut's leak is seen, not only counted
        assert result["naive_nan_rows"] == 1 and result["naive_next_nan_rows"] == 6
        assert result["prefix_max"] < 1e-12


# The claims of the lab


@every_mask
def test_a_hidden_word_gets_exactly_nothing_and_the_others_share_out_1(masks):
    result = run(tokens=WORDS, **masks)
    assert (result["weights"][~visible(result)] == 0).all()
    sees_something = visible(result).any(axis=-1)
    np.testing.assert_allclose(result["row_sums"][sees_something], 1)
    assert (result["row_sums"][~sees_something] == 0).all()
    assert result["blind_rows"] == (~sees_something).sum()


def test_the_causal_mask_hides_the_columns_after_each_row():
    """Rows are queries, columns keys: the upper right is hidden, never the lower left."""
    result = run(tokens=WORDS)
    for query in range(7):
        assert visible(result)[query].tolist() == [key <= query for key in range(7)]


@pytest.mark.parametrize("seed", range(5))
def test_the_first_row_sees_only_itself_and_its_weight_has_to_be_1(seed):
    assert run(seed=seed)["weights"][0].tolist() == [1, 0, 0, 0, 0, 0]


def test_padding_hides_whole_columns_the_same_for_every_row_and_not_the_future():
    for padding in (2, 7):
        result = run(tokens=WORDS, causal=False, padding=padding)
        assert visible(result).tolist() == [[key < 7 - padding for key in range(7)]] * 7
    assert visible(result := run(tokens=WORDS, causal=False, padding=2))[0, 1] and result["weights"][0, 1] > 0
    left = run(tokens=WORDS, causal=False, padding=2, padding_left=True)
    assert visible(left).tolist() == [[key >= 2 for key in range(7)]] * 7


def test_padding_on_the_left_under_a_causal_mask_leaves_rows_that_see_nothing():
    result = run(tokens=WORDS, padding=2, padding_left=True)
    assert result["blind_rows"] == 2 and (result["output"][:2] == 0).all()


@pytest.mark.parametrize("window", range(1, 9))
def test_a_window_shows_fewer_than_w_steps_on_both_sides(window):
    for query, row in enumerate(visible(run(tokens=WORDS, causal=False, window=window))):
        assert row.tolist() == [abs(query - key) < window for key in range(7)]
    assert visible(run(tokens=WORDS, window=window)).sum(axis=-1).max() == min(window, 7)
    longer = visible(run(tokens=["w"] * 32, causal=False, window=window))
    assert longer.sum(axis=-1).max() == 2 * window - 1  # however long the sentence


@given(
    st.booleans(), st.integers(0, 6), st.integers(0, 5), st.booleans(), st.lists(st.text("01", max_size=6), max_size=6)
)
def test_masks_are_added_and_only_where_every_one_lets_pass_can_be_seen(causal, window, padding, left, drawn):
    choices = dict(causal=causal, window=window, padding=padding, padding_left=left, drawn=drawn)
    result = run(tokens=list("abcde"), **choices)
    parts = [result[name] for name in ("mask_causal", "mask_window", "mask_padding", "mask_drawn") if name in result]
    assert (result["mask"] == sum(parts, start=np.zeros((5, 5)))).all()
    alone = [{"causal": causal}, {"window": window}, {"padding": padding, "padding_left": left}, {"drawn": drawn}]
    each = [visible(run(tokens=list("abcde"), **({"causal": False} | one))) for one in alone]
    assert (visible(result) == np.logical_and.reduce(each)).all()


def test_what_is_drawn_is_what_is_seen_and_a_drawing_fits_any_sentence():
    rows = ["1010", "0111", "1110", "0001"]
    for n in range(1, 8):
        result = run(tokens=WORDS[:n], causal=False, drawn=rows)
        expected = np.ones((7, 7), bool)
        expected[:4, :4] = [[sign == "1" for sign in row] for row in rows]
        assert (visible(result) == expected[:n, :n]).all()
    assert "mask_drawn" not in run(drawn=["111", "1"])


@every_set
def test_zero_after_the_softmax_leaves_rows_that_do_not_sum_to_1(weight_set):
    result = run(weight_set=weight_set)
    sums = result["zeroed_sums"][:, 0]
    assert (sums[:-1] < 1).all() and sums[-1] == pytest.approx(1)  # the last row hides nothing
    assert result["zeroed_least"] == sums.min()
    np.testing.assert_allclose(result["row_sums"], 1)
    assert (result["zeroed"] == np.where(visible(result), result["weights_unmasked"], 0)).all()


@every_set
@every_mask
def test_dividing_by_the_sums_leads_back_to_the_true_weights(weight_set, masks):
    assert run(weight_set=weight_set, **masks)["repair_error"] < 1e-12


@pytest.mark.parametrize("change_at", [0, 2, 4, 6])
@pytest.mark.parametrize("window", [0, 2])
def test_leak_no_output_before_the_replaced_word_moves_with_the_causal_mask_and_all_do_without(change_at, window):
    result = run(change_at=change_at, window=window)
    at = (change_at or 6) - 1
    assert result["changed"] == at + 1 and result["replaced_tokens"][at] == "□"
    assert (result["moved"][:at, 0] == 0).all() and result["moved_masked"] == 0
    assert (result["moved"][:, 1] > 1e-3).all() and result["moved_unmasked"] == at
    without = run(change_at=change_at, causal=False)
    assert without["moved_masked"] == at and (without["moved"][:, 0] == without["moved"][:, 1]).all()


def test_leak_zero_after_lets_the_unseen_word_through_by_the_denominator():
    result = run()
    assert not visible(result)[:5, 5].any() and result["moved_zeroed"] == 5
    ratio = result["after_zeroed"][:5] / result["before_zeroed"][:5]  # the same mixture, only louder or softer
    np.testing.assert_allclose(ratio, ratio[:, :1] * np.ones(16))


@every_mask
@pytest.mark.parametrize("change_at", [1, 3, 6])
def test_a_row_moves_only_if_it_may_see_the_replaced_word_or_is_that_word(masks, change_at):
    result = run(change_at=change_at, **masks)
    may = visible(result)[:, change_at - 1] | (np.arange(6) == change_at - 1)
    assert (result["moved"][~may, 0] == 0).all()
    assert (result["moved"][visible(result)[:, change_at - 1], 0] > 0).all()


def test_the_replaced_sentence_is_the_sentence_with_one_other_word():
    result = run(tokens=["□", "b", "c"], change_at=1)
    assert result["replaced_tokens"] == ["■", "b", "c"] and result["tokens"] == ["□", "b", "c"]
    again = run(tokens=["■", "b", "c"], change_at=1)
    np.testing.assert_allclose(result["after_masked"], again["output"])
    np.testing.assert_allclose(result["after_zeroed"], again["zeroed"] @ again["V"])
    np.testing.assert_allclose(result["after_unmasked"], again["weights_unmasked"] @ again["V"])
    assert (result["difference_masked"] == result["after_masked"] - result["before_masked"]).all()
    assert (result["moved"][:, 0] == abs(result["difference_masked"]).max(axis=-1)).all()


@pytest.mark.parametrize("empty_row", [1, 4, 6])
@every_mask
def test_an_empty_row_is_nan_in_the_naive_softmax_and_zero_in_ours(masks, empty_row):
    result = run(empty_row=empty_row, **masks)
    empty = (result["emptied_scores"] == -np.inf).all(axis=-1)
    assert empty[empty_row - 1] and empty.sum() >= 1
    assert np.isnan(result["naive_weights"][empty]).all() and (result["emptied_weights"][empty] == 0).all()
    assert np.isnan(result["naive_output"][empty]).all() and (result["emptied_output"][empty] == 0).all()
    np.testing.assert_allclose(result["naive_weights"][~empty], result["emptied_weights"][~empty])
    assert result["naive_nan_rows"] == empty.sum()


@every_mask
def test_one_layer_on_every_row_of_the_naive_code_is_nan_even_those_that_may_not_look(masks):
    result = run(**masks)
    assert np.isnan(result["naive_next"]).all() and result["naive_next_nan_rows"] == 6
    assert np.isnan(np.nan + -np.inf)  # why
    assert np.isfinite(result["emptied_next"]).all() and result["emptied_next_nan_rows"] == 0


def test_the_naive_softmax_is_the_usual_code_and_agrees_where_something_is_visible():
    x = np.array([[1.0, 2.0, -np.inf]])
    assert (naive_softmax(x) == attention.softmax(x)).all()


@every_set
@pytest.mark.parametrize("masks", [{}, {"window": 2}, {"padding": 2}, {"padding": 1, "padding_left": True}])
def test_every_row_of_the_one_masked_pass_is_its_prefix_read_alone(weight_set, masks):
    result = run(weight_set=weight_set, **masks)
    assert result["prefix_max"] == abs(result["prefix_difference"]).max() < 1e-12
    n = result["n"]
    assert result["tokens_alone"] == sum(range(1, n + 1))
    for t in range(1, n + 1):
        if weight_set != "paper" and "padding" not in masks:
            np.testing.assert_allclose(run(weight_set=weight_set, tokens=result["tokens"][:t], **masks)["output"][-1], result["output"][t - 1])  # fmt: skip


def test_without_the_causal_mask_the_one_pass_is_not_what_generation_sees():
    assert run(causal=False)["prefix_max"] > 0.1
    assert (run(causal=False)["prefix_difference"][-1] == 0).all()  # the last row has no future


def test_the_hand_built_head_copies_the_next_word_and_with_the_causal_mask_makes_do_with_itself():
    result = run(weight_set="hand_built")
    i = np.arange(5)
    assert (result["weights_unmasked"][i, i + 1] > 0.9).all()
    assert (result["weights"][i, i] > 0.9).all()


def test_paper_mode_by_hand():
    result = run(weight_set="paper")
    e = np.e
    assert result["tokens"] == ["x1", "x2", "x3", "x4"] and result["scale"] == 1
    assert result["scores"].tolist() == [[1, 2, 3, 0], [2, 2, 0, 1], [0, 0, 0, 3], [1, 0, 0, 1]]
    a, b = e / (2 * e + 2), 1 / (2 * e + 2)
    expected = [[1, 0, 0, 0], [1 / 2, 1 / 2, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0], [a, b, b, a]]
    np.testing.assert_allclose(result["weights"], expected)
    np.testing.assert_allclose(result["output"], [[6, 0], [3, 3], [2, 2], [12 * a, 6 * b + 6 * a]])
    np.testing.assert_allclose(result["zeroed_sums"][1, 0], 2 * e**2 / (2 * e**2 + 1 + e))
    ignored = run(weight_set="paper", tokens=[], seed=-1)
    assert (ignored["output"] == result["output"]).all()


def test_paper_mode_takes_other_numbers():
    result = run(weight_set="paper", paper_scores=[[0.5, -1], [2, 0]], paper_V=[[1], [3]], causal=False)
    assert result["n"] == 2 and result["V"].tolist() == [[1], [3]]
    assert result["Q"].tolist() == result["scores"].tolist() == [[0.5, -1], [2, 0]]
    assert result["after_masked"].shape == (2, 1) and result["moved_masked"] == 1


# The rest


def test_parameters_may_arrive_as_json():
    settings = dict(tokens=tuple(WORDS), causal=False, padding=1, padding_left=True, drawn=("101", "110"), window=3)
    plain = run(**settings)
    crossed = run(**json.loads(json.dumps(settings | {"causal": 0, "padding_left": 1})))
    assert plain.keys() == crossed.keys()
    assert all(np.array_equal(plain[name], crossed[name], equal_nan=name.startswith("naive")) for name in plain)


def test_the_masked_pass_is_what_is_shown():
    """An outer trace (the bridge opens one for the lines) ends with the masked pass as well."""
    with trace() as seen:
        result = run()
    assert all(seen[name] is result[name] for name in seen)
    assert seen.lines["weights"][0] == "seeformer.attention" and seen.lines["naive_weights"][0] == "seeformer.labs.mask"


@pytest.mark.parametrize(
    "extreme",
    [
        {"tokens": ["a"]},
        {"tokens": ["a"], "padding": 1, "padding_left": True},
        {"tokens": [str(i) for i in range(32)], "drawn": ["01" * 16] * 32, "change_at": 32, "empty_row": 32},
        {"padding": 4, "window": 99},
        {"drawn": ["0" * 32] * 32},
        {"seed": 2**64},
    ],
)
@every_set
def test_the_ends_of_the_controls(extreme, weight_set):
    if weight_set == "paper":
        extreme = {name: value for name, value in extreme.items() if name not in ("change_at", "empty_row")}
        extreme["padding"] = min(extreme.get("padding", 0), 4)
    result = run(weight_set=weight_set, **extreme)
    for name in ("output", "zeroed", "moved", "output_alone", "emptied_next"):
        assert np.isfinite(result[name]).all(), name
    assert result["repair_error"] < 1e-12


BAD = {
    "weight_set='trained' is unknown: use one of random_scaled, hand_built, paper": {"weight_set": "trained"},
    "tokens=0 tokens are too few or too many: use 1 to 32": {"tokens": []},
    "tokens=33 tokens are too few or too many: use 1 to 32": {"tokens": ["a"] * 33},
    "tokens='abc' is not a list of strings: use one such as ['我', '爱', '猫']": {"tokens": "abc"},
    "seed=-1 is too small: use at least 0": {"seed": -1},
    "causal='false' is neither true nor false: use True or False": {"causal": "false"},
    "padding_left=2 is neither true nor false: use True or False": {"padding_left": 2},
    "window=-1 is too small: use at least 0": {"window": -1},
    "window=1.5 is not a whole number: use one such as 1": {"window": 1.5},
    "padding=7 is too large: use at most 6": {"padding": 7},
    "padding=-1 is too small: use at least 0": {"padding": -1},
    "change_at=7 is too large: use at most 6": {"change_at": 7},
    "empty_row=0 is too small: use at least 1": {"empty_row": 0},
    "empty_row=7 is too large: use at most 6": {"empty_row": 7},
    "drawn='101' is no drawing: use rows of 1 and 0 such as ['100', '110', '111']": {"drawn": "101"},
    "drawn=['12'] is no drawing: use rows of 1 and 0 such as ['100', '110', '111']": {"drawn": ["12"]},
    "drawn=[[1, 0]] is no drawing: use rows of 1 and 0 such as ['100', '110', '111']": {"drawn": [[1, 0]]},
    "drawn=33 rows or signs in a row are too many: use at most 32": {"drawn": ["1" * 33]},
}
PAPER = {"weight_set": "paper"}
BAD |= {
    "paper_scores=array of shape (2, 3) does not fit: make it 2 by 2": PAPER | {"paper_scores": [[1, 2, 3], [4, 5, 6]]},
    "paper_scores=[[1, 2], [3]] is not a table of numbers: give rows of equal length": PAPER
    | {"paper_scores": [[1, 2], [3]]},
    "paper_scores=33 rows are too many: use at most 32": PAPER
    | {"paper_scores": np.zeros((33, 33)), "paper_V": np.zeros((33, 1))},
    "paper_V=array of shape (2, 2) does not fit: make it 4 by any number": PAPER | {"paper_V": [[1, 2], [3, 4]]},
    "padding=5 is too large: use at most 4": PAPER | {"padding": 5},
}


@pytest.mark.parametrize(("message", "params"), BAD.items())
def test_refusal(message, params):
    with pytest.raises(ValueError) as refusal:
        run(**params)
    assert str(refusal.value) == message


def test_a_lost_see_is_named(monkeypatch):
    """As when a reader deletes see("weights", …) in the Code face."""
    monkeypatch.setattr(attention, "see", lambda name, value: value if name == "weights" else trace_see(name, value))
    with pytest.raises(ValueError, match=r"^see='weights' is named nowhere: put see\('weights', …\) back"):
        run()
