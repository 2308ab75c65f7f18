"""A model that was saved opens again as the same model."""

import json
from dataclasses import replace

import numpy as np
import pytest

from seeformer.io.model_files import ARCHITECTURES, load_model, save_model
from seeformer.models.families import FAMILIES

SIZES = {
    "bert": {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 12},
    "gpt2": {"n_embd": 8, "n_layer": 2, "n_head": 2, "n_positions": 16},
    "bart": {"d_model": 8, "encoder_layers": 1, "decoder_layers": 2, "encoder_attention_heads": 2}
    | {"decoder_attention_heads": 2, "encoder_ffn_dim": 12, "decoder_ffn_dim": 12, "max_position_embeddings": 16},
    "t5": {"d_model": 8, "d_kv": 3, "d_ff": 12, "num_layers": 2, "num_heads": 2},
    "vit": {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 12}
    | {"image_size": 8, "patch_size": 4, "num_labels": 3},
}


def model(kind):
    made, words = FAMILIES[kind], {} if kind == "vit" else {"vocab_size": 20}
    return made.random(replace(made.Config(), **SIZES[kind], **words), seed=6)


@pytest.mark.parametrize("kind", FAMILIES)
def test_saved_and_loaded_it_is_the_same(kind):
    before = model(kind)
    file, config = save_model(before)
    after = load_model(file, config)
    assert type(after) is type(before) and after.config == before.config
    assert dict(after.weights).keys() == before.weights.keys()
    for name, x in before.weights.items():
        np.testing.assert_array_equal(after.weights[name], x)
    assert json.loads(config)["architectures"] == [ARCHITECTURES[kind]]


@pytest.mark.parametrize(("dtype", "step"), [("F16", 2.0**-11), ("BF16", 2.0**-8)])
def test_shorter_floats_are_rounded_and_come_back_as_float32(dtype, step):
    before = model("gpt2")
    file, config = save_model(before, dtype=dtype)
    assert len(file) < 0.7 * len(save_model(before)[0])
    for name, x in load_model(file, config).weights.items():
        assert (
            x.dtype == np.float32 and (abs(x - before.weights[name]) <= step * abs(before.weights[name]) + 1e-7).all()
        )


def test_a_model_without_head_says_so(tmp_path):
    headless = FAMILIES["bert"].random(replace(model("bert").config), head=False)
    _, config = save_model(headless, target=tmp_path / "model.safetensors")
    assert json.loads(config)["architectures"] == ["BertModel"]
    again = load_model(tmp_path / "model.safetensors", config)
    assert not again.has_head and {f"bert.{name}" for name in headless.weights} == set(again.weights)


def test_weights_that_do_not_fit_the_config_are_named():
    file, config = save_model(model("bert"))
    with pytest.raises(
        ValueError, match="bert.embeddings.word_embeddings.weight.* has shape \\(20, 8\\), expected \\(21, 8\\)"
    ):
        load_model(file, json.loads(config) | {"vocab_size": 21})


@pytest.mark.parametrize(("name", "value"), [("is_decoder", True), ("position_embedding_type", "relative_key")])
def test_a_bert_that_would_give_other_numbers_is_refused(name, value):
    file, config = save_model(model("bert"))
    usual = {"is_decoder": False, "position_embedding_type": "absolute"}
    load_model(file, json.loads(config) | usual)
    load_model(file, json.loads(config) | {name: None})
    with pytest.raises(ValueError, match=rf"^{name}={value!r} in config.json is not built here: use a model with "):
        load_model(file, json.loads(config) | {name: value})


def test_a_vit_without_classifier_opens_and_says_so():
    whole = model("vit")
    bare = type(whole).random(whole.config, 6, head=False)
    file, config = save_model(bare)
    assert json.loads(config)["architectures"] == ["ViTModel"]
    after = load_model(file, config)
    pixels = np.ones((3, 8, 8), np.float32)
    assert not after.has_head and after.forward(pixels).shape == (5, 8)
    np.testing.assert_array_equal(after.forward(pixels), bare.hidden(pixels))
    with pytest.raises(ValueError, match="'classifier.weight' is missing: these weights have no classifier"):
        after.logits(bare.hidden(pixels))


def test_what_is_no_model():
    with pytest.raises(ValueError, match="model=int object has no checkpoint of its own: use one of Bert, GPT2"):
        save_model(3)
