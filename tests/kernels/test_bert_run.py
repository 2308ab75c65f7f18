"""The BERT lab's run(): what it promises, what its prose claims, and what it refuses."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seeformer import attention
from seeformer.attention import softmax
from seeformer.labs.bert import run
from seeformer.labs.bert_model import SPECIAL, choose, laid_out
from seeformer.trace import see as trace_see

pytestmark = pytest.mark.filterwarnings("error")

SMALL = {"d_model": 8, "num_layers": 2, "num_heads": 2}
SHAPES = {
    **{"ids": ("n",), "mask": ("n",), "weights": ("L", "h", "n", "n"), "reads": ("L*h", "n"), "stream": ("L+1", "d")},
    **dict.fromkeys(["Q", "K", "V", "heads"], ("n", "d_k")),
    **dict.fromkeys(["dots", "scores", "masked", "exp", "attention", "reach", "reach_gpt"], ("n", "n")),
    **dict.fromkeys(["word", "segment", "positions", "sum", "embedding"], ("n", "d")),
    **{"lens_probabilities": ("L+1", "n", 3), "effects": ("L", "h"), "cls": ("d",), "pooled": ("d",)},
}


def every_head(layers=3, heads=4):
    return [f"encoder.{layer}.self.{head}" for layer in range(layers) for head in range(heads)]


@pytest.mark.parametrize("second", [(), ("鼠", "躲")])
@pytest.mark.parametrize("options", [{}, {"padding": 2, "hidden": ["1"], "ablated": ["encoder.0.self.1"]}])
def test_every_step_is_there_in_its_shape(second, options):
    result = run(tokens=("猫", "追", "鼠"), second=second, **SMALL, **options)
    size = {"n": result["n"], "L": 2, "h": 2, "d": 8, "d_k": 4, "L*h": 4, "L+1": 3}
    for name, shape in SHAPES.items():
        assert result[name].shape == tuple(size.get(axis, axis) for axis in shape), name
    assert len(result["tokens"]) == result["n"] and len(result["lens_texts"]) == 3 * result["n"] * 3
    assert len(result["texts"]) == len(result["probabilities"]) == 8
    np.testing.assert_allclose(result["weights"].sum(-1), 1, rtol=1e-5)


def test_tokens_segments_and_numbers_are_laid_out_as_in_the_paper():
    assert laid_out(["a"], ["b", "c"], 1) == (
        ["[CLS]", "a", "[SEP]", "b", "c", "[SEP]", "[PAD]"],
        [0, 0, 0, 1, 1, 1, 0],
    )
    assert laid_out(["a"], []) == (["[CLS]", "a", "[SEP]"], [0, 0, 0])
    result = run(blanks=["2"])
    assert result["tokens"][2] == "[MASK]" and result["original"] == "追" and result["place"] == 2
    names = choose(["猫"], (), list("猫狗"), padding=0, seed=0, spread=0.2, **SMALL).names
    assert names == [*SPECIAL, "猫", "狗"]


def test_every_word_looks_back_and_ahead():
    """No causal mask: all weights are above 0."""
    assert (run()["weights"] > 0).all()


def test_a_changed_word_reaches_all_in_bert_and_only_what_follows_in_gpt():
    result = run()
    n = result["n"]
    assert (result["reach"] > 1e-3).all()
    assert (result["reach_gpt"][np.triu_indices(n, 1)] == 0).all()
    assert (result["reach_gpt"][np.tril_indices(n)] > 1e-3).all()


def test_with_all_heads_silenced_a_change_reaches_itself_alone():
    reach = run(ablated=every_head())["reach"]
    assert (np.diag(reach) > 1e-3).all()
    assert (reach[~np.eye(len(reach), dtype=bool)] == 0).all()


def test_reach_is_what_covering_and_uncovering_by_hand_gives():
    """The column of a word: the same run with that word covered; of a covered word: uncovered."""
    result, covered, uncovered = run(), run(blanks=["2", "4"]), run(blanks=[])
    for other, column in ((covered, 4), (uncovered, 2)):
        for place in (1, 5):
            moved = run(blanks=[["2", "4"], []][column == 2], position=place + 1)["stream"][-1]
            was = run(position=place + 1)["stream"][-1]
            assert result["reach"][place, column] == pytest.approx(np.linalg.norm(moved - was), rel=1e-4)
        assert other["n"] == result["n"]


def test_mask_is_looked_at_and_a_hidden_token_is_not():
    """[MASK] is a word like others; −∞ in the mask is a weight of 0."""
    assert (run(blanks=["3"])["weights"][..., 3] > 0).all()
    hidden = run(hidden=["3"])
    assert (hidden["weights"][..., 3] == 0).all()
    assert hidden["mask"].tolist() == [0, 0, 0, -np.inf, *[0] * 7]


def test_what_enters_is_word_plus_segment_plus_position():
    result = run()
    assert (result["sum"] == result["word"] + result["segment"] + result["positions"]).all()
    assert (result["segment"][:6] == result["segment"][0]).all() and (
        result["segment"][6:] == result["segment"][6]
    ).all()
    assert (result["segment"][0] != result["segment"][6]).any()


def test_two_masks_have_one_word_vector_and_only_positions_tell_them_apart():
    result = run(blanks=["2", "3"])
    assert (result["word"][2] == result["word"][3]).all()
    assert (result["positions"][2] != result["positions"][3]).any()
    guesses = [run(blanks=["2", "3"], position=place)["probabilities"] for place in (3, 4)]
    assert abs(guesses[0] - guesses[1]).max() > 1e-3


def test_padding_changes_no_number_of_a_real_word():
    plain, padded = run(), run(padding=5)
    n = plain["n"]
    assert padded["n"] == n + 5 and padded["tokens"][n:] == ["[PAD]"] * 5
    assert (padded["weights"][..., n:] == 0).all()
    np.testing.assert_allclose(padded["weights"][:, :, :n, :n], plain["weights"], atol=1e-6)
    np.testing.assert_allclose(padded["probabilities"], plain["probabilities"], atol=1e-6)
    np.testing.assert_allclose(padded["pooled"], plain["pooled"], atol=1e-6)


def test_the_table_that_guesses_is_the_one_that_looked_the_words_up():
    """logits = head(h) @ E_word.T + b: the probabilities, from the weights by their names."""
    chosen = choose(
        list("猫追老鼠"), list("老鼠躲猫"), ["狗"], padding=0, num_layers=3, num_heads=4, d_model=32, seed=0, spread=0.2
    )
    model, weights = chosen.model, chosen.model.weights
    hidden = model.hidden(chosen.ids, segments=chosen.segments)
    logits = model.logits(hidden)
    assert "cls.predictions.decoder.weight" not in weights
    table = weights["bert.embeddings.word_embeddings.weight"]
    weights["bert.embeddings.word_embeddings.weight"] = 2 * table
    try:
        np.testing.assert_allclose(model.logits(hidden), 2 * logits, rtol=1e-5, atol=1e-5)
    finally:
        weights["bert.embeddings.word_embeddings.weight"] = table


def test_hiding_a_token_in_layer_1_is_renormalising_and_above_it_is_not():
    first, above = (run(hidden=["4"], layer=layer) for layer in (1, 3))
    np.testing.assert_allclose(first["attention"], first["renormalised"], atol=1e-6)
    np.testing.assert_allclose(first["renormalised"].sum(-1), 1, rtol=1e-6)
    assert (first["renormalised"][:, 4] == 0).all()
    kept = np.delete(first["attention_before"], 4, axis=1).sum(-1, keepdims=True)
    np.testing.assert_allclose(first["kept"], kept, rtol=1e-6)
    assert abs(above["difference"]).max() > 1e-3
    assert "renormalised" not in run()


def test_a_silenced_head_changes_the_prediction_as_effects_said():
    plain = run()
    assert plain["moved"] == 0 and "compared_texts" not in plain
    for layer, head in ((0, 2), (2, 1)):
        silent = run(ablated=[f"encoder.{layer}.self.{head}"])
        assert silent["silenced"].tolist() == [[layer, head]]
        assert silent["moved"] == pytest.approx(plain["effects"][layer, head], rel=1e-4) and silent["moved"] > 0.01
        after = dict(zip(silent["texts"], silent["probabilities"], strict=True))
        told = dict(zip(silent["compared_texts"], silent["compared_after"], strict=True))
        assert after == {text: pytest.approx(told[text], rel=1e-6) for text in after}
        before = dict(zip(silent["compared_texts"], silent["compared_before"], strict=True))
        assert all(
            before[text] == pytest.approx(share)
            for text, share in zip(plain["texts"], plain["probabilities"], strict=True)
        )


def test_the_last_row_of_the_lens_is_the_prediction():
    result = run()
    last = result["lens_probabilities"][-1, result["place"]]
    np.testing.assert_allclose(last, result["probabilities"][:3], rtol=1e-4)
    assert result["lens_texts"][-3 * result["n"] :][3 * result["place"] :][:3] == result["texts"][:3]


def test_the_pooled_vector_is_tanh_of_a_linear_layer_of_cls():
    result = run()
    np.testing.assert_allclose(
        result["pooled"], np.tanh(result["cls"] @ result["W_pool"] + result["b_pool"]), rtol=1e-5
    )
    np.testing.assert_allclose(result["cls"], run(position=1)["stream"][-1])


def test_the_arithmetic_of_every_cell_is_there():
    result = run(layer=2, head=3)
    for name in "QKV":
        made = result["entering"] @ result[f"W_{name}"] + result[f"b_{name}"]
        np.testing.assert_allclose(made, result[name], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(result["exp_all"] / result["total_all"], result["weights"], rtol=1e-6)
    assert (result["weights"][1, 2] == result["attention"]).all()
    assert (result["reads"][4 * 1 + 2] == result["attention"][result["place"]]).all()
    for of in ("embedding", "stream"):
        centred = result[f"{of}_before"] - result[f"{of}_mean"]
        normed = centred / np.sqrt(result[f"{of}_variance"] + result["eps"])
        np.testing.assert_allclose(
            normed * result[f"{of}_gamma"] + result[f"{of}_beta"], result[of], rtol=1e-4, atol=1e-5
        )


def test_the_weights_are_random_and_spread_002_is_uniform():
    """Why the default spread is larger than BERT's: at 0.02 every head looks everywhere alike."""
    n = run()["n"]
    assert abs(run(spread=0.02)["weights"] * n - 1).max() < 0.1
    assert run()["weights"].max() * n > 3
    assert (run(seed=1)["weights"] != run(seed=0)["weights"]).any()


def test_a_new_word_leaves_the_numbers_and_vectors_of_the_others():
    plain, longer = run(), run(second=tuple("老鼠躲虫"))
    assert longer["vocab_size"] == plain["vocab_size"] + 1
    assert (longer["word"][:9] == plain["word"][:9]).all() and (longer["ids"][:9] == plain["ids"][:9]).all()


def test_parameters_may_arrive_as_json():
    changed = dict(blanks=["1"], hidden=["3"], ablated=["encoder.1.self.0"], spread=1, **SMALL)
    plain, crossed = run(**changed), run(**json.loads(json.dumps(changed)))
    assert plain.keys() == crossed.keys()
    assert all(np.array_equal(plain[name], crossed[name]) for name in plain)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.text(max_size=2), min_size=1, max_size=6),
    st.lists(st.sampled_from(["猫", "[MASK]", "", "a"]), max_size=4),
    st.lists(st.integers(0, 20).map(str), max_size=4),
    st.lists(st.integers(0, 20).map(str), max_size=4),
    st.integers(0, 3),
)
def test_any_sentence_with_anything_covered_and_hidden(tokens, second, blanks, hidden, padding):
    result = run(tokens=tokens, second=second, blanks=blanks, hidden=hidden, padding=padding, position=9, **SMALL)
    sums = result["weights"].sum(-1)
    assert (np.isclose(sums, 1, atol=1e-5) | (sums == 0)).all()
    assert 0 < result["probabilities"].sum() <= 1.0001


def test_what_lies_beyond_the_end_is_the_last_or_left_out():
    result = run(position=99, layer=9, head=9, ablated=["encoder.7.self.0"], hidden=["60"], blanks=["60"])
    assert (result["place"], result["layer"], result["head"]) == (result["n"] - 1, 2, 3)
    assert len(result["silenced"]) == len(result["hidden_tokens"]) == len(result["covered"]) == 0
    assert run(blanks=[])["place"] == 0


def test_candidates_are_shares_of_the_whole_vocabulary():
    result = run()
    assert result["best"] == result["probabilities"][0] == max(result["probabilities"])
    assert result["even"] == 1 / result["vocab_size"]
    assert softmax(np.zeros(result["vocab_size"]))[0] == pytest.approx(result["even"])


BAD = {
    "tokens=0 tokens are too few or too many: use 1 to 24": {"tokens": []},
    "second=25 tokens are too few or too many: use 0 to 24": {"second": ["a"] * 25},
    "tokens='猫' is not a list of strings: use one such as ['我', '爱', '猫']": {"tokens": "猫"},
    "vocabulary=[1] is not a list of strings: use one such as ['我', '爱', '猫']": {"vocabulary": [1]},
    "d_model=10 is not divisible by num_heads=4: use a multiple of 4": {"d_model": 10},
    "num_layers=7 is too large: use at most 6": {"num_layers": 7},
    "padding=9 is too large: use at most 8": {"padding": 9},
    "spread=-1.0 is too small: use at least 0": {"spread": -1.0},
    "position=-1 is too small: use at least 0": {"position": -1},
    "layer=0 is too small: use at least 1": {"layer": 0},
    "hidden=[-1] is no list of places: use one such as ['0', '3'], counted from 0": {"hidden": [-1]},
    "ablated='3' is no head: use stack.layer.kind.head, such as 'decoder.0.self.3'": {"ablated": ["3"]},
}


@pytest.mark.parametrize(("message", "params"), BAD.items())
def test_refusal(message, params):
    with pytest.raises(ValueError) as refusal:
        run(**params)
    assert str(refusal.value) == message


def test_a_lost_see_is_named(monkeypatch):
    """As when a reader deletes see("weights", …) in the Code face."""
    monkeypatch.setattr(attention, "see", lambda name, value: value if name == "weights" else trace_see(name, value))
    with pytest.raises(ValueError, match=r"^see='encoder.0.self.weights' is named nowhere"):
        run()
