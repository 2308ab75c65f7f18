"""The models equal Hugging Face's, on committed values; with --reference those are made anew and compared first."""

import json

import numpy as np
import parity
import pytest
from committed import assert_made_anew

from seeformer.models.sampling import probabilities

CASES = tuple(parity.MODELS)
WRITERS = "gpt2", "bart", "t5", "t5_gated"
LEARNERS = tuple(case for case in CASES if case != "bert")
MOST = 1e-4


def test_the_file_holds_what_it_should():
    assert set(parity.cases()) == set(CASES)
    for case in CASES:
        kinds = [name.partition(".")[0] for name in parity.cases()[case]["out"]]
        attentions = {kind: kinds.count(kind) for kind in set(kinds) if kind.endswith("attention")}
        wanted = ("encoder_", "decoder_", "cross_") if case in parity.SEQ2SEQ else ("",)
        assert attentions == {f"{stack}attention": 2 for stack in wanted}
        assert kinds.count("hidden") + kinds.count("encoder_hidden") == 3 and ("logits" in kinds) == (case != "bert")
        assert ("slope" in parity.cases()[case]) == (case in LEARNERS)


@pytest.mark.parametrize("case", CASES)
def test_logits_hidden_states_and_attentions(case):
    errors = parity.errors(case)
    print(f"{case}: largest error {max(errors.values()):.1e}, of {len(errors)} arrays")
    assert {name: error for name, error in errors.items() if not error < MOST} == {}


@pytest.mark.parametrize("case", WRITERS)
def test_greedy_and_beam_search_write_the_same(case):
    texts = list(parity.texts(case))
    assert len(texts) == 18
    assert [name for name, found, theirs in texts if not parity.same_text(found, theirs)] == []


def test_the_texts_end_in_every_way():
    """By the end token, by the limit, and with other beams than were first: or the comparison would be weak."""
    said = [theirs for case in WRITERS for _, _, theirs in parity.texts(case)]
    ends = {case: parity.config(case).eos_token_id for case in WRITERS}
    lengths = {case: {len(found[0][0]) for _, found, _ in parity.texts(case)} for case in WRITERS}
    assert all(len(found) > 1 for found in lengths.values()), lengths
    assert ends.keys() == lengths.keys() and len({tuple(row) for theirs in said for row, _ in theirs}) > 60


@pytest.mark.parametrize("number", range(5))
def test_what_the_next_token_is_drawn_from(number):
    said = parity.cases()["gpt2"]["text"]
    options, theirs = json.loads(str(said[f"shares.{number}.options"])), said[f"shares.{number}"]
    ours = probabilities(said["logits"], **options)
    assert ours.dtype == np.float32
    np.testing.assert_array_equal(ours > 0, theirs > 0)
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


@pytest.mark.parametrize("case", LEARNERS)
def test_gradients(case):
    """Of the cross-entropy, with respect to every weight."""
    assert parity.slope_error(case) < 1e-4


def test_hugging_face_still_says_the_same(request, tmp_path):
    assert_made_anew("models", request, tmp_path)
