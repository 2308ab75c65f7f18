"""The BERT lab on a model of the reader's: its own layers, words and sizes, with a head for words or without."""

from dataclasses import replace

import numpy as np
import pytest
from brought import SPECIAL, brought

from seeformer import checkpoints
from seeformer.attention import softmax
from seeformer.labs import bert_changes
from seeformer.labs.bert import run
from seeformer.models.bert import Bert, BertConfig

pytestmark = pytest.mark.filterwarnings("error")

WORDS = (*SPECIAL, "cat", "##s", "chase", "mice")
CLS, SEP, MASK = 2, 3, 4
CONFIG = BertConfig(12, 12, 2, 3, 10, max_position_embeddings=14)
FIRST = [CLS, 5, 6, 7, SEP]
BOTH = [*FIRST, 8, 1, SEP]


def model(**changes):
    return Bert.random(replace(CONFIG, **changes), 1, spread=0.4)


def headless(**options):
    return Bert.random(CONFIG, 1, spread=0.4, head=False, prefix="bert.", **options)


def shown(given=None, words=WORDS, **params):
    checkpoint = brought(given or model(), *words)
    return run(**{"checkpoint": checkpoint, "ids": BOTH, "first_ids": FIRST, "blanks": ["1"]} | params)


def test_it_is_the_readers_model_on_the_readers_tokens():
    result = shown()
    ids, segments = np.array(BOTH), np.array([0] * 5 + [1] * 3)
    ids[1] = MASK
    logits = model().forward(ids, segments=segments)
    best = np.argsort(-logits[1])[:8]
    assert result["ids"].tolist() == ids.tolist() and result["place"] == 1 and result["original"] == "cat"
    assert result["texts"] == [[*WORDS, "[9]", "[10]", "[11]"][each] for each in best]
    np.testing.assert_allclose(result["probabilities"], softmax(logits[1])[best], rtol=1e-4)
    assert result["tokens"] == ["[CLS]", "[MASK]", "##s", "chase", "[SEP]", "mice", "[UNK]", "[SEP]"]
    sizes = {name: result[name] for name in ("vocab_size", "num_layers", "num_heads", "d_model", "d_k", "n")}
    assert sizes == {"vocab_size": 12, "num_layers": 2, "num_heads": 3, "d_model": 12, "d_k": 4, "n": 8}
    assert result["weights"].shape == (2, 3, 8, 8) and result["parameters"] == model().parameter_count()


def test_the_second_sentence_has_the_other_segment_and_one_alone_has_none():
    result = shown()
    assert (result["segment"][:5] == result["segment"][0]).all() and (
        result["segment"][5:] == result["segment"][5]
    ).all()
    assert (result["segment"][0] != result["segment"][5]).any()
    alone = shown(ids=FIRST)
    assert (alone["segment"] == result["segment"][0]).all()


def test_padding_changes_no_number_of_a_real_word():
    plain, padded = shown(), shown(padding=3)
    assert padded["tokens"][8:] == ["[PAD]"] * 3 and (padded["weights"][..., 8:] == 0).all()
    assert (padded["n"], padded["written"]) == (11, 8)
    np.testing.assert_allclose(padded["probabilities"], plain["probabilities"], atol=1e-6)


def test_no_gpt_is_compared_with_it():
    result = shown()
    assert (result["reach"] > 0).all() and "reach_gpt" not in result
    covered = shown(blanks=["1", "3"], position=3)
    moved = np.linalg.norm(covered["stream"][-1] - shown(position=3)["stream"][-1])
    assert result["reach"][2, 3] == pytest.approx(moved, rel=1e-3)


def test_without_a_head_there_is_attention_and_no_prediction():
    result = shown(headless(), ablated=["encoder.0.self.1"], hidden=["3"])
    assert not {"texts", "probabilities", "lens_texts", "effects", "compared_texts", "moved"} & result.keys()
    np.testing.assert_allclose(result["weights"].sum(-1), 1, rtol=1e-5)
    assert (result["weights"][..., 3] == 0).all() and {"reach", "renormalised", "pooled"} <= result.keys()


def test_without_a_pooler_there_is_no_vector_of_the_sentence():
    assert not {"cls", "pooled", "W_pool"} & shown().keys()
    assert not {"cls", "pooled", "W_pool"} & shown(headless(pooler=False)).keys()
    result = shown(headless())
    np.testing.assert_allclose(
        result["pooled"], np.tanh(result["cls"] @ result["W_pool"] + result["b_pool"]), rtol=1e-4
    )


def test_without_a_mask_nothing_is_covered():
    result = shown(words=("a", "b"))
    assert result["ids"].tolist() == BOTH and result["covered"].size == 0 and result["place"] == 0
    assert result["unreached"] == "mask" and "reach" not in result


def test_another_name_of_the_mask():
    words = list(WORDS)
    words[MASK] = "<mask>"
    assert shown(words=words)["tokens"][1] == "<mask>"


def test_what_would_take_too_long_is_left_out(monkeypatch):
    monkeypatch.setattr(bert_changes, "MOST_MULTIPLIED", 9 * 8 * 2 * 12 * (4 * 12 + 2 * 10))
    assert "reach" in shown()
    monkeypatch.setattr(bert_changes, "MOST_MULTIPLIED", bert_changes.MOST_MULTIPLIED - 1)
    assert shown()["unreached"] == "large"


@pytest.mark.parametrize(
    ("message", "params"),
    [
        ("tokens=15 tokens are too few or too many: use 1 to 14", {"ids": [CLS] * 15}),
        ("tokens=0 tokens are too few or too many: use 1 to 14", {"ids": []}),
        ("tokens=token 12 is not one of this model's 12: take the tokenizer from the same model", {"ids": [12]}),
        ("padding=7 is too large: use at most 6", {"padding": 7}),
        ("layer=0 is too small: use at least 1", {"layer": 0}),
    ],
)
def test_refusal(message, params):
    with pytest.raises(ValueError) as refusal:
        shown(**params)
    assert str(refusal.value) == message


def test_a_model_of_one_segment_takes_one_sentence():
    assert shown(model(type_vocab_size=1), ids=FIRST)["n"] == 5
    with pytest.raises(ValueError, match="^second=a text is more than this model can tell from the first"):
        shown(model(type_vocab_size=1))


def test_an_unknown_checkpoint_is_told():
    checkpoints.forget("mine")
    with pytest.raises(ValueError, match="^checkpoint='mine' is not here"):
        run(checkpoint="mine", ids=BOTH, first_ids=FIRST)
