"""A heatmap as a PNG with labels, for readers whose device runs no Python. Drawn by Pillow; the font comes from npm."""

import io
from functools import cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from seeformer.notes.show import BLUE_RED, VIRIDIS
from sitebuild.paths import NODE_MODULES

FONTS = NODE_MODULES / "@fontsource" / "zcool-xiaowei" / "files"
FONT = FONTS / "zcool-xiaowei-chinese-simplified-400-normal.woff2"
INK, SOFT, HIDDEN, LOUD = "#1b1b1b", "#5a5a5a", "#b9b9b9", (255, 0, 255)
SIDE, SMALLEST, WIDEST = 32, 6, 720  # of a cell, and of the whole grid, in pixels
GAP, BAR, TEXT = 10, 14, 18


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size)


def picture(array, rows=(), cols=(), title="") -> bytes:
    """A matrix as ``seeformer.notes.show`` shows it: viridis, or blue and red round 0; -inf hatched, NaN magenta."""
    array = np.atleast_2d(np.asarray(array, dtype=float))
    finite = array[np.isfinite(array)]
    high = abs(finite).max(initial=0) or 1
    low = -high if finite.min(initial=0) < 0 else 0
    (n, m), ramp = array.shape, BLUE_RED if low else VIRIDIS
    wide, tall = (max(SMALLEST, min(SIDE, WIDEST // cells)) for cells in (m, n))
    labels = [list(map(str, names)) if size >= TEXT - 4 else [] for names, size in ((rows, tall), (cols, wide))]
    left = max((_length(name) for name in labels[0]), default=0) + GAP
    upright = all(_length(name) <= wide for name in labels[1])
    top = 2 * GAP + TEXT + (TEXT if upright and labels[1] else max((_length(name) for name in labels[1]), default=0))
    width = max(left + m * wide + 3 * GAP + BAR + _length(f"{low:.3g}0"), GAP + _length(title))
    sheet = Image.new("RGB", (width + GAP, max(top + n * tall, top + 3 * TEXT) + GAP), "white")
    draw = ImageDraw.Draw(sheet)
    draw.text((GAP, GAP), title, INK, _font(TEXT))
    grid = Image.fromarray(_colours(array, low, high, ramp)).resize((m * wide, n * tall), Image.Resampling.NEAREST)
    sheet.paste(grid, (left, top))
    for i, j in np.argwhere(np.isneginf(array)):
        _hatch(draw, left + j * wide, top + i * tall, wide, tall)
    for i, name in enumerate(labels[0]):
        draw.text((left - GAP // 2, top + i * tall + tall / 2), name, SOFT, _font(TEXT), anchor="rm")
    for j, name in enumerate(labels[1]):
        _column(sheet, draw, name, left + j * wide + wide / 2, top - 4, upright)
    _bar(sheet, draw, left + m * wide + GAP, top, max(n * tall, 3 * TEXT), low, high, ramp)
    file = io.BytesIO()
    sheet.save(file, "PNG", optimize=True)
    return file.getvalue()


def _length(text: str) -> int:
    return int(np.ceil(_font(TEXT).getlength(text)))


def _colours(array, low, high, ramp):
    stops = np.frombuffer(bytes.fromhex(ramp), np.uint8).reshape(-1, 3)
    level = np.interp(np.nan_to_num(array), [low, high], [0, len(stops) - 1])
    rgb = np.stack([np.interp(level, range(len(stops)), channel) for channel in stops.T], axis=-1)
    rgb[np.isneginf(array)], rgb[np.isnan(array)] = 255, LOUD
    return rgb.round().astype(np.uint8)


def _hatch(draw, x, y, wide, tall):
    for step in range(0, wide + tall, 6):
        start = x + max(0, step - tall), y + min(step, tall)
        draw.line([start, (x + min(step, wide), y + max(0, step - wide))], HIDDEN)


def _column(sheet, draw, name, x, bottom, upright):
    if upright:
        draw.text((x, bottom), name, SOFT, _font(TEXT), anchor="mb")
        return
    strip = Image.new("RGB", (_length(name), TEXT + 4), "white")
    ImageDraw.Draw(strip).text((0, 0), name, SOFT, _font(TEXT))
    turned = strip.rotate(90, expand=True)
    sheet.paste(turned, (round(x - turned.width / 2), bottom - turned.height))


def _bar(sheet, draw, x, y, tall, low, high, ramp):
    shades = _colours(np.linspace(high, low, tall)[:, None], low, high, ramp)
    sheet.paste(Image.fromarray(np.repeat(shades, BAR, axis=1)), (x, y))
    for share, anchor in ((0, "la"), (0.5, "lm"), (1, "ld")):
        number = high + (low - high) * share
        draw.text((x + BAR + 4, y + tall * share), f"{number:.3g}", SOFT, _font(TEXT - 4), anchor=anchor)
