"""Small checkpoints, brought as a reader brings them."""

import json

from seeformer.checkpoints import bring
from seeformer.io.model_files import save_model

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def tokenizer(*words):
    """The text of a tokenizer.json, as far as the names of tokens go."""
    return json.dumps({"model": {"vocab": {word: number for number, word in enumerate(words)}}, "decoder": None})


def brought(model, *words, **changes):
    """Brings a model, its config.json with some ``changes``; returns the parameter ``checkpoint``."""
    weights, config = save_model(model)
    config = json.dumps(json.loads(config) | changes)
    bring("mine", weights, config, tokenizer=tokenizer(*words) if words else None)
    return "mine"
