"""How fast `A @ B` is on the reader's machine, with NumPy's own loops and with those of seeformer.fast, and why.

What is fixed by the C source (tiles, what a step reads, how a strip lies in memory) is always there. Times are there
only when the reader asks for them: ``measure`` is the page's Run, never a parameter in an address.
"""

import numpy as np

from .. import fast
from ..checks import flag, whole
from ..tiles import tiled_product
from ..trace import see
from .speed_source import SHOWN, innermost, size, source
from .speed_timing import TURNS, WHO, timings

DTYPES = ("float32", "float64")
CORNER = (4, 3)  # tiles down and across that are drawn
STEPS = 24  # of k that are drawn
LINE = 64  # bytes that the cache fetches at once
OTHER, THIS = 1, 2  # in a picture of what is touched: by another step of this tile, by this step


def run(*, N=256, dtype="float32", tile=6, step=10, measure=False):
    """The tile at work on the first rows and columns of A and B; and, if asked for, three speeds.

    Parameters
    ----------
    N : int, 16 to 1024
        A, B and C are [N, N].
    dtype : {"float32", "float64"}
    tile, step : int
        How many tiles are begun, and how many steps along k the last of them has taken; the last one where there are
        fewer.
    measure : bool
        Whether to measure. Then this is a generator that yields after each turn.

    Returns
    -------
    dict
        A [m, k], B [k, n], C [m, n] of the corner, small whole numbers; <name>_touched the same shapes, 0, 1 or 2;
        C_steps [m, n] how many products each sum of C has; before, after [lines, numbers in a line] the cache lines
        of a strip of B as B lies and packed; gflops [3] the medians and samples [3, TURNS] of stock, fast and limit,
        NaN where there is none.
    """
    N, tile, step = whole("N", N, least=16, most=1024), whole("tile", tile, least=1), whole("step", step, least=1)
    if dtype not in DTYPES:
        raise ValueError(f"dtype={dtype!r} is unknown: use one of {', '.join(DTYPES)}")
    itemsize = np.dtype(dtype).itemsize
    relaxed = fast.status()["build"] != "plain"
    rows, columns = (size("tile.h", name, itemsize, relaxed=relaxed) for name in ("ROWS", "COLUMNS"))
    facts = _work(N, rows, columns, itemsize) | _corner(N, rows, columns, itemsize, tile, step)
    text = {name: source(name) for name in SHOWN}
    facts |= {"files": list(text), "sources": list(text.values()), "innermost": innermost(text["tile.h"])}
    facts |= {"dtype": dtype, "who": list(WHO)}
    return _measured(facts, N, dtype) if flag("measure", measure) else facts | _speeds([[], [], []], N)


def _measured(facts, N, dtype):
    for told in timings(N, dtype):
        yield facts | _speeds(told["samples"], told["rows"]) | {"reason": told["reason"]}


def _work(N, rows, columns, itemsize):
    """What the product asks for, and what the tile makes of it."""
    return {
        "N": N,
        "rows": rows,
        "columns": columns,
        "flops": 2 * N**3,
        "megabytes": 3 * N * N * itemsize / 1e6,
        "tiles_down": -(-N // rows),
        "tiles_across": -(-N // columns),
        "step_loads": rows + columns,
        "step_flops": 2 * rows * columns,
        "flops_a_load": 2 * rows * columns / (rows + columns),
        "sums": rows * columns * itemsize // 16,
        "of_B": columns * itemsize // 16,
        "lanes": 16 // itemsize,
    }


def _corner(N, rows, columns, itemsize, tile, step):
    m, n, k = min(N, CORNER[0] * rows), min(N, CORNER[1] * columns), min(N, STEPS)
    across = -(-n // columns)
    tiles = -(-m // rows) * across
    tile, step = min(tile, tiles), min(step, k)
    random = np.random.default_rng(0)
    A, B = see("A", random.integers(-2, 3, (m, k))), see("B", random.integers(-2, 3, (k, n)))
    taken = tiled_product(np.ones_like(A), np.ones_like(B), rows, columns, tiles=tile, steps=step)
    C = tiled_product(A, B, rows, columns, tiles=tile, steps=step)
    i, j = (place * length for place, length in zip(divmod(tile - 1, across), (rows, columns), strict=True))
    down, along, over = (np.arange(length) for length in (m, k, n))
    down, over = (down >= i) & (down < i + rows), (over >= j) & (over < j + columns)
    along = np.where(along == step - 1, THIS, OTHER)
    strip = np.arange(j, min(j + columns, n))
    lies, packed = _lines(strip, k, N, along, itemsize), _lines(strip - j, k, columns, along, itemsize)
    return {
        "A": A,
        "B": B,
        "C": C,
        "C_steps": taken,
        "A_touched": see("A_touched", down[:, None] * along),
        "B_touched": see("B_touched", along[:, None] * over),
        "C_touched": see("C_touched", down[:, None] * over * THIS),
        "before": see("before", lies[0]),
        "before_lines": lies[1],
        "after": see("after", packed[0]),
        "after_lines": packed[1],
        "tile": tile,
        "tiles": tiles,
        "step": step,
        "steps": k,
        "first_row": i,
        "first_column": j,
    }


def _lines(strip, k, width, along, itemsize):
    """The cache lines that a strip of B touches, [lines, numbers in a line], and their numbers in memory."""
    places = np.arange(k)[:, None] * width + strip
    a_line = LINE // itemsize
    lines, row = np.unique(places // a_line, return_inverse=True)
    touched = np.zeros((len(lines), a_line))
    touched[row.reshape(places.shape), places % a_line] = along[:, None]
    return touched, [str(line) for line in lines]


def _speeds(samples, stock_rows):
    """Medians, and what they say of each other."""
    table = np.full((len(WHO), TURNS), np.nan)
    for row, values in zip(table, samples, strict=True):
        row[: len(values)] = values
    gflops = np.array([np.median(values) if values else np.nan for values in samples])
    highest = np.array([max(values, default=np.nan) for values in samples])
    stock, ours, limit = gflops
    return {
        "gflops": see("gflops", gflops),
        "samples": see("samples", table),
        "highest": highest,
        "turn": max(map(len, samples)),
        "stock_rows": stock_rows,
        "times": ours / stock,
        "percent": 100 * ours / limit,
        "reason": "",
    }
