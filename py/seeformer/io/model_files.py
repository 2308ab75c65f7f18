"""From a checkpoint's two files to a model of this package, and back to files that ``transformers`` opens."""

from dataclasses import asdict

from ..models.families import FAMILIES
from .checkpoint import family, read_checkpoint, write_checkpoint
from .config import as_dataclass, check_built

# The class of transformers that has a family's weights.
ARCHITECTURES = {
    "bert": "BertForMaskedLM",
    "gpt2": "GPT2LMHeadModel",
    "bart": "BartForConditionalGeneration",
    "t5": "T5ForConditionalGeneration",
    "vit": "ViTForImageClassification",
}

# Of a family that is also saved without its head: how that begins in the file, and the class without it.
HEADLESS = {"bert": ("cls.", "BertModel"), "vit": ("classifier.", "ViTModel")}


def load_model(safetensors, config):
    """A model with the weights of a checkpoint.

    Parameters
    ----------
    safetensors, config : as for ``read_checkpoint``

    Raises
    ------
    ValueError
        A broken file, an unknown family, weights that are missing or do not have the shapes that the config says.
    """
    config, weights = read_checkpoint(safetensors, config)
    check_built(config)
    model = FAMILIES[family(config)]
    return model(as_dataclass(model.Config, config), weights)


def save_model(model, *, dtype=None, target=None):
    """(the .safetensors file, the text of config.json) of a model, for ``from_pretrained`` and ``load_model``.

    Parameters
    ----------
    model : one of this package
    dtype : "F32", "F16" or "BF16", optional
    target : path or binary file for the weights, optional
        Then None stands in their place.
    """
    kind = next((kind for kind, each in FAMILIES.items() if each is type(model)), None)
    if kind is None:
        known = ", ".join(each.__name__ for each in FAMILIES.values())
        raise ValueError(f"model={type(model).__name__} object has no checkpoint of its own: use one of {known}")
    config = {"model_type": kind, "architectures": [_architecture(kind, model.weights)]}
    config |= {name: value for name, value in asdict(model.config).items() if value is not None}
    if labels := config.pop("num_labels", 0):
        config["id2label"] = {str(i): f"LABEL_{i}" for i in range(labels)}
        config["label2id"] = {name: int(i) for i, name in config["id2label"].items()}
    return write_checkpoint(model.weights, config, dtype=dtype, target=target)


def _architecture(kind, weights):
    head, without = HEADLESS.get(kind, ("", None))
    return ARCHITECTURES[kind] if any(name.startswith(head) for name in weights) else without
