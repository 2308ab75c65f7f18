"""Make what Hugging Face's own libraries write, for test_safetensors_reference.py: in small files beside this one.

    python tests/reference/make_safetensors.py [FOLDER]

mixed.safetensors        one tensor of each type, by safetensors.torch
safetensors.npz          the numbers in it, as PyTorch tells them (bfloat16 as float32)
checkpoint_names.json    {family: {class: {"stored": names in model.safetensors, "used": names in the state_dict}}}
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors import safe_open
from safetensors.torch import save_file

HERE = Path(__file__).parent
VERSIONS = {torch: "2.13", transformers: "5.24"}

FLOATS = [0.0, -0.0, 1.0, -1.5, 3.14159274, 1e-3, 65504.0, float("inf"), float("-inf"), float("nan")]
WHOLE = [0, 1, 2, 100, 127]


def tensors():
    for name in ("float16", "bfloat16", "float32", "float64"):
        yield name, torch.tensor(FLOATS, dtype=torch.float64).to(getattr(torch, name)).reshape(2, 5)
    for name in ("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"):
        yield name, torch.tensor(WHOLE).to(getattr(torch, name))
    yield "bool", torch.tensor([[True, False], [False, True]])
    yield "scalar", torch.tensor(2.5)
    yield "nothing", torch.zeros(3, 0, 2)
    yield "名字", torch.arange(3.0)


SIZES = {
    "bert": {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16},
    "gpt2": {"n_embd": 8, "n_layer": 2, "n_head": 2, "n_positions": 16, "bos_token_id": 1, "eos_token_id": 1},
    "bart": {"d_model": 8, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2}
    | {"decoder_attention_heads": 2, "encoder_ffn_dim": 8, "decoder_ffn_dim": 8, "max_position_embeddings": 16},
    "t5": {"d_model": 8, "d_kv": 4, "d_ff": 16, "num_layers": 1, "num_heads": 2},
    "vit": {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    | {"image_size": 8, "patch_size": 4},
}
CLASSES = {
    "bert": ("Bert", "BertModel", "BertForMaskedLM"),
    "gpt2": ("GPT2", "GPT2Model", "GPT2LMHeadModel"),
    "bart": ("Bart", "BartModel", "BartForConditionalGeneration"),
    "t5": ("T5", "T5Model", "T5ForConditionalGeneration"),
    "vit": ("ViT", "ViTModel", "ViTForImageClassification"),
}


def model(family, name):
    """A small one with random weights."""
    torch.manual_seed(6)
    config = getattr(transformers, f"{CLASSES[family][0]}Config")
    sizes = SIZES[family] if family == "vit" else {"vocab_size": 20} | SIZES[family]
    return getattr(transformers, name)(config(**sizes)).eval()


def names():
    for family, (_, *classes) in CLASSES.items():
        found = {}
        for name in classes:
            made = model(family, name)
            with tempfile.TemporaryDirectory() as folder:
                made.save_pretrained(folder)
                with safe_open(f"{folder}/model.safetensors", "np") as file:
                    found[name] = {"stored": sorted(file.keys()), "used": sorted(made.state_dict())}
        yield family, found


def make(folder):
    for library, version in VERSIONS.items():
        assert library.__version__.startswith(version), f"{library.__name__} {library.__version__}: install {version}"
    found = dict(tensors())
    save_file(found, folder / "mixed.safetensors", metadata={"format": "pt"})
    arrays = {name: (x.float() if x.dtype == torch.bfloat16 else x).numpy() for name, x in found.items()}
    np.savez_compressed(folder / "safetensors.npz", **arrays)
    text = json.dumps(dict(names()), indent=0)
    (folder / "checkpoint_names.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
