"""Checkpoints that the reader brought: opened once, told at once if wrong, gone when forgotten."""

import gc
import io
import json
import weakref

import numpy as np
import pytest

from seeformer import brought, checkpoints
from seeformer.checkpoints import bring, forget, held
from seeformer.io.model_files import save_model
from seeformer.models.gpt import GPT2, GPT2Config
from seeformer.models.vit import ViT, ViTConfig
from seeformer.worlds import World

CONFIG = GPT2Config(5, 8, 6, 2, 3, eos_token_id=None)
TOKENIZER = json.dumps({"model": {"vocab": {"a": 0, "b": 1, "\u0120c": 2}}, "decoder": {"type": "ByteLevel"}})


class Counted(io.BytesIO):
    """A file that counts the bytes that are read of it."""

    name, count = "model.safetensors", 0

    def read(self, size=-1):
        self.count += size
        return super().read(size)


def files(seed=3, config=CONFIG, dtype=None):
    weights, text = save_model(GPT2.random(config, seed), dtype=dtype)
    return Counted(weights), text


@pytest.fixture(autouse=True)
def nothing_left():
    yield
    brought.checkpoints.clear()


def test_the_model_is_that_of_the_files():
    file, config = files()
    told = bring("mine", file, config, tokenizer=TOKENIZER, families=["gpt2"])
    model = GPT2.random(CONFIG, 3)
    assert told == {"family": "gpt2", "parameters": model.parameter_count()}
    np.testing.assert_array_equal(held("mine").model.forward([0, 2, 1]), model.forward([0, 2, 1]))


def test_it_is_made_once_and_its_file_read_once():
    file, config = files()
    bring("mine", file, config)
    size = len(file.getbuffer())
    assert file.count <= size
    first = held("mine").model
    first.forward([0, 1])
    assert held("mine").model is first and file.count <= size


def test_tokens_are_named_and_numbers_beyond_the_tokenizer_too():
    bring("mine", *files(), tokenizer=TOKENIZER)
    assert held("mine").names == ["a", "b", " c", "[3]", "[4]"]


def test_a_model_of_pictures_needs_no_tokenizer_and_has_names_of_classes():
    config = ViTConfig(12, 2, 3, 10, image_size=6, patch_size=3, num_channels=2, num_labels=4)
    weights, text = save_model(ViT.random(config))
    assert bring("mine", weights, text)["family"] == "vit"
    assert held("mine").names == ["LABEL_0", "LABEL_1", "LABEL_2", "LABEL_3"]
    bring("mine", weights, text.replace('"0": "LABEL_0"', '"0": "cat"').replace('"1": "LABEL_1"', '"9": ""'))
    assert held("mine").names == ["cat", "[1]", "LABEL_2", "LABEL_3"]


def test_numbers_of_tokens_are_checked_and_the_message_names_the_control():
    bring("mine", *files(), tokenizer=TOKENIZER)
    assert held("mine").ids("prompt", (0, 4), most=2) == [0, 4]
    for numbers, words in [
        ((), "prompt=0 tokens are too few or too many: use 1 to 2"),
        ((1, 1, 1), "prompt=3 tokens"),
        ((5,), "prompt=token 5 is not one of this model's 5"),
        ((-1,), "prompt=token -1"),
        (("a",), "prompt=\\('a',\\) has no tokens"),
        ((True,), "prompt=\\(True,\\) has no tokens"),
    ]:
        with pytest.raises(ValueError, match=words):
            held("mine").ids("prompt", numbers, most=2)


def test_what_was_not_brought_is_told():
    with pytest.raises(ValueError, match=r"checkpoint='mine' is not here: load its files again"):
        held("mine")


def broken(kind):
    file, config = files()
    data = file.getvalue()
    if kind == "cut":
        return Counted(data[:-40]), config
    if kind == "no json":
        return file, "{"
    if kind == "family":
        return file, config.replace('"gpt2"', '"bert"')
    if kind == "unknown family":
        return file, config.replace('"gpt2"', '"llama"')
    if kind == "other sizes":
        return file, config.replace('"n_layer": 2', '"n_layer": 3')
    return file, config.replace('"n_layer": 2', '"n_layer": true')


WRONG = {
    "cut": "safetensors='model.safetensors' is not a whole safetensors file",
    "no json": "config=.* is not JSON",
    "family": "model_type='bert' in config.json is of another family than this lab shows .gpt2.",
    "unknown family": "model_type='llama' is not built here",
    "other sizes": "model.safetensors: weights='transformer.h.2.ln_1.weight' of shape .6,. is missing.*take config and weights from the same model",
    "type": "model.safetensors: n_layer=True in config.json is of the wrong type",
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_wrong_is_said_at_once_and_nothing_is_left_of_it(kind):
    bring("mine", *files(seed=1))
    before = held("mine").model
    with pytest.raises(ValueError, match=WRONG[kind]):
        bring("mine", *broken(kind), families=["gpt2"])
    assert held("mine").model is before and list(brought.checkpoints) == ["mine"]


def test_a_tokenizer_of_another_model_is_told():
    many = json.dumps({"model": {"vocab": {str(number): number for number in range(6)}}})
    with pytest.raises(ValueError, match="tokenizer=6 tokens are more than the 5 of config.json"):
        bring("mine", *files(), tokenizer=many)
    assert not brought.checkpoints


def test_too_little_memory_is_told(monkeypatch):
    def none_left(*_):
        raise MemoryError

    monkeypatch.setattr(checkpoints, "held", none_left)
    with pytest.raises(ValueError, match=r"model.safetensors: its 1\d* numbers take 0.0 GB, more than there is"):
        bring("mine", *files())
    assert not brought.checkpoints


def test_forgotten_it_takes_no_memory_in_any_world():
    bring("mine", *files())
    world = World({"seeformer.norm": __import__("inspect").getsource(__import__("seeformer.norm", fromlist=["norm"]))})
    with world:
        from seeformer.checkpoints import held as held_there

        there = weakref.ref(held_there("mine").model.weights)
    here = weakref.ref(held("mine").model.weights)
    assert here() is not None and there() is not None
    forget("mine")
    forget("mine")
    gc.collect()
    assert here() is None and there() is None


def test_an_edited_kernel_gets_the_weights_without_reading_them_again():
    file, config = files()
    bring("mine", file, config)
    count, before = file.count, held("mine").model
    source = __import__("inspect").getsource(__import__("seeformer.norm", fromlist=["norm"]))
    with World({"seeformer.norm": source + "\n\ndef layer_norm(x, gamma=None, beta=None, eps=1e-5):\n    return x\n"}):
        from seeformer.checkpoints import held as held_there

        model = held_there("mine").model
        assert type(model) is not GPT2
        assert not np.allclose(model.forward([0, 1]), before.forward([0, 1]))
        name = "transformer.wte.weight"
        assert model.weights[name] is before.weights[name]
    assert file.count == count


def test_half_precision_is_made_whole():
    bring("mine", *files(dtype="F16"))
    assert held("mine").model.dtype == np.float32
