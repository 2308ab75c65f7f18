"""A model saved here is opened by transformers, and one saved there is opened here: the same logits."""

import sys
from pathlib import Path

import numpy as np
import pytest

from seeformer.io.model_files import ARCHITECTURES, load_model, save_model

HERE = Path(__file__).parent
TOLERANCE = 1e-4


def test_both_ways(request, tmp_path):
    if not request.config.getoption("--reference", default=False):
        pytest.skip("needs PyTorch and transformers: python build.py test --reference")
    sys.path.insert(0, str(HERE))
    import make_safetensors
    import transformers

    transformers.logging.set_verbosity_error()
    errors = {}
    for kind, name in ARCHITECTURES.items():
        there, theirs = tmp_path / kind / "there", getattr(transformers, name)
        make_safetensors.model(kind, name).save_pretrained(there)
        ours = load_model(there / "model.safetensors", there / "config.json")
        errors[f"{kind} from transformers"] = difference(kind, ours, theirs.from_pretrained(there).eval())
        for dtype in ("F32", "BF16", "F16"):
            here = tmp_path / kind / dtype
            here.mkdir()
            _, config = save_model(ours, dtype=dtype, target=here / "model.safetensors")
            (here / "config.json").write_text(config, encoding="utf-8")
            read, report = theirs.from_pretrained(here, output_loading_info=True)
            assert not any(report.values()), report
            assert str(read.dtype).endswith({"F32": "float32", "BF16": "bfloat16", "F16": "float16"}[dtype])
            again = load_model(here / "model.safetensors", here / "config.json")
            errors[f"{kind} to transformers, {dtype}"] = difference(kind, again, read.float().eval())
    print("\n".join(f"{name}: {error:.1e}" for name, error in errors.items()))
    assert len(errors) == 20 and max(errors.values()) < TOLERANCE, errors


def difference(kind, ours, theirs):
    import torch

    rng = np.random.default_rng(6)
    ids, more = rng.integers(3, 20, (2, 7)), rng.integers(3, 20, (2, 5))
    pixels = rng.standard_normal((2, 3, 8, 8)).astype(np.float32)
    given = {"bart": (ids, more), "t5": (ids, more), "vit": (pixels,)}.get(kind, (ids,))
    names = {"vit": ["pixel_values"]}.get(kind, ["input_ids", "decoder_input_ids"])
    with torch.no_grad():
        expected = theirs(**{name: torch.from_numpy(x) for name, x in zip(names, given, strict=False)}).logits.numpy()
    found = ours.forward(*given)
    assert found.shape == expected.shape and abs(expected).max() > 1e-3
    return abs(found - expected).max()
