"""A checkpoint: config.json tells the family, every spelling of a name is the same weight."""

import json
from dataclasses import dataclass

import numpy as np
import pytest

from seeformer.io.checkpoint import family, read_checkpoint, untied, write_checkpoint
from seeformer.io.config import as_dataclass, as_json, read_config
from seeformer.io.names import canonical
from seeformer.io.safetensors import read_safetensors, write_safetensors

E = np.arange(12, dtype=np.float32).reshape(4, 3)
BERT = {"embeddings.word_embeddings.weight": E, "encoder.layer.0.output.dense.bias": np.ones(3, np.float32)}
GPT2 = {"wte.weight": E, "h.0.ln_1.weight": np.ones(3, np.float32), "h.0.attn.c_attn.bias": np.ones(9, np.float32)}


def checkpoint(tensors, model_type, **options):
    return read_checkpoint(write_safetensors(tensors, **options), {"model_type": model_type})[1]


@pytest.mark.parametrize("given", ["bert", "gpt2", "bart", "t5", "vit"])
def test_the_family_is_the_model_type(given):
    assert family(json.dumps({"model_type": given})) == family({"model_type": given}) == given


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({}, "model_type=None is missing in config.json: it must be one of bert, gpt2, bart, t5, vit"),
        ({"model_type": "llama"}, "model_type='llama' is not built here: use one of bert"),
        ({"model_type": ["bert"]}, "model_type=.* is not built here"),
        ("{'model_type': 'bert'}", "is not JSON .*: give the text of config.json"),
        (b"\xff", "is not JSON"),
        ("[" * 100_000, "config='\\[\\[.{,80}is not JSON"),
        ("[]", r"config=\[\] is no table"),
        (3, "config=3 is no table"),
    ],
)
def test_a_config_that_tells_no_family(config, message):
    with pytest.raises(ValueError, match=message):
        family(config)


def test_a_config_is_read_from_a_path(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "t5"}')
    assert read_config(tmp_path / "config.json") == {"model_type": "t5"}


@dataclass
class Sizes:
    hidden_size: int
    layer_norm_eps: float = 1e-12
    tie_word_embeddings: bool = True
    n_inner: int | None = None
    num_labels: int = 2


def test_a_dataclass_takes_what_it_knows():
    sizes = as_dataclass(Sizes, '{"hidden_size": 8, "layer_norm_eps": 1, "n_inner": null, "transformers_version": "5"}')
    assert sizes == Sizes(8, 1.0) and type(sizes.layer_norm_eps) is float
    assert as_dataclass(Sizes, {"hidden_size": 8, "id2label": {"0": "a", "1": "b", "2": "c"}}).num_labels == 3
    assert as_dataclass(Sizes, as_json(sizes, model_type="bert")) == sizes
    assert json.loads(as_json(sizes, model_type="bert"))["model_type"] == "bert"


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({}, "hidden_size=None is missing in config.json: Sizes needs it"),
        ({"hidden_size": "8"}, "hidden_size='8' in config.json is of the wrong type: it must be int"),
        ({"hidden_size": True}, "hidden_size=True"),
        ({"hidden_size": 8.0}, "hidden_size=8.0"),
        ({"hidden_size": None}, "hidden_size=None"),
        (
            {"hidden_size": 8, "n_inner": "no"},
            "n_inner='no' in config.json is of the wrong type: it must be int or null",
        ),
        ({"hidden_size": 8, "tie_word_embeddings": 1}, "tie_word_embeddings=1"),
    ],
)
def test_a_value_of_the_wrong_type(config, message):
    with pytest.raises(ValueError, match=message):
        as_dataclass(Sizes, config)


@pytest.mark.parametrize(
    ("kind", "name", "ours"),
    [
        ("bert", "embeddings.LayerNorm.gamma", "bert.embeddings.LayerNorm.weight"),
        ("bert", "bert.encoder.layer.3.output.LayerNorm.beta", "bert.encoder.layer.3.output.LayerNorm.bias"),
        ("bert", "cls.predictions.bias", "cls.predictions.bias"),
        ("bert", "pooler.dense.bias", "bert.pooler.dense.bias"),
        ("bert", "embeddings.position_ids", None),
        ("gpt2", "h.11.attn.bias", None),
        ("gpt2", "transformer.h.11.attn.masked_bias", None),
        ("gpt2", "h.11.attn.c_attn.bias", "transformer.h.11.attn.c_attn.bias"),
        ("gpt2", "lm_head.weight", "lm_head.weight"),
        ("bart", "encoder.layers.0.fc1.bias", "model.encoder.layers.0.fc1.bias"),
        ("bart", "final_logits_bias", "final_logits_bias"),
        ("t5", "encoder.final_layer_norm.weight", "encoder.final_layer_norm.weight"),
        ("t5", "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight", None),
        ("vit", "embeddings.cls_token", "vit.embeddings.cls_token"),
        ("vit", "classifier.bias", "classifier.bias"),
    ],
)
def test_a_name_has_one_form(kind, name, ours):
    assert canonical(kind, name) == ours
    if ours:
        assert canonical(kind, ours) == ours


def test_with_and_without_prefix_it_is_the_same_model():
    bare, prefixed = checkpoint(GPT2, "gpt2"), checkpoint({f"transformer.{k}": x for k, x in GPT2.items()}, "gpt2")
    assert list(bare) == list(prefixed) and all((bare[name] == prefixed[name]).all() for name in bare)


def test_what_is_no_weight_is_told_and_left_out():
    weights = checkpoint(GPT2 | {"h.0.attn.bias": np.ones((1, 1, 4, 4), np.uint8)}, "gpt2")
    assert weights.ignored == ["h.0.attn.bias"] and not any(name.endswith(".attn.bias") for name in weights)


def test_a_tied_head_is_missing_as_in_the_file():
    assert "lm_head.weight" not in checkpoint(GPT2, "gpt2")


def test_a_head_of_its_own_is_there():
    weights = checkpoint(GPT2 | {"lm_head.weight": E + 1}, "gpt2")
    assert (weights["lm_head.weight"] == E + 1).all() and (weights["transformer.wte.weight"] == E).all()


@pytest.mark.parametrize(
    ("kind", "stored", "ours"),
    [
        ("gpt2", "lm_head.weight", "transformer.wte.weight"),
        ("bart", "encoder.embed_tokens.weight", "model.shared.weight"),
        ("bart", "lm_head.weight", "model.shared.weight"),
        ("t5", "decoder.embed_tokens.weight", "shared.weight"),
        ("bert", "cls.predictions.decoder.weight", "bert.embeddings.word_embeddings.weight"),
    ],
)
def test_a_matrix_stored_under_another_of_its_names(kind, stored, ours):
    """Writers that keep only one of several names may keep any of them."""
    weights = checkpoint({stored: E}, kind)
    assert list(weights) == [ours] and (weights[ours] == E).all()


def test_a_matrix_that_is_stored_thrice_is_there_once():
    names = ("shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight")
    weights = checkpoint({name: E for name in names}, "bart")
    assert list(weights) == ["model.shared.weight"] and len(weights.ignored) == 2


@pytest.mark.parametrize("dtype", ["F16", "BF16", "F32", "F64"])
def test_weights_are_float32_and_read_once(dtype):
    weights = checkpoint(BERT, "bert", dtype=dtype)
    x = weights["bert.embeddings.word_embeddings.weight"]
    assert x.dtype == np.float32 and (x == E).all() and not x.flags.writeable
    assert weights["bert.embeddings.word_embeddings.weight"] is x


def test_only_what_is_asked_for_is_read():
    class Watched(dict):
        def __getitem__(self, name):
            read.append(name)
            return super().__getitem__(name)

    read = []
    _, weights = read_checkpoint(Watched(GPT2), {"model_type": "gpt2"})
    assert "transformer.wte.weight" in weights and list(weights) and read == []
    weights["transformer.wte.weight"]
    assert read == ["wte.weight"]


@pytest.mark.parametrize("kind", ["gpt2", "bart", "t5", "vit"])
def test_a_file_of_another_family(kind):
    with pytest.raises(ValueError, match=f"is not in the file: it is no {kind} model"):
        checkpoint(BERT, kind)


def test_the_same_weight_twice():
    with pytest.raises(ValueError, match="are one and the same weight: keep one"):
        checkpoint(GPT2 | {"transformer.wte.weight": E}, "gpt2")


def test_a_missing_weight_is_a_key_error_with_its_name():
    with pytest.raises(KeyError, match="no.such"):
        checkpoint(GPT2, "gpt2")["no.such"]


@pytest.mark.parametrize("dtype", [None, "F16", "BF16"])
def test_what_is_written_opens_again_and_holds_each_matrix_once(dtype):
    weights = checkpoint(GPT2, "gpt2")
    weights = dict(weights) | {"lm_head.weight": weights["transformer.wte.weight"]}
    file, text = write_checkpoint(weights, {"model_type": "gpt2", "n_embd": 3}, dtype=dtype)
    stored = read_safetensors(file)
    assert "lm_head.weight" not in stored and stored.metadata == {"format": "pt"}
    config, again = read_checkpoint(file, text)
    assert config["n_embd"] == 3 and config["dtype"] == {None: "float32", "F16": "float16", "BF16": "bfloat16"}[dtype]
    assert set(weights) - set(again) == {"lm_head.weight"}
    assert all((again[name] == weights[name]).all() for name in again)


def test_untied_keeps_what_differs():
    assert set(untied("gpt2", {"transformer.wte.weight": E, "lm_head.weight": E.copy()})) == {"transformer.wte.weight"}
    assert len(untied("gpt2", {"transformer.wte.weight": E, "lm_head.weight": E + 1})) == 2
