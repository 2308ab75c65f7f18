"""The GPT lab: what it says of the model is true of the arrays that it shows."""

import numpy as np
import pytest

from seeformer.characters import COMMON, characters
from seeformer.labs.gpt import MOST_SILENCED, run
from seeformer.labs.gpt_model import LONGEST, MOST_STEPS, choose
from seeformer.models.ablation import without_heads

PROMPTS = ("床前明月光，疑是地上", "to be, or not to ")
EACH_PROMPT = pytest.mark.parametrize("prompt", PROMPTS)


def written(**params):
    *_, last = run(generate=True, **params)
    return last


def tops(result):
    """The likeliest character after each layer at each position, [L + 1][n]."""
    layers, n, k = result["lens_probabilities"].shape
    return [[result["lens_texts"][(layer * n + at) * k] for at in range(n)] for layer in range(layers)]


def model(**params):
    defaults = {"num_layers": 3, "num_heads": 4, "d_model": 48, "seed": 0, "spread": 0.2}
    return choose(params.pop("prompt", PROMPTS[0]), **defaults | params)


# What the prose says.


@EACH_PROMPT
def test_one_reading_gives_a_guess_at_every_position_and_later_changes_leave_earlier_guesses(prompt):
    whole = run(prompt=prompt)
    other = run(prompt=prompt[:6] + "猫" * (len(prompt) - 6))
    assert len(whole["next_texts"]) == whole["n"]
    assert whole["next_texts"][:6] == other["next_texts"][:6]
    np.testing.assert_allclose(whole["next_probabilities"][:6], other["next_probabilities"][:6], rtol=1e-4)


def test_no_character_looks_at_a_later_one():
    weights = run()["weights"]
    assert (weights[..., *np.triu_indices(weights.shape[-1], 1)] == 0).all()
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-5)


@pytest.mark.parametrize("how", [{"temperature": 0.0}, {"temperature": 1.0, "draw": 3}])
def test_with_the_cache_each_step_is_what_reading_everything_anew_gives(how):
    last = written(steps=8, **how)
    for step in range(8):
        text = PROMPTS[0] + "".join(last["written"][:step])
        anew = run(prompt=text)  # the vocabulary is the same: all of these are in it
        k = last["step_probabilities"].shape[1]
        assert anew["texts"][:k] == last["step_texts"][step * k : (step + 1) * k]
        np.testing.assert_allclose(anew["probabilities"][:k], last["step_probabilities"][step], rtol=1e-3)


def test_each_character_adds_a_row_to_the_cache_and_none_changes():
    steps = [step for step in run(generate=True, steps=5, layer=2, head=3)]
    lengths = [len(step["cache_K"]) for step in steps]
    assert lengths == [10, 11, 12, 13, 14] and [len(step["cache_tokens"]) for step in steps] == lengths
    for before, after in zip(steps, steps[1:], strict=False):
        assert (after["cache_K"][:-1] == before["cache_K"]).all() and (after["cache_V"][:-1] == before["cache_V"]).all()
    assert steps[-1]["cache_numbers"] == 2 * 3 * 4 * 14 * 12
    before = run(layer=2, head=3)
    np.testing.assert_allclose(before["cache_K"], steps[0]["cache_K"], rtol=1e-5)


def test_pairs_with_and_without_the_cache():
    told = run(steps=3, num_layers=1, num_heads=2)
    assert told["pairs_anew"].tolist() == [2 * 100, 2 * (100 + 121), 2 * (100 + 121 + 144)]
    assert told["pairs_cached"].tolist() == [2 * 100, 2 * (100 + 11), 2 * (100 + 11 + 12)]


@EACH_PROMPT
def test_without_heads_each_position_knows_only_itself(prompt):
    silent = [f"decoder.{layer}.self.{head}" for layer in range(3) for head in range(4)]
    other = "".join(reversed(prompt[:-1])) + prompt[-1]
    one, two = (run(prompt=text, ablated=silent) for text in (prompt, other))
    assert one["texts"] == two["texts"]
    np.testing.assert_allclose(one["probabilities"], two["probabilities"], rtol=1e-4)
    assert run(prompt=prompt)["texts"] != run(prompt=other)["texts"]


@EACH_PROMPT
def test_before_the_first_layer_what_a_position_fits_best_is_almost_always_itself(prompt):
    found = [tops(run(prompt=prompt, seed=seed))[0] for seed in range(8)]
    assert np.mean([a == b for each in found for a, b in zip(each, prompt, strict=True)]) > 0.9


@EACH_PROMPT
def test_layers_push_a_position_from_itself_towards_the_prediction(prompt):
    result = run(prompt=prompt)
    assert sum(a == b for a, b in zip(tops(result)[-1], prompt, strict=True)) <= 2
    assert tops(result)[-1] == result["next_texts"], "the last row is the prediction itself"


def test_at_the_size_that_gpt_2_starts_with_every_head_looks_almost_evenly():
    weights = run(spread=0.02)["weights"]
    even = np.tril(np.ones(weights.shape[-2:])) / np.arange(1, weights.shape[-1] + 1)[:, None]
    np.testing.assert_allclose(weights, np.broadcast_to(even, weights.shape), rtol=0.1, atol=0)
    assert abs(run()["weights"] - even).max() > 0.5


# What the sections say.


def test_a_silenced_head_says_what_moved():
    plain, changed = run(), run(ablated=["decoder.0.self.1"])
    assert plain["moved"] == 0 and "compared_texts" not in plain
    assert changed["moved"] == pytest.approx(plain["effects"][0, 1], rel=1e-3)
    at = changed["compared_texts"].index(plain["texts"][0])
    assert changed["compared_before"][at] == pytest.approx(plain["probabilities"][0], rel=1e-4)
    assert changed["silenced"].tolist() == [[0, 1]]
    assert changed["effects"][0, 1] == pytest.approx(0, abs=1e-6), "it is silent already"


def test_effects_are_those_of_each_head_alone():
    chosen, shown = model(), run()
    for layer, head in ((0, 0), (1, 3), (2, 2)):
        quiet = without_heads(chosen.model, [("decoder", layer, "self", head)])
        logits = np.array([each.forward(chosen.ids)[-1] for each in (chosen.model, quiet)], float)
        shares = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
        assert shown["effects"][layer, head] == pytest.approx(abs(shares[0] - shares[1]).sum() / 2, rel=1e-3)
    assert "effects" not in run(num_layers=7, num_heads=8) and 7 * 8 > MOST_SILENCED


def test_a_hidden_token_is_looked_at_by_nobody_and_rows_still_sum_to_1():
    result = run(hidden=["2", "4"])
    assert (result["weights"][..., [2, 4]] == 0).all() and result["hidden_tokens"].tolist() == [2, 4]
    np.testing.assert_allclose(result["weights"].sum(-1), 1, rtol=1e-5)
    assert result["moved"] > 0
    first = run(hidden=["0"])
    assert (first["weights"][..., 0, :] == 0).all(), "the first sees nothing then"
    assert all(np.isfinite(first[name]).all() for name in ("norms", "probabilities"))


def test_the_enlarged_head_is_one_of_all_and_its_steps_make_it():
    result = run(layer=2, head=4)
    assert (result["layer"], result["head"]) == (1, 3)
    np.testing.assert_array_equal(result["attention"], result["weights"][1, 3])
    np.testing.assert_allclose(result["scores"], result["Q"] @ result["K"].T * result["scale"], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(result["heads"], result["attention"] @ result["V"], rtol=1e-4, atol=1e-5)


def test_the_token_view_is_of_the_chosen_position():
    result = run(position=4)
    assert result["place"] == 3
    np.testing.assert_array_equal(result["reads"].reshape(3, 4, -1), result["weights"][:, :, 3])
    np.testing.assert_allclose(np.linalg.norm(result["stream"], axis=-1), result["norms"][:, 3], rtol=1e-5)
    assert result["texts"][0] == result["next_texts"][3]
    assert run(position=0)["place"] == run(position=99)["place"] == 9


def test_temperature_top_k_and_top_p_change_how_it_is_drawn_and_not_what_the_model_says():
    plain = run()
    for how, left in (({"temperature": 0.0}, 1), ({"top_k": 5}, 5), ({"top_p": 0.05}, 1), ({"temperature": 0.5}, 164)):
        changed = run(**how)
        np.testing.assert_array_equal(changed["probabilities"], plain["probabilities"])
        assert changed["left"] == left
        assert changed["drawn"][0] > plain["drawn"][0]


def test_the_same_seed_draws_the_same_text_and_greedy_takes_the_likeliest():
    assert written(draw=4)["written"] == written(draw=4)["written"] != written(draw=5)["written"]
    greedy = written(temperature=0.0, steps=6)
    k = greedy["step_probabilities"].shape[1]
    assert greedy["written"] == greedy["step_texts"][::k]
    assert (greedy["written_probabilities"] == 1).all() and greedy["rate"] > 0


def test_it_streams_one_character_after_the_other_and_each_has_its_probability():
    steps = list(run(generate=True, steps=4, top_k=3))
    assert [len(step["written"]) for step in steps] == [1, 2, 3, 4]
    last = steps[-1]
    k = last["step_drawn"].shape[1]
    for at, (token, share) in enumerate(zip(last["written"], last["written_probabilities"], strict=True)):
        names = last["step_texts"][at * k : (at + 1) * k]
        assert share == pytest.approx(last["step_drawn"][at][names.index(token)])


def test_silenced_heads_are_silent_while_it_writes():
    silent = [f"decoder.{layer}.self.{head}" for layer in range(3) for head in range(4)]
    assert written(temperature=0.0, ablated=silent)["written"] != written(temperature=0.0)["written"]


def test_a_new_character_joins_the_vocabulary_and_changes_nothing_for_the_others():
    names = characters("Ω床")
    assert names[:-1] == list(dict.fromkeys(COMMON)) and names[-1] == "Ω"
    known, more = model(prompt="床前"), model(prompt="床前Ω")
    np.testing.assert_array_equal(
        known.model.weights["transformer.wte.weight"], more.model.weights["transformer.wte.weight"][:-1]
    )
    assert known.ids.tolist() == more.ids[:2].tolist() and more.ids[2] == len(more.names) - 1


def test_a_long_prompt_leaves_room_for_what_is_written():
    last = written(prompt="猫" * LONGEST, steps=MOST_STEPS)
    assert len(last["written"]) == MOST_STEPS


# What it refuses.

REFUSED = [
    ({"prompt": ""}, "prompt=0 characters are too few or too many: use 1 to 96"),
    ({"prompt": "x" * 97}, "prompt=97 characters"),
    ({"prompt": ["a"]}, r"prompt=\['a'\] characters"),
    ({"d_model": 50}, "d_model=50 is not divisible by num_heads=4"),
    ({"num_layers": 0}, "num_layers=0 is too small"),
    ({"temperature": -1}, "temperature=-1 is too small"),
    ({"top_p": 2}, "top_p=2 is too large"),
    ({"top_k": 1.5}, "top_k=1.5 is not a whole number"),
    ({"steps": 65}, "steps=65 is too large"),
    ({"hidden": ["x"]}, "hidden=.* is no list of places"),
    ({"ablated": ["x"]}, "ablated='x' is no head"),
    ({"generate": "yes"}, "generate='yes' is neither true nor false"),
]


@pytest.mark.parametrize(("params", "message"), REFUSED, ids=[next(iter(params)) for params, _ in REFUSED])
def test_what_cannot_be_is_refused_with_the_remedy(params, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        run(**params)


def test_heads_that_a_smaller_model_lacks_are_left_out():
    assert run(num_layers=1, ablated=["decoder.2.self.0"])["silenced"].shape == (0, 2)
    assert run(prompt="ab", hidden=["7"])["hidden_tokens"].shape == (0,)
