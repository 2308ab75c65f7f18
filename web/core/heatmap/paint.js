// Paints a grid on a canvas: hatch below, one pixel a value stretched over its cell, marks and numbers on top.
import { inkOn } from "./colormaps.js";
import { length } from "./fit.js";

const TILE = 6; // CSS px from one hatch line to the next

function hatch(context, dpr, palette) {
  const size = Math.round(TILE * dpr);
  const tile = new OffscreenCanvas(size, size);
  const pen = tile.getContext("2d");
  pen.fillStyle = palette.hatch;
  pen.fillRect(0, 0, size, size);
  pen.strokeStyle = palette["hatch-ink"];
  pen.lineWidth = dpr;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}

/** A cross on NaN, a plus on +inf: not told by colour alone. */
function strokeMark(context, value, x, y, width, height, dpr) {
  const [middle, centre, arm] = [x + width / 2, y + height / 2, Math.min(width, height) / 4];
  const slant = Number.isNaN(value) ? arm : 0;
  context.beginPath();
  for (const [dx, dy] of slant ? [[arm, arm], [arm, -arm]] : [[arm, 0], [0, arm]]) {
    context.moveTo(middle - dx, centre - dy);
    context.lineTo(middle + dx, centre + dy);
  }
  context.strokeStyle = "#000";
  context.lineWidth = Math.max(1, 1.5 * dpr);
  context.stroke();
}

function eachCell(geometry, { shape: [rows, cols] }, visit) {
  const [width, height] = [geometry.across.pitch, geometry.down.pitch];
  for (let row = 0, i = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++, i++) visit(i, col * width, row * height, width, height);
  }
}

/**
 * `image` is a canvas with one pixel a value (of `grid`, already reduced to what the screen can show), `pixels` its words;
 * `texts` are the numbers to write (or null), `font` their CSS font at 1 CSS px.
 */
export function paint(context, { grid, image, pixels, geometry, texts, font, palette, extent }) {
  const { dpr, across, down } = geometry;
  const [width, height] = [length(across), length(down)];
  context.clearRect(0, 0, width, height);
  if (extent.hidden) {
    context.fillStyle = hatch(context, dpr, palette);
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, width, height);
  if (texts) {
    context.font = font;
    context.textAlign = "center";
    context.textBaseline = "middle";
    eachCell(geometry, grid, (i, x, y, w, h) => {
      const hidden = grid.data[i] === -Infinity;
      if (hidden) {
        context.fillStyle = palette.hatch;
        context.fillRect(x + w / 2 - 11 * dpr, y + h / 2 - 7 * dpr, 22 * dpr, 14 * dpr);
      }
      context.fillStyle = hidden ? palette.ink : inkOn(pixels[i]);
      context.fillText(texts[i], x + w / 2, y + h / 2 + dpr / 2);
    });
  } else if (extent.nan + extent.infinite && Math.min(across.pitch, down.pitch) >= 6 * dpr) {
    eachCell(geometry, grid, (i, ...box) => {
      if (Number.isNaN(grid.data[i]) || grid.data[i] === Infinity) strokeMark(context, grid.data[i], ...box, dpr);
    });
  }
}
