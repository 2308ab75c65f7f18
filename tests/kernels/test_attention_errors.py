"""What attention refuses, and its exact words: argument, value, remedy."""

import numpy as np
import pytest

from seeformer.attention import (
    init_attention,
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    split_heads,
)
from seeformer.mask import causal


def ones(*shape):
    return np.ones(shape)


def sdpa(Q=None, K=None, V=None, **options):
    Q, K, V = (ones(3, 4) if x is None else x for x in (Q, K, V))
    return scaled_dot_product_attention(Q, K, V, **options)


def mha(X=None, num_heads=2, **options):
    matrices = {name: options.pop(name, ones(4, 4)) for name in ("W_Q", "W_K", "W_V", "W_O")}
    return multi_head_attention(ones(3, 4) if X is None else X, **matrices, num_heads=num_heads, **options)


SDPA = {
    "Q=array of shape (4,) has too few axes: give it [..., n_q, d_k]": {"Q": ones(4)},
    "K=array of shape (4,) has too few axes: give it [..., n_k, d_k]": {"K": ones(4)},
    "V=array of shape () has too few axes: give it [..., n_k, d_v]": {"V": np.array(1.0)},
    "Q=list object is not an array: wrap it in np.array(...)": {"Q": [[1.0]]},
    "V=array of dtype object does not hold real numbers: use V.astype(float)": {"V": np.array([[None]])},
    "K=array of shape (3, 5) does not fit Q of shape (3, 4): give both the same last axis d_k": {"K": ones(3, 5)},
    "V=array of shape (2, 4) does not fit K of shape (3, 4): give each key one value (axis -2)": {"V": ones(2, 4)},
    "K=array of shape (0, 4) has no keys or no columns: give it at least one of each": {
        "K": ones(0, 4),
        "V": ones(0, 4),
    },
    "K=array of shape (3, 0) has no keys or no columns: give it at least one of each": {
        "Q": ones(3, 0),
        "K": ones(3, 0),
    },
    "K=array of shape (3, 3, 4) does not fit Q of shape (2, 3, 4): make the leading axes equal or 1": {
        "Q": ones(2, 3, 4),
        "K": ones(3, 3, 4),
    },
    "V=array of shape (3, 3, 4) does not fit Q of shape (2, 3, 4): make the leading axes equal or 1": {
        "Q": ones(2, 3, 4),
        "V": ones(3, 3, 4),
    },
    "scale=nan is not a finite number: use one such as 1.0": {"scale": float("nan")},
    "scale='big' is not a finite number: use one such as 1.0": {"scale": "big"},
    "mask=array of shape (4, 4) does not fit scores of shape (3, 3): make its axes equal or 1": {"mask": causal(4)},
    "mask=array of shape (2, 3, 3) does not fit scores of shape (3, 3): make its axes equal or 1": {
        "mask": ones(2, 3, 3)
    },
    "mask=array of dtype bool is not an additive mask: use np.where(visible, 0.0, -np.inf)": {"mask": ones(3, 3) > 0},
    "mask=array of dtype int64 is not an additive mask: use np.where(visible, 0.0, -np.inf)": {
        "mask": np.ones((3, 3), np.int64)
    },
    "mask=list object is not an additive mask: use np.where(visible, 0.0, -np.inf)": {"mask": [0.0, 0.0, 0.0]},
}

MHA = {
    "X=array of shape (4,) has too few axes: give it [..., n, d_model]": {"X": ones(4)},
    "context=array of shape (4,) has too few axes: give it [..., m, d_context]": {"context": ones(4)},
    "d_model=10 is not divisible by num_heads=4: use a multiple of 4": {
        **{"X": ones(3, 10), "num_heads": 4},
        **{name: ones(10, 10) for name in ("W_Q", "W_K", "W_V", "W_O")},
    },
    "num_heads=0 is too small: use at least 1": {"num_heads": 0},
    "num_heads=2.0 is not a whole number: use one such as 1": {"num_heads": 2.0},
    "W_Q=array of shape (5, 4) does not fit X of shape (3, 4): give it two axes and 4 rows": {"W_Q": ones(5, 4)},
    "W_K=array of shape (2, 4, 4) does not fit X of shape (3, 4): give it two axes and 4 rows": {"W_K": ones(2, 4, 4)},
    "W_V=array of shape (4,) has too few axes: give it [..., rows, columns]": {"W_V": ones(4)},
    "W_K=array of shape (4, 4) does not fit context of shape (5, 6): give it two axes and 6 rows": {
        "context": ones(5, 6)
    },
    "W_V=array of shape (4, 4) does not fit context of shape (5, 6): give it two axes and 6 rows": {
        "context": ones(5, 6),
        "W_K": ones(6, 4),
    },
    "W_K=array of shape (4, 6) does not fit W_Q of shape (4, 4): give both the same columns": {"W_K": ones(4, 6)},
    "W_O=array of shape (4, 4) does not fit W_V of shape (4, 6): give it two axes and 6 rows": {"W_V": ones(4, 6)},
    "context=array of shape (3, 5, 4) does not fit X of shape (2, 3, 4): make the leading axes equal or 1": {
        "X": ones(2, 3, 4),
        "context": ones(3, 5, 4),
    },
    "b_Q=array of shape (3,) does not fit W_Q of shape (4, 4): use (4,)": {"b_Q": ones(3)},
    "b_K=array of shape (1, 4) does not fit W_K of shape (4, 4): use (4,)": {"b_K": ones(1, 4)},
    "b_V=array of shape () has too few axes: give it [..., columns]": {"b_V": np.array(1.0)},
    "b_O=array of shape (4,) does not fit W_O of shape (4, 7): use (7,)": {"b_O": ones(4), "W_O": ones(4, 7)},
    "mask=array of shape (3, 1, 1, 3) does not fit scores of shape (2, 3, 3): make its axes equal or 1": {
        "mask": ones(3, 1, 1, 3)
    },
}

OTHERS = {
    "d_model=5 is not divisible by num_heads=2: use a multiple of 2": lambda: split_heads(ones(3, 5), 2),
    "x=array of shape (4,) has too few axes: give it [..., n, d_model]": lambda: split_heads(ones(4), 2),
    "x=array of shape (3, 4) has too few axes: give it [..., h, n, d_k]": lambda: merge_heads(ones(3, 4)),
    "d_model=0 is too small: use at least 1": lambda: init_attention(np.random.default_rng(0), 0),
    "d_model='8' is not a whole number: use one such as 1": lambda: init_attention(np.random.default_rng(0), "8"),
    "scale=-1 is too small: use at least 0": lambda: init_attention(np.random.default_rng(0), 4, scale=-1),
}

CALLS = [
    *((message, lambda a=arguments: sdpa(**a)) for message, arguments in SDPA.items()),
    *((message, lambda a=arguments: mha(**a)) for message, arguments in MHA.items()),
    *OTHERS.items(),
]


@pytest.mark.parametrize(("message", "call"), CALLS, ids=[message for message, _ in CALLS])
def test_refusal(message, call):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == message


def test_the_ordinary_calls_of_this_file_pass():
    assert sdpa().shape == mha().shape == mha(mask=causal(3), context=ones(3, 4)).shape == (3, 4)
