"""Make ffn.npz: what PyTorch 2.13 says about activations and feed-forward layers, for test_ffn_reference.py.

    python tests/reference/make_ffn.py [FILE]

Keys are ``<dtype>/<case>/<in|out>/<argument>``, a case's first word names seeformer's function. Inputs come from a
seeded NumPy, so only the outputs are PyTorch's.
"""

import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

HERE = Path(__file__).parent
VERSION = "2.13"
CURVES = {"relu": F.relu, "gelu": F.gelu, "gelutanh": lambda x: F.gelu(x, approximate="tanh"), "erf": torch.erf}


def curve_cases(rng, dtype):
    """F.relu, both F.gelu and torch.erf: close to 0 and on the long slopes, with batch axes."""
    for name, curve in CURVES.items():
        for spread in (0.1, 1, 5):
            x = (spread * rng.standard_normal((2, 3, 40))).astype(dtype)
            yield f"{name}_{spread}", {"x": x}, {"output": curve(torch.from_numpy(x)).numpy()}


def layer_cases(rng, dtype):
    """nn.Linear, an activation, nn.Linear. PyTorch multiplies by transposed matrices."""
    for activation in ("relu", "gelu", "gelu_tanh"):
        for bias in (True, False):
            d_model, d_ff = 12, 48
            first = torch.nn.Linear(d_model, d_ff, bias=bias, dtype=torch.from_numpy(np.zeros(0, dtype)).dtype)
            second = torch.nn.Linear(d_ff, d_model, bias=bias, dtype=first.weight.dtype)
            with torch.no_grad():
                for parameter in (*first.parameters(), *second.parameters()):
                    parameter.copy_(torch.from_numpy(rng.standard_normal(parameter.shape) / np.sqrt(d_model)))
                x = rng.standard_normal((2, 5, d_model)).astype(dtype)
                hidden = CURVES[activation.replace("_", "")](first(torch.from_numpy(x)))
                output = second(hidden)
            given = {"x": x, "activation": np.array(activation)}
            for number, layer in ((1, first), (2, second)):
                given[f"W_{number}"] = layer.weight.detach().numpy().T.copy()
                if bias:
                    given[f"b_{number}"] = layer.bias.detach().numpy().copy()
            results = {"hidden": hidden.numpy(), "output": output.numpy()}
            yield f"layer_{activation}_{'bias' if bias else 'bare'}", given, results


def make(file):
    assert torch.__version__.startswith(VERSION), f"torch {torch.__version__}: install {VERSION}"
    arrays = {}
    for dtype in ("float32", "float64"):
        rng = np.random.default_rng(2017)
        for cases in curve_cases, layer_cases:
            for name, given, expected in cases(rng, dtype):
                arrays |= {f"{dtype}/{name}/in/{argument}": x for argument, x in given.items()}
                arrays |= {f"{dtype}/{name}/out/{value}": x for value, x in expected.items()}
    np.savez_compressed(file, **arrays)


if __name__ == "__main__":
    make(sys.argv[1] if len(sys.argv) > 1 else HERE / "ffn.npz")
