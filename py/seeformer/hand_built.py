"""Attention heads built by hand: the simplest matrices that do something one can name.

The columns of X carry two things side by side, so that a projection can pick either:

    | identity (s columns) | position code PE (p columns) | zeros |

*identity* is a vector seeded by the token, as long as a position code; the same word has the same one.
*PE* is the sinusoidal position code, whose dot product PE(i) . PE(j) is greatest where i = j.

==========  ================================  ================  =======================
head        a query says                      a key says        so token i looks at
==========  ================================  ================  =======================
previous    my position code, turned back 1   my position code  j = i - 1
first       PE(0), whoever I am (b_Q)         my position code  j = 0
same        my identity                       my identity       every j with its word
next        my position code, turned on 1     my position code  j = i + 1
back_k      my position code, turned back k   my position code  j = i - k
==========  ================================  ================  =======================

That a fixed matrix (``positional.rotation``) moves a code by one step is why Vaswani et al. 2017, section 3.5, chose
sinusoids: relative positions are within a linear projection's reach. W_V passes the identity on, W_O changes nothing.

s = min(d_k, d_model / 2) and p is the even part of min(d_k, d_model - s), for no more fits through a head. The
narrower d_k, the coarser the heads. From d_k = 16 on "previous" gives its token about 0.9 or more in any text of 128
tokens; with 8, at least 0.7 there. With 4, the slower of its two clock hands hardly moves, so that positions 2 pi ~ 6
steps apart look alike (0.65 among 9 tokens, 0.3 among 32), and different words get similar identities. With d_k = 1 no
position code fits (p = 0): the heads that need one look at everything equally, and "same" knows a word by a sign only.
"""

import numpy as np

from .checks import flag, head_width, whole
from .positional import rotation, sinusoidal
from .token_vectors import token_vectors

# How loudly a query asks. The closest rival of a position is its neighbour, where PE . PE is only about 0.5 lower
# (mostly 1 - cos 1, by the fastest hand). At d_k = 16 that leaves 32 * 0.5 / sqrt(16) = 4 between their scores, and
# exp(4) = 55: the head is clearly peaked, without being a plain 0 and 1.
GAIN = 32.0

NAMES = ("previous", "first", "same", "next")  # then back_2, back_3, ...


def head_names(num_heads):
    """The names of the first ``num_heads`` heads.

    Examples
    --------
    >>> head_names(5)
    ['previous', 'first', 'same', 'next', 'back_2']
    """
    num_heads = whole("num_heads", num_heads, least=1)
    return [*NAMES, *(f"back_{k}" for k in range(2, num_heads))][:num_heads]


def widths(d_model, num_heads):
    """(s, p): how many columns of X hold identity and position.

    Examples
    --------
    >>> widths(64, 4)
    (16, 16)
    """
    d_k = head_width(d_model, num_heads)
    s = min(d_k, max(1, d_model // 2))
    return s, min(d_k, d_model - s) // 2 * 2


def hand_built_vectors(tokens, d_model, num_heads, *, seed=0, positional=True):
    """What the heads read: identities and position codes, each [n, d_model] and zero in the other's columns.

    Examples
    --------
    >>> identity, position = hand_built_vectors(["cat", "dog"], 8, 2)
    >>> (identity + position).round(2)
    array([[ 1.05,  0.36,  0.51, -0.72,  0.  ,  1.  ,  0.  ,  1.  ],
           [ 0.4 , -0.54,  1.1 , -0.58,  0.84,  0.54,  0.01,  1.  ]])
    """
    s, p = widths(d_model, num_heads)
    identity = token_vectors(tokens, s, seed=seed)
    identity = identity / np.linalg.norm(identity, axis=-1, keepdims=True) * np.sqrt(s / 2)
    code = sinusoidal(len(tokens), p) if p and flag("positional", positional) else np.zeros((len(tokens), p))
    return _widen(identity, 0, d_model, axis=1), _widen(code, s, d_model, axis=1)


def hand_built_heads(d_model, num_heads):
    """The matrices: dict of W_Q, W_K, W_V, W_O [d_model, d_model] and b_Q [d_model].

    Examples
    --------
    >>> weights = hand_built_heads(16, 2)
    >>> [(name, values.shape) for name, values in weights.items()]
    [('W_Q', (16, 16)), ('W_K', (16, 16)), ('W_V', (16, 16)), ('W_O', (16, 16)), ('b_Q', (16,))]
    """
    d_k = head_width(d_model, num_heads)
    s, p = widths(d_model, num_heads)

    def read(start, block):  # [d_model, d_k]: takes the columns of X from `start` on through a small square matrix
        return _widen(_widen(block, 0, d_k, axis=1), start, d_model, axis=0)

    identity, position, nothing = read(0, np.eye(s)), read(s, np.eye(p)), np.zeros((d_model, d_k))

    def head(name):  # its W_Q, W_K and b_Q
        if name == "same":
            return GAIN * identity, identity, np.zeros(d_k)
        if name == "first":
            return nothing, position, GAIN * _widen(np.tile([0.0, 1.0], p // 2), 0, d_k, axis=0)  # PE(0) = 0 1 0 1 ...
        steps = {"previous": -1, "next": 1}.get(name) or -int(name.removeprefix("back_"))
        return GAIN * read(s, rotation(p, steps)), position, np.zeros(d_k)

    W_Q, W_K, b_Q = zip(*map(head, head_names(num_heads)), strict=True)
    return {
        "W_Q": np.concatenate(W_Q, axis=1),
        "W_K": np.concatenate(W_K, axis=1),
        "W_V": np.concatenate([identity] * num_heads, axis=1),
        "W_O": np.eye(d_model),
        "b_Q": np.concatenate(b_Q),
    }


def _widen(x, before, width, *, axis):
    """Zeros around x along one axis: ``before`` of them first, then up to ``width``."""
    after = width - before - x.shape[axis]
    room = [np.zeros((*x.shape[:axis], size, *x.shape[axis + 1 :])) for size in (before, after)]
    return np.concatenate([room[0], x, room[1]], axis=axis)
