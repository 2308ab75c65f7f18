"""The gradients of normalization and of the residual connection, against finite differences."""

import numpy as np
import pytest
from arrays import normal
from gradients import assert_gradient

from seeformer.learn.gradients import grad
from seeformer.norm import NORMS, batch_norm, layer_norm, residual, rms_norm


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize("norm", [layer_norm, batch_norm, rms_norm])
@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4)])
@pytest.mark.parametrize("eps", [1e-5, 0.5])
def test_norms(rng, norm, shape, eps):
    parameters = [normal(rng, 4) for _ in range(1 if norm is rms_norm else 2)]
    assert_gradient(lambda x, *parameters: norm(x, *parameters, eps=eps), normal(rng, *shape), *parameters)
    assert_gradient(lambda x: norm(x, eps=eps), normal(rng, *shape))


@pytest.mark.parametrize("order", NORMS)
def test_residual(rng, order):
    parameters = () if order == "none" else (normal(rng, 4), normal(rng, 4))

    def block(x, W, *parameters):
        return residual(x, lambda x: np.tanh(x @ W), *parameters, norm=order)

    assert_gradient(block, normal(rng, 2, 3, 4), normal(rng, 4, 4), *parameters)


def test_equal_features_have_a_gradient_without_nan():
    x = np.full((2, 4), 3.0)
    for norm in (layer_norm, batch_norm, rms_norm):
        assert np.isfinite(grad(lambda x, norm=norm: (norm(x) * np.arange(4.0)).sum())(x)).all()


def test_the_gradient_of_layer_norm_does_not_move_the_mean_nor_the_size(rng):
    """A shift or a scaling of a token changes nothing, so no gradient points there."""
    x = normal(rng, 3, 5)
    weighting = normal(rng, 3, 5)
    found = grad(lambda x: (layer_norm(x, eps=1e-12) * weighting).sum())(x)
    np.testing.assert_allclose(found.sum(axis=-1), 0, atol=1e-9)
    np.testing.assert_allclose((found * x).sum(axis=-1), 0, atol=1e-9)
