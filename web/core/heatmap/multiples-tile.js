// One small picture, painted by the same raster and scales as a large one.
import { MAPS } from "./colormaps.js";
import { extent } from "./extent.js";
import { paint } from "./paint.js";
import { imageData, raster } from "./raster.js";
import { scaleFor } from "./scale.js";
import { strongest } from "./strongest.js";

function reduced(grid, block) {
  if (block === 1) return grid;
  const steps = strongest(grid, [block, block]);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** A canvas of tile.width × tile.height device px that shows a grid { data, shape: [rows, cols] }. */
export function paintTile(grid, { tile, dpr }, { kind, mode, colours }) {
  const shown = reduced(grid, tile.block);
  const [rows, cols] = shown.shape;
  const stats = extent(shown);
  const pixels = raster(shown, scaleFor(kind, mode, stats), MAPS[kind], colours.marks);
  const image = new OffscreenCanvas(cols, rows);
  image.getContext("2d").putImageData(imageData(pixels, cols, rows), 0, 0);
  const canvas = new OffscreenCanvas(tile.width, tile.height);
  const side = (slots) => ({ slots, block: 1, pitch: tile.pitch });
  paint(canvas.getContext("2d"), { grid: shown, image, pixels, geometry: { dpr, across: side(cols), down: side(rows) }, texts: null, palette: colours, extent: stats });
  return canvas;
}
