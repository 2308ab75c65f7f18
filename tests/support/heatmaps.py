"""A page with room for heatmaps, and PNGs taken apart."""

import base64

import numpy as np

from .modules import blank_page

# show(options, rows, labels) draws a heatmap; "NaN", "Infinity" and "-Infinity" in rows are numbers. pixel(index, x, y) is what
# the index-th heatmap's canvas holds; frame() waits until the next frame is painted.
_SCRIPT = """async () => {
  const { heatmap } = await load("core/heatmap/heatmap.js");
  const grid = (rows, labels = {}) =>
    ({ data: Float32Array.from(rows.flat(), Number), shape: [rows.length, rows[0].length], ...labels });
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  Object.assign(window, { heatmap, grid, frame, maps: [], hovered: [] });
  window.show = async (options, rows, labels) => {
    const map = heatmap(root, { onHover: (cell) => hovered.push(cell), ...options });
    maps.push(map);
    map.update(grid(rows, labels));
    await frame();
  };
  window.pixel = (index, x, y) => {
    const canvas = maps[index].element.querySelector("[data-heatmap]");
    return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
  };
}"""


def heatmap_page(page, server):
    blank_page(page, server).evaluate(_SCRIPT)
    return page


def decode(page, png: bytes) -> np.ndarray:
    """The RGB of every pixel, [height, width, 3], as the browser reads it."""
    width, height, rgba = page.evaluate(
        """async (base64) => {
          const image = new Image();
          image.src = `data:image/png;base64,${base64}`;
          await image.decode();
          const pen = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d");
          pen.drawImage(image, 0, 0);
          const { width, height, data } = pen.getImageData(0, 0, image.naturalWidth, image.naturalHeight);
          const reader = new FileReader();
          reader.readAsDataURL(new Blob([data]));
          await new Promise((done) => { reader.onload = done; });
          return [width, height, reader.result.split(",")[1]];
        }""",
        base64.b64encode(png).decode(),
    )
    return np.frombuffer(base64.b64decode(rgba), np.uint8).reshape(height, width, 4)[..., :3]
