"""How much each output of a sequence depends on each input: exactly, from derivatives.

The batch axes of a kernel do the work: a copy of the input for each number of the output, and one walk back through
all copies at once gives every row of the Jacobian.
"""

import numpy as np

from .gradients import grad


def dependence(f, X):
    """The size of the derivative of output t with respect to input s, for all pairs.

    Parameters
    ----------
    f : callable, [..., n, d] -> [..., m, k]
        Plain NumPy code whose leading axes are batch axes.
    X : array [n, d]

    Returns
    -------
    ndarray [m, n]
        The Frobenius norm of the Jacobian [k, d] of f(X)[t] with respect to X[s].

    Raises
    ------
    LostGradient
        If the output does not depend on X at all, or by a step that cannot be walked back.
    """
    (m, k), (n, d) = f(X).shape, X.shape
    copies = np.tile(X, (m * k, 1, 1))
    each = np.eye(m * k, dtype=X.dtype).reshape(m * k, m, k)
    jacobian = grad(lambda X: (f(X) * each).sum())(copies)  # [m * k, n, d]
    return np.sqrt((jacobian.reshape(m, k, n, d) ** 2).sum(axis=(1, 3)))
