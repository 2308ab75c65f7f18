"""config.json, Hugging Face's description of a model: which family it is of, and its sizes under their names.

>>> family('{"model_type": "bert", "hidden_size": 384}')
'bert'
"""

import json
import os
import types
import typing
from dataclasses import MISSING, asdict, fields
from pathlib import Path

from .text import shallow, short

DEEPEST = 20
# What a config of the family may also ask for, and what is computed here: the rest would give other numbers.
BUILT = {"bert": {"position_embedding_type": "absolute", "is_decoder": False}}
FAMILIES = ("bert", "gpt2", "bart", "t5", "vit")


def read_config(config):
    """config.json as a dict.

    Parameters
    ----------
    config : str or bytes (JSON), a path, or a dict that has been read already

    Raises
    ------
    ValueError
        No JSON, or JSON that is no table.
    """
    if isinstance(config, os.PathLike):
        config = Path(config).read_bytes()
    if isinstance(config, (str, bytes)):
        try:
            text = config if isinstance(config, str) else config.decode("utf-8")
            shallow(text, DEEPEST)
            config = json.loads(text)
        except ValueError as error:
            raise ValueError(f"config={short(config)} is not JSON ({error}): give the text of config.json") from None
    if not isinstance(config, dict):
        raise ValueError(f"config={short(config)} is no table of names and values: give the text of config.json")
    return dict(config)


def family(config):
    """ "bert", "gpt2", "bart", "t5" or "vit", as ``model_type`` says; ValueError if it says anything else."""
    found = read_config(config).get("model_type")
    if found is None:
        raise ValueError(f"model_type=None is missing in config.json: it must be one of {', '.join(FAMILIES)}")
    if found not in FAMILIES:
        raise ValueError(f"model_type={short(found)} is not built here: use one of {', '.join(FAMILIES)}")
    return found


def check_built(config):
    """ValueError if the model is of a kind that is not built, though its family is."""
    for name, built in BUILT.get(family(config), {}).items():
        if config.get(name, built) not in (built, None):
            raise ValueError(
                f"{name}={short(config[name])} in config.json is not built here: use a model with {built!r}"
            )


def as_dataclass(cls, config):
    """The fields that the dataclass ``cls`` has, of a config.json; what it does not know is left out.

    ``num_labels`` stands in no file: as in ``transformers`` it is how many ``id2label`` has.

    Raises
    ------
    ValueError
        A field without default is missing, or a value is not of the field's annotated type (int, float, bool, str,
        those or None). A whole number is good for a float, true and false are no numbers.
    """
    config, wanted = read_config(config), typing.get_type_hints(cls)
    if isinstance(labels := config.get("id2label"), dict):
        config.setdefault("num_labels", len(labels))
    values = {}
    for field in fields(cls):
        if field.name in config:
            values[field.name] = _of_type(field.name, config[field.name], wanted[field.name])
        elif field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"{field.name}=None is missing in config.json: {cls.__name__} needs it")
    return cls(**values)


def as_json(config, **more):
    """The text of a config.json: a dataclass' fields or a dict, and ``more`` (model_type, architectures …)."""
    values = dict(config) if isinstance(config, dict) else asdict(config)
    return json.dumps(values | more, indent=2, sort_keys=True) + "\n"


def _of_type(name, value, wanted):
    choices = typing.get_args(wanted) if isinstance(wanted, types.UnionType) else (wanted,)
    if float in choices and type(value) is int:
        return float(value)
    plain = [choice for choice in choices if isinstance(choice, type)]
    if len(plain) == len(choices) and type(value) not in plain:
        names = " or ".join(choice.__name__.replace("NoneType", "null") for choice in plain)
        raise ValueError(f"{name}={short(value)} in config.json is of the wrong type: it must be {names}")
    return value
