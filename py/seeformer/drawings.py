"""Small grayscale pictures by formula: strokes of a pen on the unit square, drawn on a grid of pixels.

A picture is an array [size, size], 0 paper and 1 ink, x to the right and y down. Written down it is a string a row
with a sign a pixel, "0" to "f": sixteen shades, which fit into an address.
"""

import numpy as np

from .checks import whole

SHADES = "0123456789abcdef"
LEAST, MOST = 4, 32  # pixels a side
PEN = 0.075  # half the width of a stroke


def _arc(x, y, across, down, start, end):
    """Points of an ellipse, by angles in degrees, clockwise from the right."""
    turn = np.radians(np.linspace(start, end, 25))
    return np.stack([x + across * np.cos(turn), y + down * np.sin(turn)], axis=-1)


# name -> strokes, each a line through points (x, y).
STROKES = {
    "zero": [_arc(0.5, 0.5, 0.21, 0.34, 0, 360)],
    "one": [[(0.34, 0.32), (0.53, 0.15), (0.53, 0.86)]],
    "three": [_arc(0.46, 0.33, 0.2, 0.18, -150, 90), _arc(0.46, 0.67, 0.23, 0.19, -90, 150)],
    "four": [[(0.62, 0.87), (0.62, 0.15), (0.22, 0.63), (0.8, 0.63)]],
    "seven": [[(0.24, 0.17), (0.76, 0.17), (0.42, 0.87)]],
    "cross": [[(0.2, 0.2), (0.8, 0.8)], [(0.8, 0.2), (0.2, 0.8)]],
    "square": [[(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8), (0.2, 0.2)]],
}
DRAWINGS = (*STROKES, "slope")


def drawn(name, size):
    """One of ``DRAWINGS`` as an array [size, size].

    A pixel is as dark as the pen covers it, taken from the distance of its centre to the stroke; "slope" grows from 0
    on the left to 1 on the right.
    """
    if name not in DRAWINGS:
        raise ValueError(f"name={name!r} is no drawing: use one of {', '.join(DRAWINGS)}")
    at = (np.arange(whole("size", size, least=LEAST, most=MOST)) + 0.5) / size
    if name == "slope":
        return np.tile(np.linspace(0, 1, size), (size, 1))
    pixels = np.stack(np.meshgrid(at, at), axis=-1)  # [size, size, 2], (x, y)
    return np.clip(0.5 + (PEN - _distance(pixels, STROKES[name])) * size, 0, 1)


def _distance(pixels, strokes):
    """From each pixel [..., 2] to the nearest point of any stroke."""
    nearest = np.full(pixels.shape[:-1], np.inf)
    for stroke in strokes:
        for start, end in zip(np.array(stroke)[:-1], np.array(stroke)[1:], strict=True):
            way = end - start
            along = np.clip((pixels - start) @ way / (way @ way), 0, 1)
            nearest = np.minimum(nearest, np.linalg.norm(pixels - start - along[..., None] * way, axis=-1))
    return nearest


def written(picture):
    """A picture [size, size] as rows of signs, each pixel the nearest of sixteen shades."""
    return ["".join(SHADES[shade] for shade in row) for row in np.rint(picture * (len(SHADES) - 1)).astype(int)]


def resized(picture, size):
    """A picture [n, n] as [size, size]: each new pixel is the mean of what it covers of the old ones."""
    n, edges = len(picture), np.arange(size + 1) * len(picture) / size
    first, last = edges[:-1, None], edges[1:, None]
    covered = np.minimum(last, np.arange(1, n + 1)) - np.maximum(first, np.arange(n))
    share = np.maximum(covered, 0) * size / n  # [size, n]
    return share @ picture @ share.T


def pixels_of(name, rows):
    """Rows of signs as a picture; ValueError, beside the control ``name``, if they are none.

    Parameters
    ----------
    rows : list of str
        As ``written`` gives them.

    Returns
    -------
    array [size, size]
    """
    fits = isinstance(rows, (list, tuple)) and all(isinstance(row, str) and set(row) <= set(SHADES) for row in rows)
    if not fits:
        raise ValueError(f"{name}={rows!r} is no picture: give a string a row, a sign a pixel, 0 (paper) to f (ink)")
    size = len(rows)
    if not LEAST <= size <= MOST or {len(row) for row in rows} != {size}:
        lengths = sorted({len(row) for row in rows})
        raise ValueError(
            f"{name}={size} rows of {', '.join(map(str, lengths)) or 0} pixels are no square of {LEAST} to {MOST}: "
            "give each row as many signs as there are rows"
        )
    return np.array([[SHADES.index(sign) for sign in row] for row in rows]) / (len(SHADES) - 1)
