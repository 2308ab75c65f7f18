"""Pictures and tables for a note: Obsidian's Code Emitter renders a line that is one HTML element, and keeps it."""

import base64
import zlib
from html import escape

import numpy as np

# The page's colour maps at every 1/16: viridis, and blue - white - red for values of both signs.
VIRIDIS = "44015448186a472d7b4240863b528b33638d2c728e26828e21918c1fa08828ae803fbc735ec96284d44baddc30d8e219fde725"
BLUE_RED = "05306117518e2a71ae448ec16bacd098c7dfbfdcebdeebf2f2efeefae4d8faccb4f3aa8ce48268d1574bb82d3594112767001f"


def show(array, rows=(), cols=(), title=""):
    """A matrix as a picture with labels; -inf is grey, NaN magenta."""
    array = np.atleast_2d(np.asarray(array, dtype=float))
    (n, m), finite = array.shape, array[np.isfinite(array)]
    high = abs(finite).max(initial=0) or 1
    low = -high if finite.min(initial=0) < 0 else 0
    stops = np.frombuffer(bytes.fromhex(BLUE_RED if low else VIRIDIS), np.uint8).reshape(-1, 3)
    level = np.interp(np.nan_to_num(array), [low, high], [0, len(stops) - 1])
    rgb = np.stack([np.interp(level, range(len(stops)), channel) for channel in stops.T], axis=-1)
    rgb[np.isneginf(array)], rgb[np.isnan(array)] = 128, (255, 0, 255)
    pixels = np.insert(rgb.round().reshape(n, 3 * m), 0, 0, axis=1).astype(np.uint8).tobytes()
    size = np.array([m, n], ">u4").tobytes() + b"\x08\x02\0\0\0"
    chunks = [b"IHDR" + size, b"IDAT" + zlib.compress(pixels, 9), b"IEND"]
    png = b"".join((len(c) - 4).to_bytes(4, "big") + c + zlib.crc32(c).to_bytes(4, "big") for c in chunks)
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n" + png).decode()
    wide, tall = max(4, min(24, 480 // m)), max(4, min(24, 480 // n))
    left, top = ("<br>".join(escape(str(name)).replace(" ", "&nbsp;") for name in names) for names in (rows, cols))
    print(
        '<div style="display:inline-grid;grid-template-columns:repeat(2,auto);gap:4px;margin:8px;text-align:end">'
        f'<i></i><div style="text-align:start">{escape(title)} {low:.3g}…{high:.3g}</div><i></i>'
        f'<div style="writing-mode:vertical-lr;font-size:{min(wide, 13)}px;line-height:{wide}px">{top}</div>'
        f'<div style="font-size:{min(tall, 13)}px;line-height:{tall}px">{left}</div><img style="width:{wide * m}px;'
        f'height:{tall * n}px;image-rendering:pixelated" src="data:image/png;base64,{data}"></div>'
    )


def table(array, title=""):
    """A matrix as aligned numbers: [rows, columns]"""
    numbers = np.array2string(np.asarray(array), precision=4, suppress_small=True, max_line_width=200)
    print("<pre>" + escape(f"{title}\n{numbers}".strip()).replace("\n", "&#10;") + "</pre>")
