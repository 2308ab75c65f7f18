"""Is a kernel's gradient the slope that small steps measure? A gradient that was lost on the way would be too small."""

import numpy as np

from seeformer.learn.gradients import grad

STEP = 1e-6


def assert_gradient(f, *arrays, tolerance=1e-6):
    """grad of a random weighting of f's output against central differences, for each of the float64 arrays in turn."""
    shape = np.shape(f(*arrays))
    weighting = np.random.default_rng(0).standard_normal(shape)

    def loss(*given):
        return (f(*given) * weighting).sum()

    found = grad(loss, tuple(range(len(arrays))))(*arrays)
    for at, (x, gradient) in enumerate(zip(arrays, found, strict=True)):
        assert x.dtype == np.float64 and gradient.shape == x.shape
        measured = np.array([_slope(loss, arrays, at, entry) for entry in np.ndindex(x.shape)]).reshape(x.shape)
        assert measured.any(), f"argument {at} changes nothing here: choose values at which it does"
        np.testing.assert_allclose(gradient, measured, rtol=tolerance, atol=tolerance, err_msg=f"argument {at}")


def _slope(loss, arrays, at, entry):
    def moved(step):
        x = arrays[at].copy()
        x[entry] += step
        return loss(*arrays[:at], x, *arrays[at + 1 :])

    return (moved(STEP) - moved(-STEP)) / (2 * STEP)
