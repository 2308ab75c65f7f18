"""RoPE against the paper's own definitions, written out here the slow way."""

import cmath
import math

import numpy as np
import pytest
from arrays import assert_close, frozen, normal, seeds
from gradients import assert_gradient
from hypothesis import given
from hypothesis import strategies as st

from seeformer import positional
from seeformer.rates import rates
from seeformer.rotary import rotary
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

pairs = st.integers(1, 5)
bases = st.sampled_from([1.0, 10, 10000.0])
offsets = st.integers(-300, 300)
layouts = st.sampled_from(["interleaved", "half"])


def draw(seed, *shape):
    return normal(np.random.default_rng(seed), *shape)


def permutation(d):
    """Column j of the half layout is column permutation[j] of the interleaved one."""
    return [*range(0, d, 2), *range(1, d, 2)]


@given(seeds, st.integers(1, 4), pairs, bases, offsets)
def test_complex_numbers_turned_by_m_theta(seed, n, half, base, offset):
    """Su et al. 2021, equations 12 and 13 for each pair of columns: f(x, m) = x * exp(i m theta)."""
    x = draw(seed, n, 2 * half)
    turned = rotary(x, base=base, offset=offset)
    for p in range(n):
        for i in range(half):  # theta_i = base^(-2 (i - 1) / d), and the paper counts i from 1
            z = complex(x[p, 2 * i], x[p, 2 * i + 1])
            z = z * cmath.exp(1j * (offset + p) * base ** (-2 * i / (2 * half)))
            assert turned[p, 2 * i] == pytest.approx(z.real, abs=1e-9)
            assert turned[p, 2 * i + 1] == pytest.approx(z.imag, abs=1e-9)


@given(seeds, pairs, bases, offsets)
def test_the_matrix_of_equation_15(seed, half, base, m):
    d = 2 * half
    R = [[0.0] * d for _ in range(d)]
    for i in range(half):
        angle = m * base ** (-2 * i / d)
        R[2 * i][2 * i], R[2 * i][2 * i + 1] = math.cos(angle), -math.sin(angle)
        R[2 * i + 1][2 * i], R[2 * i + 1][2 * i + 1] = math.sin(angle), math.cos(angle)
    x = draw(seed, 1, d)
    by_hand = [sum(R[row][col] * x[0, col] for col in range(d)) for row in range(d)]
    assert_close(rotary(x, base=base, offset=m)[0], np.array(by_hand))


@given(seeds, st.integers(1, 4), pairs, bases, offsets)
def test_equation_34_element_by_element(seed, n, half, base, offset):
    """x * cos + swapped x * sin, where the pair (a, b) is swapped to (-b, a)."""
    x = draw(seed, n, 2 * half)
    theta = np.repeat([base ** (-2 * i / (2 * half)) for i in range(half)], 2)
    swapped = np.array([[(-1) ** (j + 1) * row[j ^ 1] for j in range(2 * half)] for row in x])
    m = np.arange(offset, offset + n)[:, None]
    assert_close(rotary(x, base=base, offset=offset), x * np.cos(m * theta) + swapped * np.sin(m * theta))


@given(seeds, st.integers(1, 4), pairs, bases, offsets)
def test_half_is_the_layout_of_gpt_neox_and_llama(seed, n, half, base, offset):
    """There: cos and sin of each angle twice over, side by side, and rotate_half(x) = concat(-x2, x1)."""
    x = draw(seed, n, 2 * half)
    angles = [[(offset + p) * base ** (-2 * i / (2 * half)) for i in range(half)] * 2 for p in range(n)]
    rotate_half = [[*(-row[half:]), *row[:half]] for row in x]
    by_hand = x * np.cos(angles) + np.array(rotate_half) * np.sin(angles)
    assert_close(rotary(x, base=base, offset=offset, layout="half"), by_hand)


@given(seeds, st.integers(0, 4), pairs, bases, offsets)
def test_the_two_layouts_are_one_permutation_apart(seed, n, half, base, offset):
    x, order = draw(seed, n, 2 * half), permutation(2 * half)
    turned = rotary(x, base=base, offset=offset)
    assert (rotary(x[:, order], base=base, offset=offset, layout="half") == turned[:, order]).all()


@given(seeds, pairs, bases, layouts, offsets, offsets, st.integers(-300, 300))
def test_the_inner_product_knows_only_the_distance(seed, half, base, layout, m, n, moved):
    q, k = draw(seed, 2, 1, 2 * half)

    def meet(m, n):
        return float(
            (rotary(q, base=base, offset=m, layout=layout) @ rotary(k, base=base, offset=n, layout=layout).T)[0, 0]
        )

    assert meet(m, n) == pytest.approx(meet(m + moved, n + moved), abs=1e-8)


@given(seeds, st.integers(1, 4), pairs, layouts, offsets)
def test_rows_keep_their_length(seed, n, half, layout, offset):
    x = draw(seed, n, 2 * half)
    turned = rotary(x, offset=offset, layout=layout)
    assert_close(np.linalg.norm(turned, axis=-1), np.linalg.norm(x, axis=-1))


@given(seeds, pairs, layouts)
def test_position_0_stays(seed, half, layout):
    x = draw(seed, 1, 2 * half)
    assert (rotary(x, layout=layout) == x).all()


@given(seeds, st.integers(0, 4), st.integers(0, 4), pairs, layouts)
def test_an_offset_continues_a_sequence(seed, read, more, half, layout):
    x = draw(seed, read + more, 2 * half)
    assert (rotary(x, layout=layout)[read:] == rotary(x[read:], offset=read, layout=layout)).all()


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_batches_and_heads_each_by_itself(layout):
    x = draw(3, 2, 3, 5, 4)  # [batch, h, n, d_k]
    turned = rotary(x, layout=layout)
    assert turned.shape == x.shape
    for at in np.ndindex(2, 3):
        assert (turned[at] == rotary(x[at], layout=layout)).all()


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_the_dtype_is_kept_and_whole_numbers_become_floats(layout):
    x = draw(3, 3, 4)
    single = rotary(frozen(x.astype(np.float32)), layout=layout)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, rotary(x, layout=layout), atol=1e-6)
    assert rotary(np.ones((2, 2), int), layout=layout).dtype == np.float64


def test_a_far_position_is_as_good_in_float32_as_a_near_one():
    """The angle is taken in float64: float32 holds no position beyond 2^24."""
    x = np.ones((1, 2), np.float32)
    angle = 2**30 + 1
    assert_close(
        rotary(x, offset=angle)[0], np.float32([math.cos(angle) - math.sin(angle), math.cos(angle) + math.sin(angle)])
    )


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_gradient(layout):
    assert_gradient(lambda x: rotary(x, offset=3, base=10.0, layout=layout), draw(5, 2, 3, 4))


def test_the_angles_are_seen():
    with trace() as seen:
        rotary(np.ones((3, 4)), base=100.0, offset=1)
    assert_close(seen["turns"], np.array([[1, 0.1], [2, 0.2], [3, 0.3]]))


@given(pairs, bases)
def test_the_rates_fall_from_1_by_equal_factors(half, base):
    found = rates(2 * half, base)
    assert found[0] == 1
    assert_close(found[1:], found[:-1] * base ** (-1 / half))
    assert (rates(2 * half - 1, base)).shape == found.shape


def test_it_is_found_in_positional():
    assert positional.rotary is rotary


X = np.ones((2, 4))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: rotary(np.ones((2, 5))),
            "x=array of shape (2, 5) has an odd width: columns turn in pairs, so make d=5 even",
        ),
        (lambda: rotary(np.ones(4)), "x=array of shape (4,) has too few axes: give it [..., n, d]"),
        (lambda: rotary([[1.0, 2.0]]), "x=list object is not an array: wrap it in np.array(...)"),
        (lambda: rotary(X, base=0), "base=0 is not positive: use a number above 0, such as 10000.0"),
        (lambda: rotary(X, base=float("nan")), "base=nan is not a finite number: use one such as 1.0"),
        (lambda: rotary(X, offset=0.5), "offset=0.5 is not a whole number: use one such as 1"),
        (lambda: rotary(X, offset=2**31 + 1), "offset=2147483649 is too large: use at most 2147483648"),
        (lambda: rotary(X, layout="halves"), "layout='halves' is unknown: use one of interleaved, half"),
    ],
)
def test_what_it_refuses(call, message):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == message
