"""Checkpoints that the reader brought, as models; they live as long as this Python.

The modules that open files are imported by name: a lab that takes checkpoints shows its kernels, and not how a file
is read.
"""

import math
from dataclasses import dataclass
from importlib import import_module
from typing import NamedTuple
from weakref import WeakKeyDictionary

from . import brought

_models = WeakKeyDictionary()  # Files -> Held, of this world's classes


@dataclass(frozen=True, eq=False)
class Files:
    """A checkpoint that was opened: its weights are read when they are asked for, and then kept."""

    family: str
    config: dict
    weights: object
    texts: list  # token number -> text; empty without a tokenizer


class Held(NamedTuple):
    """A brought model, and what its tokens are called, or, of a model of pictures, its classes."""

    family: str
    model: object
    names: list  # names[id]

    def ids(self, name, numbers, *, most):
        """The tokens' numbers, as the page's tokenizer found them in the text of the control ``name``; list of int."""
        if not isinstance(numbers, (list, tuple)) or not all(type(number) is int for number in numbers):
            raise ValueError(f"{name}={numbers!r} has no tokens: give it a text")
        if not 1 <= len(numbers) <= most:
            raise ValueError(f"{name}={len(numbers)} tokens are too few or too many: use 1 to {most}")
        if beyond := [number for number in numbers if not 0 <= number < len(self.names)]:
            raise ValueError(
                f"{name}=token {beyond[0]} is not one of this model's {len(self.names)}: "
                "take the tokenizer from the same model"
            )
        return list(numbers)


def held(name):
    """The model that was brought under ``name``, made at the first use.

    Returns
    -------
    Held

    Raises
    ------
    ValueError
        There is none, or its weights and its config do not belong together.
    """
    files = brought.checkpoints.get(name)
    if files is None:
        raise ValueError(f"checkpoint={name!r} is not here: load its files again, or use '', random weights")
    if files not in _models:
        model = import_module(f"{__package__}.io.model_files").load_model(files.weights, files.config)
        _models[files] = Held(files.family, model, _named(files, model.config))
    return _models[files]


def bring(name, safetensors, config, *, tokenizer=None, families=None):
    """Open a checkpoint and make its model, so that whatever is wrong with the files is said at once.

    Parameters
    ----------
    name : str
        What a lab's parameter ``checkpoint`` calls it. What had that name before goes, if this one is good.
    safetensors, config : as for ``io.read_checkpoint``
    tokenizer : str, optional
        The text of its tokenizer.json, for the names of the tokens.
    families : list of str, optional
        What is accepted.

    Returns
    -------
    dict
        ``family``, and ``parameters``: how many numbers its weights are.
    """
    before = brought.checkpoints.get(name)
    label = getattr(safetensors, "name", name)
    tensors = import_module(f"{__package__}.io.safetensors").read_safetensors(safetensors)
    opening = import_module(f"{__package__}.io.checkpoint")
    kind = opening.family(config)
    if families and kind not in families:
        raise ValueError(
            f"model_type={kind!r} in config.json is of another family than this lab shows ({', '.join(families)}): "
            "drop it on the lab of its own"
        )
    texts = import_module(f"{__package__}.tokenizers.token_texts").token_texts(tokenizer) if tokenizer else []
    config, weights = opening.read_checkpoint(tensors, config)
    brought.checkpoints[name] = Files(kind, config, weights, texts)
    count = sum(math.prod(tensors.entries[weights.stored(each)].shape) for each in weights)
    try:
        held(name)
    except BaseException as error:  # a Stop, too
        forget(name)
        if before is not None:
            brought.checkpoints[name] = before
        if isinstance(error, MemoryError):
            raise ValueError(
                f"{label}: its {count} numbers take {count * 4 / 1e9:.1f} GB, more than there is: take a smaller model"
            ) from None
        if isinstance(error, ValueError):
            raise ValueError(f"{label}: {error}") from None
        raise
    return {"family": kind, "parameters": count}


def forget(name):
    """Free the memory of a checkpoint; nothing happens if there is none."""
    brought.checkpoints.pop(name, None)


def _named(files, config):
    """A name for each number that the model knows: its vocabulary is often rounded up."""
    if not hasattr(config, "vocab_size"):
        return _labels(files.config.get("id2label"), config.num_labels)
    texts, size = files.texts, config.vocab_size
    if len(texts) > size:
        raise ValueError(
            f"tokenizer={len(texts)} tokens are more than the {size} of config.json: take both from the same model"
        )
    return texts + [f"[{number}]" for number in range(len(texts), size)]


def _labels(given, count):
    """As config.json has them: {"0": "cat", …}."""
    names = given if isinstance(given, dict) else {}
    return [str(names.get(str(number), f"[{number}]")) for number in range(count)]
