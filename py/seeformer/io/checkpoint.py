"""A checkpoint: the weights of a model in a .safetensors file, and its config.json, as Hugging Face keeps them."""

from collections.abc import Mapping

import numpy as np

from .config import as_json, family, read_config
from .names import ESSENTIAL, TIED, canonical_names
from .safetensors import read_safetensors, write_safetensors

__all__ = ["Weights", "family", "read_checkpoint", "untied", "write_checkpoint"]


class Weights(Mapping):
    """Canonical name -> array, each read at its first use and then kept; ``names`` says which names.

    Floats are float32 whatever the file holds. A matrix that is used in several places is there once, under the first
    of its names: a head that is tied to the embedding is missing, as in the files. ``ignored``: what the file has
    beside weights.
    """

    def __init__(self, tensors, family):
        self._tensors, self._kept = tensors, {}
        self._names = canonical_names(family, tensors)
        needed = ESSENTIAL[family]
        if needed not in self:
            raise ValueError(f"safetensors={needed!r} is not in the file: it is no {family} model")
        self.ignored = sorted(set(tensors) - set(self._names.values()))

    def __getitem__(self, name):
        if name not in self._kept:
            self._kept[name] = _float32(self._tensors[self._names[name]])
        return self._kept[name]

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)

    def __contains__(self, name):  # Mapping's own would read the tensor
        return name in self._names

    def stored(self, name):
        """The name that it has in the file."""
        return self._names[name]


def read_checkpoint(safetensors, config):
    """Open a checkpoint.

    Parameters
    ----------
    safetensors : what ``read_safetensors`` takes, or a Safetensors, or any mapping name -> ndarray
    config : what ``read_config`` takes

    Returns
    -------
    config : dict
        config.json as it is; ``family(config)`` is one of the five.
    weights : Weights
        Lazy; ``dict(weights)`` reads all.

    Raises
    ------
    ValueError
        A broken file, an unknown family, or a file without that family's first tensor.
    """
    config = read_config(config)
    kind = family(config)
    tensors = safetensors if isinstance(safetensors, Mapping) else read_safetensors(safetensors)
    return config, Weights(tensors, kind)


def write_checkpoint(weights, config, *, dtype=None, target=None):
    """(the .safetensors file, the text of config.json) that ``from_pretrained`` of ``transformers`` opens.

    Parameters
    ----------
    weights : mapping, canonical name -> ndarray
        A matrix under several names is stored once, as ``untied`` says.
    config : dict
        With ``model_type`` and ``architectures``.
    dtype, target : as for ``write_safetensors``
    """
    config = read_config(config)
    kept = untied(family(config), weights)
    stored = {"F16": "float16", "BF16": "bfloat16", "F64": "float64"}.get(dtype, "float32")
    file = write_safetensors(kept, target, dtype=dtype, metadata={"format": "pt"})
    return file, as_json(config, dtype=stored)


def untied(family, weights):
    """The weights without the names under which a matrix is there a second time, with the same values."""
    double = set()
    for first, *others in TIED[family]:
        if first in weights:
            double |= {name for name in others if name in weights and _same(weights[first], weights[name])}
    return {name: x for name, x in weights.items() if name not in double}


def _same(x, y):
    return x is y or (x.shape == y.shape and np.array_equal(x, y))


def _float32(x):
    if x.dtype.kind != "f" or x.dtype == np.float32:
        return x
    x = x.astype(np.float32)
    x.flags.writeable = False
    return x
