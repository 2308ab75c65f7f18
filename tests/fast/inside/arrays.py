"""Arrays that lie in memory in every way NumPy knows, for hypothesis."""

import numpy as np
from hypothesis import strategies as st

DTYPES = np.float32, np.float64
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e12, -1e-12]


def _block(random, shape, dtype, special):
    values = np.asarray(random.standard_normal(shape), dtype)
    if special:
        places = random.random(shape) < 0.05
        values[places] = random.choice(np.array(SPECIAL, dtype), size=int(places.sum()))
    return values


@st.composite
def layout(draw, shape, dtype, *, special=False, writeable=False):
    """An array of `shape`: contiguous or not, reversed, transposed, broadcast, between others, off its alignment."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kinds = ["plain", "columns", "sliced", "reversed", "field", "unaligned"] + ([] if writeable else ["broadcast"])
    kind = draw(st.sampled_from(kinds))
    if kind == "columns":
        order = draw(st.permutations(range(len(shape))))
        values = np.empty([shape[axis] for axis in order], dtype).transpose(np.argsort(order))
        values[...] = _block(random, shape, dtype, special)
        return values
    if kind == "sliced":
        steps = [draw(st.integers(1, 3)) for _ in shape]
        block = _block(random, [size * step + 1 for size, step in zip(shape, steps, strict=True)], dtype, special)
        return block[(*(slice(0, size * step, step) for size, step in zip(shape, steps, strict=True)), ...)]
    if kind == "reversed":
        turn = [slice(None, None, draw(st.sampled_from([1, -1]))) for _ in shape]
        return _block(random, shape, dtype, special)[(*turn, ...)]
    if kind == "field":
        records = np.zeros(shape, [("byte", "i1"), ("value", dtype), ("other", dtype)])
        records["value"] = _block(random, shape, dtype, special)
        return records["value"]
    if kind == "unaligned":
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        values = np.zeros(size + 16, np.uint8)[draw(st.integers(0, 15)) :][:size].view(dtype).reshape(shape)
        values[...] = _block(random, shape, dtype, special)
        return values
    if kind == "broadcast":
        small = [draw(st.sampled_from([1, size])) for size in shape]
        return np.broadcast_to(_block(random, small, dtype, special), shape)
    return _block(random, shape, dtype, special)


SIZES = st.one_of(
    st.integers(0, 10), st.integers(0, 40), st.sampled_from([63, 64, 65, 127, 130, 255, 256, 257, 300, 523])
)


@st.composite
def core_sizes(draw, *, most=2_000_000):
    m, k, n = draw(SIZES), draw(SIZES), draw(SIZES)
    while m * k * n > most:
        m, k, n = m // 2, (k + 1) // 2, (n + 1) // 2
    return m, k, n


@st.composite
def batches(draw):
    """Two batch shapes that broadcast, and what they become."""
    whole = draw(st.lists(st.integers(0, 3), max_size=2))
    sides = []
    for _ in range(2):
        side = [draw(st.sampled_from([1, size])) for size in whole]
        sides.append(tuple(side[draw(st.integers(0, len(side))) :]))
    return sides[0], sides[1], np.broadcast_shapes(*sides)


def assert_near(got, left, right):
    """`got` against the product in float64, each number within what rounding in its own type allows."""
    wide, long = left.astype(np.longdouble), right.astype(np.longdouble)
    with np.errstate(all="ignore"):
        want = _sum_of_products(wide, long).astype(np.float64)
        size = _sum_of_products(np.abs(wide), np.abs(long)).astype(np.float64)
    k = left.shape[-1]
    kind = np.finfo(got.dtype)
    finite = np.isfinite(size)
    # An intermediate may leave float32's range where the sum in float64 does not.
    overflow = size > kind.max / 4
    loose = (k + 4) * (kind.eps * np.where(finite, size, 0) + kind.tiny)
    near = np.abs(np.where(finite, got, 0) - np.where(finite, want, 0)) <= loose
    same = np.where(finite, near | overflow, (got == want) | (np.isnan(got) & np.isnan(want)))
    assert same.all(), (got[~same][:3], want[~same][:3], left.shape, right.shape, left.strides, right.strides)


def _sum_of_products(left, right):
    # einsum does not go through the ufuncs that are tested
    return np.einsum("...mk,...kn->...mn", left, right)
