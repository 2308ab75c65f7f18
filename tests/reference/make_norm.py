"""Make norm.npz: what PyTorch 2.13 says about normalization, for test_norm_reference.py.

    python tests/reference/make_norm.py [FILE]

Each case is a name, what goes into the seeformer function of that name, and what must come out; keys are
``<dtype>/<function>-<case>/<in|out>/<argument>``. Inputs come from a seeded NumPy, so only the outputs are PyTorch's.
"""

import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

HERE = Path(__file__).parent
VERSION = "2.13"


def layer_norm(x, gamma, beta, eps):
    module = torch.nn.LayerNorm(x.shape[-1], eps=eps, elementwise_affine=gamma is not None, bias=beta is not None)
    return with_parameters(module, weight=gamma, bias=beta)(x)


def rms_norm(x, gamma, beta, eps):
    return with_parameters(torch.nn.RMSNorm(x.shape[-1], eps=eps, elementwise_affine=gamma is not None), weight=gamma)(
        x
    )


def batch_norm(x, gamma, beta, eps):
    """PyTorch wants the features second: everything before them is one long batch here."""
    rows = x.reshape(-1, x.shape[-1])
    return F.batch_norm(rows, None, None, weight=gamma, bias=beta, training=True, eps=eps).reshape(x.shape)


def with_parameters(module, **parameters):
    with torch.no_grad():
        for name, values in parameters.items():
            if values is not None:
                setattr(module, name, torch.nn.Parameter(values))
    return module


def cases(rng, dtype):
    def case(function, name, shape, *, given=("gamma", "beta"), scale=1.0, shift=0.0, eps=1e-5):
        x = (rng.standard_normal(shape) * scale + shift).astype(dtype)
        arrays = {"x": x} | {parameter: rng.standard_normal(shape[-1]).astype(dtype) for parameter in given}
        tensors = {argument: torch.from_numpy(values) for argument, values in arrays.items()}
        output = function(tensors["x"], tensors.get("gamma"), tensors.get("beta"), eps)
        assert output.dtype == tensors["x"].dtype
        return f"{function.__name__}-{name}", arrays | {"eps": np.float64(eps)}, output.detach().numpy()

    for function, both in (layer_norm, ("gamma", "beta")), (batch_norm, ("gamma", "beta")), (rms_norm, ("gamma",)):
        yield case(function, "plain", (5, 8), given=both)
        yield case(function, "bare", (5, 8), given=())
        yield case(function, "batch", (2, 3, 4, 6), given=both)
        yield case(function, "large", (4, 16), given=both, scale=50, shift=3)
        yield case(function, "small", (4, 16), given=both, scale=1e-3)  # eps is what counts
        yield case(function, "eps", (4, 8), given=both, eps=0.1)
        yield case(function, "no_beta", (4, 8), given=("gamma",))


def make(file):
    assert torch.__version__.startswith(VERSION), f"torch {torch.__version__}: install {VERSION}"
    arrays = {}
    for dtype in ("float32", "float64"):
        for name, given, output in cases(np.random.default_rng(2016), dtype):
            arrays |= {f"{dtype}/{name}/in/{argument}": x for argument, x in given.items()}
            arrays[f"{dtype}/{name}/out/output"] = output
    np.savez_compressed(file, **arrays)


if __name__ == "__main__":
    make(sys.argv[1] if len(sys.argv) > 1 else HERE / "norm.npz")
