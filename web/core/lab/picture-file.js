// An image file as a drawing in sixteen shades: its middle square, made small by the canvas; dark is ink.
import { INK, square } from "./picture-shades.js";

/** The first image among what was dropped, pasted or chosen; null if there is none. */
export const imageOf = (files) => [...(files ?? [])].find(({ type }) => type.startsWith("image/")) ?? null;

/** Rejects if the browser cannot read the file. */
export async function drawingOf(file, size) {
  const image = await createImageBitmap(file);
  const side = Math.min(image.width, image.height);
  const context = new OffscreenCanvas(size, size).getContext("2d", { willReadFrequently: true });
  context.fillStyle = "#fff"; // what is transparent is paper
  context.fillRect(0, 0, size, size);
  context.imageSmoothingQuality = "high";
  context.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, size, size);
  image.close();
  const { data } = context.getImageData(0, 0, size, size);
  const light = (at) => (0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2]) / 255;
  return square(size, (row, col) => INK * (1 - light(4 * (row * size + col))));
}
