import math

import numpy as np
import pytest
from arrays import assert_close, frozen, normal, sizes
from gradients import assert_gradient
from hypothesis import given
from hypothesis import strategies as st

from seeformer.positional import encode, learned, look_up, rotation, sinusoidal
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

bases = st.sampled_from([0.5, 1.0, 2.0, 100, 10000.0])
positions = st.integers(-1000, 1000)
even = sizes.map(lambda pairs: 2 * pairs)


@given(st.integers(0, 6), st.integers(1, 9), bases, positions)
def test_the_formula_one_entry_at_a_time(seq_len, d_model, base, offset):
    code = sinusoidal(seq_len, d_model, base=base, offset=offset)
    assert code.dtype == np.float64 and code.shape == (seq_len, d_model)
    for i, j in np.ndindex(code.shape):
        angle = (offset + i) / base ** (2 * (j // 2) / d_model)
        assert code[i, j] == pytest.approx((math.cos if j % 2 else math.sin)(angle), abs=1e-8)


@given(even, bases, positions, st.integers(-50, 50))
def test_a_step_is_the_same_rotation_everywhere(d_model, base, pos, steps):
    turn = rotation(d_model, steps, base=base)
    assert_close(turn @ turn.T, np.eye(d_model))
    moved = sinusoidal(3, d_model, base=base, offset=pos) @ turn
    np.testing.assert_allclose(moved, sinusoidal(3, d_model, base=base, offset=pos + steps), atol=1e-8)


@given(even, positions, positions)
def test_the_dot_product_knows_only_the_distance(d_model, i, j):
    code = [sinusoidal(1, d_model, offset=pos)[0] for pos in (i, j, 0, j - i)]
    assert code[0] @ code[1] == pytest.approx(code[2] @ code[3], abs=1e-9)
    assert code[0] @ code[0] == pytest.approx(d_model / 2)


@given(st.integers(1, 8), st.integers(0, 5), st.integers(0, 5))
def test_an_offset_continues_a_sequence(d_model, read, more):
    whole = sinusoidal(read + more, d_model)
    assert (whole[read:] == sinusoidal(more, d_model, offset=read)).all()


def test_an_odd_width_ends_in_a_sine_without_its_cosine():
    rates = [1, 10000 ** (-2 / 5), 10000 ** (-4 / 5)]
    pairs = [f(rate) for rate in rates for f in (math.sin, math.cos)]
    assert_close(sinusoidal(2, 5)[1], np.array(pairs[:5]))


def test_far_positions_are_right_to_six_decimals():
    pos = 2**31
    code = sinusoidal(1, 2, offset=pos)[0]
    assert code.tolist() == [math.sin(pos), math.cos(pos)]  # rate 1: no rounding at all
    turned = rotation(6, 2**31 - 5) @ rotation(6, 5)
    np.testing.assert_allclose(turned, rotation(6, 2**31), atol=1e-6)


def test_the_angles_are_seen():
    with trace() as seen:
        code = sinusoidal(3, 4)
    assert_close(seen["angles"], np.array([[0, 0], [1, 0.01], [2, 0.02]]))
    assert (code[:, 0::2] == np.sin(seen["angles"])).all() and (code[:, 1::2] == np.cos(seen["angles"])).all()


@given(st.integers(0, 5), st.integers(1, 8), bases, positions)
def test_between_the_steps_the_same_formula(n, d_model, base, start):
    pos = start + np.arange(n) / 4
    code = encode(pos, d_model, base=base)
    assert code.shape == (n, d_model) and code.dtype == np.float64
    for i, j in np.ndindex(code.shape):
        angle = pos[i] / base ** (2 * (j // 2) / d_model)
        assert code[i, j] == pytest.approx((math.cos if j % 2 else math.sin)(angle), abs=1e-8)


def test_positions_may_come_in_batches():
    pos = np.array([[0, 1, 2], [7, 8, 9]])
    code = encode(pos, 5)
    assert code.shape == (2, 3, 5)
    assert (code[1] == sinusoidal(3, 5, offset=7)).all()


def test_gradient_by_the_positions():
    assert_gradient(lambda pos: encode(pos, 4, base=10.0), frozen(np.array([0.3, 2.0, -5.5])))


def test_a_learned_table_starts_as_noise_of_size_002():
    table = learned(np.random.default_rng(0), 500, 64)
    assert table.shape == (500, 64) and table.dtype == np.float64
    assert table.std() == pytest.approx(0.02, rel=0.02) and abs(table.mean()) < 3e-4
    alike = table @ table.T / (64 * 0.02**2)
    near, far = alike[np.arange(499), np.arange(1, 500)], alike[np.arange(250), np.arange(250, 500)]
    assert abs(near.mean() - far.mean()) < 0.03, "untrained, a neighbour is as strange as anyone"


def test_a_learned_table_takes_size_dtype_and_generator():
    table = learned(np.random.default_rng(1), 4, 3, scale=2, dtype=np.float32)
    assert table.dtype == np.float32
    assert (table == (2 * np.random.default_rng(1).standard_normal((4, 3))).astype(np.float32)).all()
    assert (learned(np.random.default_rng(1), 4, 3, scale=0) == 0).all()


def test_looking_up_gives_the_rows_of_the_positions():
    table = normal(np.random.default_rng(0), 6, 3)
    assert (look_up(table, 6) == table).all()
    assert (look_up(table, 2, offset=3) == table[[3, 4]]).all()
    assert look_up(table, 0, offset=6).shape == (0, 3)
    assert look_up(table.astype(np.float32), 2).dtype == np.float32


def test_gradient_by_the_table():
    """Rows that were not looked up learn nothing."""
    assert_gradient(lambda table: look_up(table, 2, offset=1), normal(np.random.default_rng(0), 4, 3))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sinusoidal(-1, 4), "seq_len=-1 is too small: use at least 0"),
        (lambda: sinusoidal(2.5, 4), "seq_len=2.5 is not a whole number: use one such as 1"),
        (lambda: sinusoidal(2, 0), "d_model=0 is too small: use at least 1"),
        (lambda: sinusoidal(2, "4"), "d_model='4' is not a whole number: use one such as 1"),
        (lambda: sinusoidal(2, 4, base=0), "base=0 is not positive: use a number above 0, such as 10000.0"),
        (lambda: sinusoidal(2, 4, base=-2.0), "base=-2.0 is not positive: use a number above 0, such as 10000.0"),
        (lambda: sinusoidal(2, 4, base=float("inf")), "base=inf is not a finite number: use one such as 1.0"),
        (lambda: sinusoidal(2, 4, offset=0.5), "offset=0.5 is not a whole number: use one such as 1"),
        (lambda: sinusoidal(2, 4, offset=2**31 + 1), "offset=2147483649 is too large: use at most 2147483648"),
        (lambda: sinusoidal(2, 4, offset=-(2**40)), "offset=-1099511627776 is too small: use at least -2147483648"),
        (lambda: rotation(5, 1), "d_model=5 is odd and its last sine has no cosine to turn with: use an even width"),
        (lambda: rotation(4, 0.5), "steps=0.5 is not a whole number: use one such as 1"),
        (lambda: rotation(4, 1, base=0), "base=0 is not positive: use a number above 0, such as 10000.0"),
        (lambda: encode([0.5], 4), "positions=list object is not an array: wrap it in np.array(...)"),
        (lambda: encode(np.array(0.5), 4), "positions=array of shape () has too few axes: give it [..., n]"),
        (lambda: encode(np.arange(2), 0), "d_model=0 is too small: use at least 1"),
        (lambda: learned(None, -1, 4), "seq_len=-1 is too small: use at least 0"),
        (lambda: learned(None, 4, 0), "d_model=0 is too small: use at least 1"),
        (lambda: learned(np.random.default_rng(), 4, 1, scale=-1), "scale=-1 is too small: use at least 0"),
        (lambda: look_up(np.ones(3), 1), "table=array of shape (3,) has too few axes: give it [..., longest, d_model]"),
        (lambda: look_up(np.ones((3, 2)), 1, offset=-1), "offset=-1 is too small: use at least 0"),
        (
            lambda: look_up(np.ones((3, 2)), 2, offset=2),
            "seq_len=2 positions from offset=2 reach past the table's 3 rows: use at most 1, or a longer table",
        ),
    ],
)
def test_what_it_refuses(call, message):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == message
