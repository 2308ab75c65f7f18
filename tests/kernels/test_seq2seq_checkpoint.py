"""The seq2seq lab on a model of the reader's: BART and both kinds of T5, with the tokens that they begin and end with."""

from dataclasses import replace

import numpy as np
import pytest
from brought import brought
from families import CONFIGS, small

from seeformer.labs.seq2seq import run
from seeformer.models.bart import Bart

FAMILIES = "bart", "t5", "t5_gated"
EACH = pytest.mark.parametrize("family", FAMILIES)
SOURCE, TARGET = [0, 7, 8, 9, 5, 2], [0, 11, 12, 2]
T5 = {"source_ids": [7, 8, 9, 5, 1], "target_ids": [11, 12, 1]}
BART = {"source_ids": SOURCE, "target_ids": TARGET}


def of(family):
    return BART if family == "bart" else T5


def shown(family, given=None, **params):
    return run(**{"checkpoint": brought(given or small(family))} | of(family) | params)


@EACH
def test_it_is_the_readers_model_on_the_readers_tokens(family):
    result, model = shown(family), small(family)
    source, target = (np.array(ids) for ids in of(family).values())
    logits = model.forward(source, model.shift_right(target)).astype(float)
    shares = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    expected = shares[np.arange(len(target)), target]
    np.testing.assert_allclose(result["answer_probabilities"], expected, rtol=1e-3)
    assert result["family"] == family.split("_")[0] and result["vocab_size"] == 19
    assert result["target_ids"][0] == {"bart": 2}.get(family, 0), "decoder_start_token_id"
    assert result["answers"] == [f"[{token}]" for token in target]


@EACH
@pytest.mark.parametrize("method", ["greedy", "beam"])
def test_it_writes_what_the_model_writes(family, method):
    *_, last = shown(family, method=method, steps=8, generate=True)
    model, source = small(family), np.array(of(family)["source_ids"])
    if method == "greedy":
        tokens = [one.token for one in model.generate(source, 8)]
        assert last["written"] == [f"[{token}]" for token in tokens]
    else:
        best = model.beam_search(source, 8, num_beams=3)
        assert last["finished_texts"][0] == "".join(f"[{token}]" for token in best[0].tokens[1:])


def test_encoder_and_decoder_may_differ_in_depth_and_heads():
    config = replace(CONFIGS["bart"][1], encoder_layers=3, encoder_attention_heads=2, decoder_layers=1)
    given = Bart.random(config, 1, spread=0.4)
    result = shown("bart", given, attention="encoder", layer=9, head=9)
    assert (result["layer"], result["head"], result["encoder_layers"], result["num_layers"]) == (2, 1, 3, 1)
    np.testing.assert_array_equal(result["attention"], result["encoder_weights"][2, 1])
    cross = shown("bart", given, attention="cross", layer=9, head=9)
    assert (cross["layer"], cross["head"]) == (0, 2)


@EACH
def test_a_text_whose_tokenizer_adds_nothing_gets_its_first_and_last_token(family):
    bare = shown(family, source_ids=[7, 8, 9, 5], target_ids=[11, 12])
    for name in ("source_ids", "target_ids", "answer_probabilities"):
        np.testing.assert_array_equal(bare[name], shown(family)[name])


@EACH
def test_decoder_start_token_id_counts(family):
    model = small(family)
    changed = type(model)(replace(model.config, decoder_start_token_id=5), model.weights)
    assert shown(family, changed)["target_ids"][0] == 5


def test_bart_knows_no_more_positions_than_it_has_and_t5_as_many_as_there_are():
    with pytest.raises(ValueError, match="^source=15 tokens are too few or too many: use 1 to 14$"):
        shown("bart", source_ids=[0, *[7] * 13, 2])
    with pytest.raises(ValueError, match="^target=15 tokens are too few or too many: use 1 to 14$"):
        shown("bart", target_ids=[7] * 13)  # with its first and last token
    assert len(shown("t5", source_ids=[7] * 40)["source_tokens"]) == 41


@pytest.mark.parametrize("method", ["greedy", "sampled", "beam"])
def test_it_stops_writing_where_its_positions_end(method):
    model = small("bart")
    endless = Bart(replace(model.config, eos_token_id=None, forced_eos_token_id=None), model.weights)
    *_, last = shown("bart", endless, method=method, steps=30, generate=True)
    assert len(last["written"] if method != "beam" else last["beam_scores"]) <= 14


def test_a_bart_without_its_language_head_still_predicts_by_its_table():
    model = small("bart")
    weights = {name: values for name, values in model.weights.items() if name != "final_logits_bias"}
    np.testing.assert_array_equal(
        Bart(model.config, weights).forward([7, 8], [2, 0]),
        Bart(model.config, weights | {"final_logits_bias": np.zeros((1, 19), np.float32)}).forward([7, 8], [2, 0]),
    )
