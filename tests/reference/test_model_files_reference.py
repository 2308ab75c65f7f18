"""A real model from its files alone, without any library: all-MiniLM-L6-v2, from text to the vectors of ten sentences."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from seeformer.io.checkpoint import read_checkpoint
from seeformer.io.config import as_dataclass
from seeformer.models.bert import Bert
from seeformer.tokenizers.wordpiece import WordPiece

HERE = Path(__file__).parent


def test_ten_sentences_by_vocab_config_and_safetensors(request, tmp_path):
    if not request.config.getoption("--reference", default=False):
        pytest.skip("needs transformers and 84 MB of weights: python build.py test --reference")
    from sitebuild.reference_model import minilm

    minilm().write_to(tmp_path)
    subprocess.run([sys.executable, HERE / "make_minilm.py", tmp_path, tmp_path / "theirs.npz"], check=True)

    config, weights = read_checkpoint(tmp_path / "model.safetensors", tmp_path / "config.json")
    assert weights.ignored == ["embeddings.position_ids"] and len(weights) == 103
    model = Bert(as_dataclass(Bert.Config, config), weights)
    tokenizer = WordPiece.from_text((tmp_path / "vocab.txt").read_text("utf-8"))
    sys.path.insert(0, str(HERE))
    from make_minilm import SENTENCES

    errors = []
    with np.load(tmp_path / "theirs.npz") as theirs:
        last = theirs[f"hidden.{config['num_hidden_layers']}"]
        for text, row, mask, expected in zip(SENTENCES, theirs["ids"], theirs["attention_mask"], last, strict=True):
            n = mask.sum()
            ids = tokenizer.encode(text)
            assert ids == row[:n].tolist(), text
            hidden = model.hidden(np.array(ids))  # alone, where theirs is padded to the longest
            assert hidden.dtype == np.float32
            errors.append(abs(hidden - expected[:n]).max())
    print(f"all-MiniLM-L6-v2, {len(errors)} sentences from files: largest error {max(errors):.1e}")
    assert len(errors) == 10 and max(errors) < 1e-4
