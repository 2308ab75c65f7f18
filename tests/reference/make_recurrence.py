"""Make recurrence.npz: what PyTorch 2.13 says about RNNs and LSTMs, for test_recurrence_reference.py.

    python tests/reference/make_recurrence.py [FILE]

Keys are ``<dtype>/<rnn or lstm>-<case>/<in|out>/<argument>``. Weights come from a seeded NumPy, in our orientation
[in, out]; PyTorch gets them transposed, with our one bias split over its two.
"""

import sys
from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).parent
VERSION = "2.13"
KINDS = {"rnn": (torch.nn.RNN, 1), "lstm": (torch.nn.LSTM, 4)}


def module_of(kind, weights):
    made, _ = KINDS[kind]
    d_in, d_hidden = len(weights["W_x"]), len(weights["W_h"])
    module = made(d_in, d_hidden, bias="b" in weights, batch_first=True, dtype=torch.from_numpy(weights["W_x"]).dtype)
    given = {"weight_ih_l0": weights["W_x"].T, "weight_hh_l0": weights["W_h"].T}
    if "b" in weights:
        given |= {"bias_ih_l0": weights["b"] * 0.25, "bias_hh_l0": weights["b"] * 0.75}
    module.load_state_dict({name: torch.from_numpy(values.copy()) for name, values in given.items()})
    return module


def cases(rng, dtype):
    def case(kind, name, batch=(), n=7, d_in=5, d_hidden=4, *, bias=True, start=False, scale=1.0):
        _, gates = KINDS[kind]

        def normal(*shape):
            return (rng.standard_normal(shape) * scale).astype(dtype)

        weights = {"W_x": normal(d_in, gates * d_hidden), "W_h": normal(d_hidden, gates * d_hidden)}
        weights |= {"b": normal(gates * d_hidden)} if bias else {}
        X = normal(*batch, n, d_in)
        state = {each: normal(*batch, d_hidden) for each in ("h", "c")[: 1 if kind == "rnn" else 2]} if start else {}
        flat = torch.from_numpy(X.reshape(-1, n, d_in))
        first = [torch.from_numpy(each.reshape(1, -1, d_hidden)) for each in state.values()]
        first = (tuple(first) if kind == "lstm" else first[0]) if first else None
        with torch.no_grad():
            states, last = module_of(kind, weights)(flat, first)
        out = {"states": states.numpy().reshape(*batch, n, d_hidden)}
        if kind == "lstm":
            out["last_cell"] = last[1].numpy().reshape(*batch, d_hidden)
        return f"{kind}-{name}", {"X": X, **weights, **state}, out

    for kind in KINDS:
        yield case(kind, "plain")
        yield case(kind, "batch", (2, 3))
        yield case(kind, "no_bias", bias=False)
        yield case(kind, "start", (2,), start=True)
        yield case(kind, "one_step", n=1)
        yield case(kind, "saturated", scale=4.0)
        yield case(kind, "long", n=40, scale=0.5)


def make(file):
    assert torch.__version__.startswith(VERSION), f"torch {torch.__version__}: install {VERSION}"
    arrays = {}
    for dtype in ("float32", "float64"):
        for name, given, out in cases(np.random.default_rng(1997), dtype):
            arrays |= {f"{dtype}/{name}/in/{argument}": x for argument, x in given.items()}
            arrays |= {f"{dtype}/{name}/out/{value}": x for value, x in out.items()}
    np.savez_compressed(file, **arrays)


if __name__ == "__main__":
    make(sys.argv[1] if len(sys.argv) > 1 else HERE / "recurrence.npz")
