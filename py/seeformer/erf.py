"""The error function, which NumPy lacks: erf(x) = 2 / sqrt(pi) * (integral of exp(-t^2) from 0 to x).

Rational Chebyshev approximations of W. J. Cody 1969, "Rational Chebyshev approximations for the error function"
(Mathematics of Computation 23, 631-637), with the coefficients of his CALERF (Netlib, specfun):

    |x| <= 0.46875    erf(x) = x P(x^2) / Q(x^2)
    |x|  > 0.46875    erf(x) = 1 - exp(-x^2) R(|x|) / S(|x|), with the sign of x

Cody has a third formula from 4 on, for the relative error of 1 - erf(x). There that is below 2e-8, and the second
formula gives erf itself to the last digit; from 6 on erf is 1 in float64.
"""

import numpy as np

from .checks import floats

CENTRE, FAR = 0.46875, 6.0

# Highest power first.
P = 1.85777706184603153e-1, 3.16112374387056560e0, 1.13864154151050156e2, 3.77485237685302021e2, 3.20937758913846947e3
Q = 1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3
R = (
    *(2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0, 6.61191906371416295e1),
    *(2.98635138197400131e2, 8.81952221241769090e2, 1.71204761263407058e3, 2.05107837782607147e3),
    1.23033935479799725e3,
)
S = (
    *(1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3),
    *(3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3),
)


def erf(x):
    """The error function of each entry: an S from -1 to 1.

    Parameters
    ----------
    x : array [...]

    Returns
    -------
    array [...]
        Within 3e-16 of the true value in float64; -1 and 1 at -inf and inf, NaN for NaN.

    Examples
    --------
    >>> erf(np.array([0.0, 0.5, 1.0, 2.0])).round(8)
    array([0.        , 0.52049988, 0.84270079, 0.99532227])
    """
    x = floats("x", x)
    # float16 ends at 65504, too soon for the powers below. Beyond FAR nothing changes, and no power overflows.
    near = np.clip(x.astype(np.result_type(x.dtype, np.float32)), -FAR, FAR)
    size, square = abs(near), near * near
    centre = near * _polynomial(P, square) / _polynomial(Q, square)
    tail = 1 - np.exp(-square) * _polynomial(R, size) / _polynomial(S, size)
    outside = np.where(near < 0, -tail, tail)
    return np.where(size <= CENTRE, centre, outside).astype(x.dtype)


def _polynomial(coefficients, x):  # Horner's scheme
    value = coefficients[0]
    for coefficient in coefficients[1:]:
        value = value * x + coefficient
    return value
