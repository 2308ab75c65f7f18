"""The names that checkpoints give to their tensors, brought to one form.

The form is that of the family's model with its head, as ``transformers`` 5 saves it: ``bert.encoder…`` and
``cls.predictions…`` (BertForMaskedLM), ``transformer.h.0…`` (GPT2LMHeadModel), ``model.encoder…``
(BartForConditionalGeneration), ``encoder.block…`` (T5ForConditionalGeneration), ``vit.encoder…`` and ``classifier…``
(ViTForImageClassification).
A model without head has the same names without the prefix; older checkpoints have more differences, all of them
listed here.
"""

import re

PREFIX = {"bert": "bert.", "gpt2": "transformer.", "bart": "model.", "t5": "", "vit": "vit."}

# What stands beside the base model, and never gets its prefix.
HEADS = {
    "bert": ("cls.", "classifier.", "qa_outputs."),
    "gpt2": ("lm_head.", "score."),
    "bart": ("lm_head.", "final_logits_bias", "classification_head.", "qa_outputs."),
    "t5": ("lm_head.", "classifier."),
    "vit": ("classifier.",),
}

# Every model of the family has it, so that a file of another family is told at once.
ESSENTIAL = {
    "bert": "bert.embeddings.word_embeddings.weight",
    "gpt2": "transformer.wte.weight",
    "bart": "model.shared.weight",
    "t5": "shared.weight",
    "vit": "vit.embeddings.cls_token",
}

# Tables of numbers that follow from the config, kept in old files: positions, GPT-2's causal mask, a T5 leftover.
NO_WEIGHTS = {
    "bert": r"embeddings\.position_ids$",
    "gpt2": r"\.attn\.(masked_)?bias$",
    "t5": r"^decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight$",
}

# One matrix under several names. A file has it under one of them, most often the first, which is the one used here.
TIED = {
    "bert": [
        ("bert.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight"),
        ("cls.predictions.bias", "cls.predictions.decoder.bias"),
    ],
    "gpt2": [("transformer.wte.weight", "lm_head.weight")],
    "bart": [
        (
            "model.shared.weight",
            "model.encoder.embed_tokens.weight",
            "model.decoder.embed_tokens.weight",
            "lm_head.weight",
        )
    ],
    "t5": [("shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "lm_head.weight")],
    "vit": [],
}


def canonical(family, name):
    """The name as this package knows it; None for what is no weight."""
    if re.search(NO_WEIGHTS.get(family, "$^"), name):
        return None
    name = re.sub(r"\bLayerNorm\.gamma$", "LayerNorm.weight", name)  # BERT's first checkpoints
    name = re.sub(r"\bLayerNorm\.beta$", "LayerNorm.bias", name)
    prefix = PREFIX[family]
    if prefix and not name.startswith((prefix, *HEADS[family])):
        name = prefix + name
    return name


def canonical_names(family, names):
    """{canonical name: name in the file}; a tied matrix under its first name, and a second time only if it is a head.

    Raises
    ------
    ValueError
        Two of the names are one weight.
    """
    found = {}
    for name in names:
        ours = canonical(family, name)
        if ours in found:
            raise ValueError(f"safetensors={name!r} and {found[ours]!r} are one and the same weight: keep one")
        if ours is not None:
            found[ours] = name
    for first, *others in TIED[family]:
        held = next((name for name in others if name in found), None)
        if first not in found and held:
            found[first] = found.pop(held)
        for name in others:
            if name.endswith("embed_tokens.weight"):  # never of its own; a head may be
                found.pop(name, None)
    return found
