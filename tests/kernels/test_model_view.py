"""What a page shows of a model is what its trace recorded, for every family."""

from dataclasses import replace

import numpy as np
import pytest
from families import CONFIGS, VOCAB, given, small

from seeformer.attention import softmax
from seeformer.model_view import (
    candidates,
    compared,
    hidden_states,
    logit_lens,
    one_head,
    positions,
    renormalised,
    silenced,
    stacked,
)
from seeformer.models.ablation import without_heads
from seeformer.trace import Trace, apart, see, trace

FAMILIES = tuple(CONFIGS)
NAMES = [f"t{i}" for i in range(VOCAB)]


def passed(family):
    one = small(family)
    with trace() as seen:
        logits = one.forward(**given(family, batch=()))
    return one, seen, logits


def stacks(one):
    return [(stack, len(layers)) for stack, layers in one.layers.items()]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_layer_and_head_of_every_family_side_by_side(family):
    one, seen, _ = passed(family)
    for stack, layers in stacks(one):
        weights = stacked(seen, layers, "self.weights", stack=stack)
        assert weights.ndim == 4 and len(weights) == layers
        np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-5)
        steps = one_head(seen, layers - 1, 1, stack=stack)
        assert (steps["attention"] == weights[-1, 1]).all()
        np.testing.assert_allclose(steps["exp"] / steps["total"], steps["attention"], rtol=1e-6)
        hidden = hidden_states(seen, layers, stack=stack)
        assert hidden.shape[0] == layers + 1 and (hidden[-1] == seen[f"{stack}.{layers - 1}.output"]).all()


@pytest.mark.parametrize("family", [f for f in FAMILIES if hasattr(CONFIGS[f][0], "lens")])
def test_the_lens_at_the_last_layer_is_the_prediction(family):
    one, seen, logits = passed(family)
    stack, layers = stacks(one)[-1]
    names = NAMES[: logits.shape[-1]]
    ids, shares, texts = logit_lens(one, hidden_states(seen, layers, stack=stack), names, most=4)
    last = candidates(logits, names, 4)
    np.testing.assert_allclose(shares[-1], last[1], rtol=1e-4)
    assert (ids[-1] == last[0]).all() and texts[-last[0].size :] == last[2]
    assert ids.shape == (layers + 1, *logits.shape[:-1], 4)


def test_a_lens_leaves_the_trace_of_the_pass_as_it_is():
    one = small("gpt2")
    with trace() as seen:
        logits = one.forward(**given("gpt2", batch=()))
        logit_lens(one, hidden_states(seen, 2), NAMES)
    assert seen["logits"] is logits


def test_apart_hides_from_open_traces_and_begins_names_anew():
    with trace() as outer:
        see("a", 1)
        with apart(), trace() as inner:
            see("b", 2)
        see("c", 3)
    assert outer == {"a": 1, "c": 3} and inner == {"b": 2}


def test_candidates_are_the_likeliest_first_with_their_share_of_the_whole_vocabulary():
    logits = np.log(np.array([[0.1, 0.6, 0.1, 0.2], [0.25] * 4]))
    ids, shares, texts = candidates(logits, "abcd", 3)
    assert ids.tolist() == [[1, 3, 0], [0, 1, 2]] and texts == list("bdaabc")
    np.testing.assert_allclose(shares, [[0.6, 0.2, 0.1], [0.25] * 3])
    assert candidates(logits, "abcd", 9)[0].shape == (2, 4)


def test_compared_has_the_likeliest_of_both_and_what_moved():
    before, after = np.log([0.7, 0.2, 0.05, 0.05]), np.log([0.1, 0.2, 0.65, 0.05])
    told = compared(before, after, "abcd", 2)
    assert told["texts"] == ["a", "b", "c"] and (told["top_before"], told["top_after"]) == ("a", "c")
    np.testing.assert_allclose(told["before"], [0.7, 0.2, 0.05])
    np.testing.assert_allclose(told["after"], [0.1, 0.2, 0.65])
    assert told["moved"] == pytest.approx(0.6)
    assert compared(before, before, "abcd")["moved"] == 0


def test_a_silenced_head_moves_the_prediction_and_none_does_not():
    one, _, logits = passed("gpt2")
    heads = silenced(["decoder.0.self.1", "decoder.9.self.0", "decoder.0.cross.0", "decoder.1.self.3"], one)
    assert heads == [("decoder", 0, "self", 1)], "those that the model has not are left out"
    quiet = without_heads(one, heads).forward(**given("gpt2", batch=()))
    assert compared(logits[-1], quiet[-1], NAMES)["moved"] > 0.01
    with pytest.raises(ValueError, match=r"^ablated='x' is no head: use stack.layer.kind.head"):
        silenced(["x"], one)


def test_hiding_a_key_and_renormalising_is_minus_infinity_in_the_mask():
    scores = np.random.default_rng(0).standard_normal((2, 4, 5))
    mask = np.where(np.isin(np.arange(5), [1, 3]), -np.inf, 0.0)
    np.testing.assert_allclose(renormalised(softmax(scores), [1, 3]), softmax(scores + mask), rtol=1e-12)
    assert (renormalised(softmax(scores), [0, 1, 2, 3, 4]) == 0).all(), "nothing left to look at"
    assert renormalised(softmax(scores).astype(np.float32), [1]).dtype == np.float32


def test_in_the_first_layer_a_hidden_token_is_what_the_forward_pass_shows():
    one, seen, _ = passed("bert")
    n = len(given("bert", batch=())["ids"])
    with trace() as hidden:
        one.forward(**given("bert", batch=()), attention_mask=np.arange(n) != 2)
    expected = renormalised(seen["encoder.0.self.weights"], [2])
    np.testing.assert_allclose(hidden["encoder.0.self.weights"], expected, rtol=1e-5)
    assert abs(hidden["encoder.1.self.weights"] - renormalised(seen["encoder.1.self.weights"], [2])).max() > 1e-4


def test_a_kernel_that_lost_its_see_is_named():
    _, seen, _ = passed("gpt2")
    lost = Trace()
    lost.update({name: values for name, values in seen.items() if name != "decoder.1.self.weights"})
    for look in (lambda: stacked(lost, 2, "self.weights"), lambda: one_head(lost, 1, 0)):
        with pytest.raises(ValueError, match=r"^see='decoder.1.self.weights' is named nowhere"):
            look()


def test_inner_steps_that_an_edited_kernel_does_not_name_are_left_out():
    _, seen, _ = passed("gpt2")
    del seen["decoder.0.self.exp"]
    assert "exp" not in one_head(seen, 0, 0)


def test_places_of_a_text():
    assert positions("hidden", ["3", "0", "3", "9"], 4) == [0, 3]
    assert positions("hidden", [2], 4) == [2]
    for wrong in ("3", ["-1"], ["x"]):
        with pytest.raises(ValueError, match=r"^hidden=.* is no list of places"):
            positions("hidden", wrong, 4)


def test_a_model_without_layers_of_that_name_has_no_such_heads():
    one = small("gpt2")
    deeper = type(one).random(replace(one.config, n_layer=3))
    assert silenced(["encoder.0.self.0"], deeper) == []
    assert silenced(["decoder.2.self.2"], deeper) == [("decoder", 2, "self", 2)]
