"""Which inputs a position can depend on: who sees whom, followed through the layers.

An attention lets each query take from the keys that its mask leaves it; the residual connection keeps what a position
has; everything else in a layer works on each position by itself. So the inputs behind a vector are a product of masks:
exact for what can never arrive, whatever the weights.
"""

import numpy as np


def reach(visible, start=None, *, cross=None, memory=None):
    """Inputs behind each position, before the first layer and after each.

    Parameters
    ----------
    visible : bool array [L, n, n]
        Which keys (columns) the queries (rows) of each layer's self-attention see.
    start : bool array [n, inputs], optional
        What each position begins with; None: position i with input i.
    cross : bool array [L, n, m], optional
        The same of each layer's attention over ``memory``, which follows the self-attention.
    memory : bool array [m, inputs]
        The inputs behind each key of ``cross``: the last of an encoder's ``reach``.

    Returns
    -------
    bool array [L + 1, n, inputs]

    Examples
    --------
    A window of one step to the left reaches one step further with each layer.

    >>> near = np.tri(4, dtype=bool) & ~np.tri(4, k=-2, dtype=bool)
    >>> reach(np.stack([near, near])).astype(int)[:, 3]
    array([[0, 0, 0, 1],
           [0, 0, 1, 1],
           [0, 1, 1, 1]])
    """
    behind = [np.eye(visible.shape[-1], dtype=bool) if start is None else start]
    for layer in range(len(visible)):
        now = behind[-1] | visible[layer] @ behind[-1]
        behind.append(now if cross is None else now | cross[layer] @ memory)
    return np.stack(behind)
