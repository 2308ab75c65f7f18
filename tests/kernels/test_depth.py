"""A deep untrained stack: the sizes are right, and what the page says of them holds for other seeds too."""

import sys
from functools import cache

import numpy as np
import pytest

import seeformer.depth as module
from seeformer.attention import init_attention, multi_head_attention
from seeformer.depth import VARIANTS, signal_sizes
from seeformer.norm import layer_norm

pytestmark = pytest.mark.filterwarnings("error")

SEEDS = range(3)
DEEP = 24 if sys.platform == "emscripten" else 48

sizes = cache(signal_sizes)


def size(x):
    return np.sqrt((x**2).mean())


def slope(loss):
    """What ``grad(loss)`` gives, by central differences."""

    def of(arrays):
        found = [np.zeros_like(x) for x in arrays]
        for x, gradient in zip(arrays, found, strict=True):
            for entry in np.ndindex(x.shape):
                at = x[entry]
                x[entry] = at + 1e-6
                gradient[entry] = loss(arrays)
                x[entry] = at - 1e-6
                gradient[entry] = (gradient[entry] - loss(arrays)) / 2e-6
                x[entry] = at
        return found

    return of


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_gradients_are_the_slopes(variant, monkeypatch):
    small = dict(n=2, d_model=4, num_heads=2, seed=1)
    found = signal_sizes(variant, 2, **small)
    monkeypatch.setattr(module, "grad", slope)
    measured = signal_sizes(variant, 2, **small)
    np.testing.assert_array_equal(found[0], measured[0])
    np.testing.assert_allclose(found[1], measured[1], rtol=1e-6)


def test_one_layer_by_hand():
    rng = np.random.default_rng(5)
    X, target = rng.standard_normal((2, 3, 8))
    weights = init_attention(rng, 8)
    W_1, W_2 = rng.standard_normal((8, 32)) / 8**0.5, rng.standard_normal((32, 8)) / 32**0.5

    def attend(x):
        return multi_head_attention(x, **weights, num_heads=2)

    def feed(x):
        return np.maximum(x @ W_1, 0) @ W_2

    middle = layer_norm(X + attend(X))
    expected = {
        "post": layer_norm(middle + feed(middle)),
        "pre": (after := X + attend(layer_norm(X))) + feed(layer_norm(after)),
        "no_residual": layer_norm(feed(layer_norm(attend(X)))),
        "no_norm": (after := X + attend(X)) + feed(after),
        "neither": feed(attend(X)),
    }
    assert expected.keys() == VARIANTS.keys()
    for variant, output in expected.items():
        activations, gradients = signal_sizes(variant, 1, n=3, d_model=8, num_heads=2, seed=5)
        np.testing.assert_allclose(activations, [size(X), size(output)])
        if variant != "pre":  # which has one norm more before the loss
            assert gradients[-1] == pytest.approx(size(target))


# What the page says


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bare_sublayers_let_numbers_and_gradients_vanish(seed):
    activations, gradients = sizes("neither", 12, seed=seed)
    assert activations[-1] < 0.02 and gradients[0] < 0.03
    deep_activations, deep_gradients = sizes("neither", DEEP, seed=seed)
    assert deep_activations[-1] < activations[-1] / 100 and deep_gradients[0] < gradients[0] / 10


@pytest.mark.parametrize("seed", SEEDS)
def test_the_residual_alone_makes_both_grow_without_bound(seed):
    activations, gradients = sizes("no_norm", 12, seed=seed)
    assert activations[-1] > 100 and gradients[0] > 1000
    deep_activations, deep_gradients = sizes("no_norm", DEEP, seed=seed)
    assert deep_activations[-1] > 1e5 and deep_gradients[0] > 1e6


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("depth", [1, 12, DEEP])
def test_a_norm_at_the_end_of_each_sublayer_keeps_the_numbers_at_1(seed, depth):
    for variant in ("post", "no_residual"):
        np.testing.assert_allclose(sizes(variant, depth, seed=seed)[0][1:], 1, atol=1e-3)


@pytest.mark.parametrize("seed", SEEDS)
def test_pre_ln_grows_slowly_and_its_gradient_keeps_its_size_at_the_bottom(seed):
    for depth in (1, 12, DEEP):
        activations, gradients = sizes("pre", depth, seed=seed)
        assert activations[-1] < 1.5 * np.sqrt(2 * depth + 1)  # as a sum of so many independent parts of size 1
        assert 0.3 < gradients[0] < 5
        assert gradients.min() > 0.9 * gradients[-1]  # nowhere weaker than at the top
    assert sizes("pre", DEEP, seed=seed)[0][-1] > 1.3 * sizes("pre", 12, seed=seed)[0][-1]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_gradient_of_the_last_layer_shrinks_with_depth_in_pre_ln_and_stays_in_post_ln(seed):
    """Xiong et al. 2020: why post-LN wants its learning rate warmed up."""
    pre, post = ([sizes(variant, depth, seed=seed)[1][-1] for depth in (1, 12, DEEP)] for variant in ("pre", "post"))
    assert pre[0] > 1.5 * pre[1] and pre[1] > 1.2 * pre[2]
    assert post[0] == pytest.approx(post[1]) == pytest.approx(post[2])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: signal_sizes("both", 2), f"variant='both' is unknown: use one of {', '.join(VARIANTS)}"),
        (lambda: signal_sizes("pre", 0), "depth=0 is too small: use at least 1"),
        (lambda: signal_sizes("pre", 97), "depth=97 is too large: use at most 96"),
        (lambda: signal_sizes("pre", 2, n=0), "n=0 is too small: use at least 1"),
        (lambda: signal_sizes("pre", 2, seed=-1), "seed=-1 is too small: use at least 0"),
        (
            lambda: signal_sizes("pre", 2, num_heads=5),
            "d_model=32 is not divisible by num_heads=5: use a multiple of 5",
        ),
    ],
)
def test_what_it_refuses(call, message):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == message
