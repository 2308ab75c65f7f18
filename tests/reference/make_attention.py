"""Make attention.npz: what PyTorch 2.13 says about attention, for test_attention_reference.py.

    python tests/reference/make_attention.py [FILE]

Each case is a name, what goes into seeformer's function of the case's first word, and what must come out; keys are
``<dtype>/<case>/<in|out>/<argument>``. Inputs come from a seeded NumPy, so only the outputs are PyTorch's.
"""

import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

HERE = Path(__file__).parent
VERSION = "2.13"


def array(tensor):
    return tensor.detach().numpy()


def sdpa_cases(rng, dtype):
    """F.scaled_dot_product_attention, for single heads, batches, unequal lengths and widths."""

    def case(name, q_shape, kv_shape, d_v, *, attn_mask=None, is_causal=False, scale=None):
        d_k = q_shape[-1]
        shapes = {"Q": q_shape, "K": (*kv_shape, d_k), "V": (*kv_shape, d_v)}
        given = {arg: rng.standard_normal(shape).astype(dtype) for arg, shape in shapes.items()}
        options = {"attn_mask": None if attn_mask is None else torch.from_numpy(attn_mask.astype(dtype))}
        output = F.scaled_dot_product_attention(
            *map(torch.from_numpy, given.values()), is_causal=is_causal, scale=scale, **options
        )
        n = q_shape[-2]
        mask = np.triu(np.full((n, n), -np.inf), 1) if is_causal else attn_mask
        extra = {"mask": mask, "scale": None if scale is None else np.float64(scale)}
        return f"sdpa_{name}", given | {arg: x for arg, x in extra.items() if x is not None}, {"output": array(output)}

    hidden = np.where(rng.random((2, 1, 4, 6)) < 0.4, -np.inf, rng.standard_normal((2, 1, 4, 6)))
    hidden[..., 0] = 0  # each query sees something: PyTorch's own answer to an empty row is not ours to copy
    yield case("plain", (5, 8), (5,), 8)
    yield case("batch", (2, 3, 4, 8), (2, 3, 6), 5)
    yield case("causal", (2, 3, 7, 4), (2, 3, 7), 4, is_causal=True)
    yield case("mask", (2, 3, 4, 8), (2, 3, 6), 8, attn_mask=hidden)
    yield case("scale", (2, 4, 8), (2, 6), 8, scale=0.7)
    yield case("long", (1, 32, 16), (1, 32), 16, is_causal=True)


def mha_cases(rng, dtype):
    """nn.MultiheadAttention with its weights and biases, self- and cross-attention."""

    def case(name, d_model, num_heads, batch, n, m=None, d_context=None, *, bias=True, attn_mask=None, lengths=None):
        d_context = d_context or d_model
        module = torch.nn.MultiheadAttention(
            d_model, num_heads, bias=bias, batch_first=True, kdim=d_context, vdim=d_context
        ).to(torch.from_numpy(np.zeros(0, dtype)).dtype)
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.copy_(torch.from_numpy(rng.standard_normal(parameter.shape) / np.sqrt(d_model)))
        X = rng.standard_normal((batch, n, d_model)).astype(dtype)
        context = X if m is None else rng.standard_normal((batch, m, d_context)).astype(dtype)
        real = np.arange(context.shape[1]) < np.array(lengths or [context.shape[1]] * batch)[:, None]
        output, weights = module(
            *map(torch.from_numpy, (X, context, context)),
            attn_mask=None if attn_mask is None else torch.from_numpy(attn_mask.astype(dtype)),
            key_padding_mask=None if lengths is None else torch.from_numpy(np.where(real, 0, -np.inf).astype(dtype)),
            average_attn_weights=False,
        )
        given = {"X": X, "num_heads": np.int64(num_heads), **weights_of(module)}
        if m is not None:
            given["context"] = context
        if attn_mask is not None or lengths is not None:
            given["mask"] = (0 if attn_mask is None else attn_mask) + np.where(real, 0, -np.inf)[:, None, None, :]
        return f"mha_{name}", given, {"output": array(output), "weights": array(weights)}

    causal = np.triu(np.full((6, 6), -np.inf), 1)
    yield case("self", 12, 3, 2, 5)
    yield case("no_bias", 12, 4, 2, 5, bias=False)
    yield case("causal", 12, 3, 2, 6, attn_mask=causal)
    yield case("padding", 12, 3, 3, 6, lengths=[6, 1, 4])
    yield case("causal_padding", 12, 3, 2, 6, attn_mask=causal, lengths=[3, 6])
    yield case("cross", 12, 2, 2, 5, m=7)
    yield case("cross_width", 12, 6, 2, 5, m=7, d_context=10, lengths=[7, 2])


def weights_of(module):
    """The parameters under seeformer's names. PyTorch multiplies by transposed matrices and may stack three in one."""
    if module.in_proj_weight is not None:
        matrices = module.in_proj_weight.chunk(3)
    else:
        matrices = module.q_proj_weight, module.k_proj_weight, module.v_proj_weight
    weights = {f"W_{x}": array(W).T.copy() for x, W in zip("QKV", matrices, strict=True)}
    weights["W_O"] = array(module.out_proj.weight).T.copy()
    if module.in_proj_bias is not None:
        weights |= {f"b_{x}": array(b).copy() for x, b in zip("QKV", module.in_proj_bias.chunk(3), strict=True)}
        weights["b_O"] = array(module.out_proj.bias).copy()
    return weights


def make(file):
    assert torch.__version__.startswith(VERSION), f"torch {torch.__version__}: install {VERSION}"
    arrays = {}
    for dtype in ("float32", "float64"):
        rng = np.random.default_rng(2017)
        for cases in sdpa_cases, mha_cases:
            for name, given, expected in cases(rng, dtype):
                arrays |= {f"{dtype}/{name}/in/{argument}": x for argument, x in given.items()}
                arrays |= {f"{dtype}/{name}/out/{value}": x for value, x in expected.items()}
    np.savez_compressed(file, **arrays)


if __name__ == "__main__":
    make(sys.argv[1] if len(sys.argv) > 1 else HERE / "attention.npz")
